import { createHmac, randomUUID } from 'node:crypto';
import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { PERSON_WAITS, type PlatformClient } from '../shared/rest/client';
import { saysGone } from '../shared/shop/events';
import { nounOf, resourceOfEvent, type ShopResource } from '../shared/shop/resources';
import { shopClient } from '../shared/shop/service';
import type { Clock } from '../shared/rest/clock';
import { withNodeErrors } from '../shared/rest/nodeErrors';

/** n8n accepts deliveries at the test address only a moment after the endpoint was registered. ms. */
const PAUSE_MS = 500;
const MAX_TRIES = 10;

/**
 * Makes a sample of the first selected event that is about a record, from the newest record of the shop.
 *
 * @returns a function that sends it to the test address, signed like every delivery, and throws if the address does not
 *   accept it
 * @throws NodeApiError if the platform refuses, NodeOperationError if no sample can be made
 */
export async function makeSampleEvent(
	context: IHookFunctions,
	events: readonly string[],
	clock: Clock,
) {
	const event = events.find((name) => resourceOfEvent(name) !== undefined) ?? '';
	const resource = resourceOfEvent(event);
	if (resource === undefined)
		throw noSample(context, `No sample can be made of “${events.join('”, “')}”`);
	const noun = nounOf(resource);
	const record = await withNodeErrors(context, { noun }, async () =>
		newestOf(await shopClient(context, PERSON_WAITS, clock), resource, event),
	);
	if (record === undefined) throw noSample(context, `Your shop has no ${noun} to make a sample of`);
	const payload = payloadOf(event, record);
	return async (url: string, secret: string) =>
		await sendSample(context, url, secret, { event, payload }, clock);
}

async function newestOf(
	client: PlatformClient,
	{ path }: ShopResource,
	event: string,
): Promise<IDataObject | undefined> {
	const newestWith = async (query: Record<string, string>) => {
		const list = { method: 'GET', path, query } as const;
		const { records } = await client.page(list, { limit: 1, newestFirst: true });
		return records.at(0);
	};
	if (event !== 'order.paid') return await newestWith({});
	return (await newestWith({ status: 'paid' })) ?? (await newestWith({}));
}

/**
 * The payload of `order.paid` has three fields (API document, "Delivery request"). The document does not show the
 * payloads of other events, so the whole record is used.
 */
function payloadOf(event: string, record: IDataObject): IDataObject {
	if (saysGone(event)) return { id: record.id };
	if (event !== 'order.paid') return record;
	return { id: record.id, status: record.status, total: record.total };
}

async function sendSample(
	context: IHookFunctions,
	url: string,
	secret: string,
	{ event, payload }: { event: string; payload: IDataObject },
	clock: Clock,
): Promise<void> {
	for (let tries = 1; ; tries++) {
		await clock.sleep(PAUSE_MS);
		const nowMs = clock.now();
		const body = JSON.stringify({ event, timestamp: new Date(nowMs).toISOString(), payload });
		const answer = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			body,
			headers: {
				'content-type': 'application/json',
				'x-shop-signature': createHmac('sha256', secret).update(body).digest('hex'),
				'x-shop-timestamp': String(Math.floor(nowMs / 1000)),
				'x-shop-delivery-id': `del_sample_${randomUUID()}`,
				'x-shop-event': event,
			},
			// The body is signed for this address only.
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as { statusCode: number };
		if (answer.statusCode < 300) return;
		if (tries === MAX_TRIES) throw new Error(`the test address answered ${answer.statusCode}`);
	}
}

function noSample(context: IHookFunctions, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, {
		description: 'Switch Sample Event off, and cause a real event instead.',
	});
}
