import type { By, Dialect } from '../dialects/dialect';
import { shaped } from '../dialects/form';
import type { StreamEvent } from '../shop/event';

type Payload = Record<string, unknown>;

const TIMES: By<'deliveryTimes', (time: string) => string> = {
	milliseconds: (time) => time,
	seconds: (time) => time.replace(/\.\d{3}Z$/, 'Z'),
	zeroFraction: (time) => time.replace(/\.\d{3}Z$/, '.000Z'),
	offset: (time) => time.replace('Z', '+00:00'),
};

const PAYLOADS: By<'payloads', (payload: Payload, event: string) => Payload> = {
	summary: (payload) => payload,
	idOnly: (payload) => ('id' in payload ? { id: payload.id } : payload),
	nested: (payload, event) => ({ object: event.split('.')[0], data: payload }),
};

/** The API document shows the payload of order.paid alone; the dialect shapes all others (`payloads`). */
function payloadOf({ event, payload }: StreamEvent, dialect: Dialect): Payload {
	if (event === 'order.paid') return payload;
	const worded = event.startsWith('order.') ? shaped('orderWords', payload, dialect) : payload;
	return PAYLOADS[dialect.payloads](worded, event);
}

/** The exact text of a delivery: `{ event, timestamp, payload }`. */
export const deliveryBody = (event: StreamEvent, dialect: Dialect): string =>
	JSON.stringify({
		event: event.event,
		timestamp: TIMES[dialect.deliveryTimes](event.timestamp),
		payload: payloadOf(event, dialect),
	});
