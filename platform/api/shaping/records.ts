import { shaped, type Fields } from '../../dialects/form';
import type { By, Dialect, PointName } from '../../dialects/dialect';

/**
 * The switches of each kind of record, in the order in which they act. If the first one is `updatedAt`, times may be
 * numbers.
 */
const SWITCHES: Readonly<Record<string, readonly PointName[]>> = {
	Product: ['updatedAt'],
	Order: ['updatedAt', 'orderWords', 'orderFields'],
	Customer: ['updatedAt', 'customerFields'],
	Category: ['updatedAt', 'categoryFields'],
	Account: ['accountFields'],
	Level: ['levelVersion'],
	Webhook: ['endpointStatus'],
	Job: ['jobErrors', 'jobStates'],
	Event: ['eventRecord'],
};

/** Fields of orders and customers that hold personal data, at any depth. */
const PERSONAL = new Set('email name street first_name last_name phone'.split(' '));

const MASKS: By<'personalData', (value: unknown) => unknown> = {
	shown: (value) => value,
	// A value that is no text was written by a client; it stays as it is.
	masked: (value) =>
		typeof value === 'string' && value !== ''
			? `${value[0]}***${value.includes('@') ? '@***' : ''}`
			: value,
	empty: () => null,
	// JSON.stringify leaves such fields out.
	absent: () => undefined,
};

function masked(record: Fields, { personalData }: Dialect): Fields {
	const mask = (name: string, value: unknown) =>
		PERSONAL.has(name) ? MASKS[personalData](value) : value;
	return JSON.parse(JSON.stringify(record, mask)) as Fields;
}

const TIME_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** How each dialect writes `2026-01-31T10:00:00.125Z`. */
const TIMES: By<'recordTimes', (time: string) => string | number> = {
	milliseconds: (time) => time,
	seconds: (time) => time.replace(/\.\d{3}Z$/, 'Z'),
	microseconds: (time) => time.replace('Z', '000Z'),
	offset: (time) => time.replace('Z', '+00:00'),
	unixSeconds: (time) => Math.floor(Date.parse(time) / 1000),
	unixMilliseconds: (time) => Date.parse(time),
};

/** Writes the times of a record as the dialect does. Unless times may be numbers (`isFree`), they stay text. */
function withTimes(record: Fields, mayBeNumber: boolean, dialect: Dialect): Fields {
	const timed = (value: unknown) => {
		if (typeof value !== 'string' || !TIME_FORM.test(value)) return value;
		const shown = TIMES[dialect.recordTimes](value);
		return typeof shown === 'string' || mayBeNumber ? shown : value;
	};
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, timed(value)]));
}

const EVENT_IDS: By<'eventIds', (id: string) => string> = {
	padded: (id) => id,
	plain: (id) => id.replace(/^evt_0+(?=\d)/, 'evt_'),
};

/** A record as the dialect shows it. `kind` is the name of its schema in openapi.yaml. */
export function shapeRecord(record: Fields, kind: string, dialect: Dialect): Fields {
	const switches = SWITCHES[kind] ?? [];
	const isPersonal = kind === 'Order' || kind === 'Customer';
	const shown = isPersonal ? masked(record, dialect) : record;
	const timed = withTimes(shown, switches[0] === 'updatedAt', dialect);
	if (kind === 'Event') timed.event_id = EVENT_IDS[dialect.eventIds](String(record.event_id));
	return switches.reduce((rest, name) => shaped(name, rest, dialect), timed);
}
