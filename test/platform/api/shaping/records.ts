import type { By, Dialect } from '../../dialects/dialect';

export type Fields = Record<string, unknown>;

/** Gives a record the form that a dialect has for it. */
type Stage = (record: Fields, dialect: Dialect) => Fields;

/** A record with some fields under other names; fields that it lacks stay absent. */
const renamed = (record: Fields, names: Readonly<Record<string, string>>): Fields =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));

/** Personal-data fields by record; a dot leads into an object. */
const PERSONAL: Readonly<Record<string, readonly string[]>> = {
	Order: ['email', 'shipping_address.name', 'shipping_address.street'],
	Customer: ['email', 'first_name', 'last_name', 'phone', 'address.street'],
};

/**
 * First letter and asterisks; the form of masked values is not shown. What a client has written into
 * a field in place of text stays as it is.
 */
const maskText = (value: unknown) =>
	typeof value === 'string' && value !== '' ? `${value[0]}***` : value;

const MASKS: By<'personalData', (value: unknown) => unknown> = {
	shown: (value) => value,
	masked: (value) => {
		const isAddress = typeof value === 'string' && value.includes('@');
		return isAddress ? `${value[0]}***@***` : maskText(value);
	},
	empty: () => null,
	// Left out of the JSON.
	absent: () => undefined,
};

function masked(
	record: Fields,
	[name, ...inner]: string[],
	mask: (value: unknown) => unknown,
): Fields {
	const value = record[name];
	if (!(name in record)) return record;
	if (inner.length === 0) return { ...record, [name]: mask(value) };
	if (typeof value !== 'object' || value === null) return record;
	return { ...record, [name]: masked(value as Fields, inner, mask) };
}

const TIME_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** How each form of time is made from `2026-01-31T10:00:00.125Z`. */
const TIMES: By<'recordTimes', (time: string) => string | number> = {
	milliseconds: (time) => time,
	seconds: (time) => time.replace(/\.\d{3}Z$/, 'Z'),
	microseconds: (time) => time.replace('Z', '000Z'),
	offset: (time) => time.replace('Z', '+00:00'),
	unixSeconds: (time) => Math.floor(Date.parse(time) / 1000),
	unixMilliseconds: (time) => Date.parse(time),
};

/** Whose times are not shown. Where a record's time is shown as text, it is never a number. */
const WITH_FREE_TIMES = new Set(['Product', 'Order', 'Customer', 'Category']);

function withTimes(record: Fields, kind: string, dialect: Dialect): Fields {
	const timed = (value: unknown) => {
		if (typeof value !== 'string' || !TIME_FORM.test(value)) return value;
		const shown = TIMES[dialect.recordTimes](value);
		return typeof shown === 'string' || WITH_FREE_TIMES.has(kind) ? shown : value;
	};
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, timed(value)]));
}

/** Where a record has its times (`updatedAt`). A stock level's `updated_at` is shown and stays. */
const PLACES: By<'updatedAt', (record: Fields) => Fields> = {
	snake: (record) => record,
	camel: (record) => renamed(record, { created_at: 'createdAt', updated_at: 'updatedAt' }),
	nested: ({ created_at, updated_at, ...record }) => ({
		...record,
		timestamps: { created_at, updated_at },
	}),
	absent: ({ created_at: _created, updated_at: _updated, ...record }) => record,
};

const ORDER_FIELDS: By<'orderFields', Readonly<Record<string, string>>> = {
	snake: {},
	camel: {
		line_items: 'lineItems',
		payment_summary: 'paymentSummary',
		fulfillment_state: 'fulfillmentState',
	},
	short: { line_items: 'items', payment_summary: 'payment', fulfillment_state: 'fulfillment' },
};

/** Word for an order that is not paid yet, the only one that no event and no filter names. */
export const UNPAID_WORDS: By<'orderWords', string> = {
	created: 'created',
	pending: 'pending_payment',
};

/** The status of an order in this platform's words. */
export const statusWord = (status: unknown, { orderWords }: Dialect): unknown =>
	status === 'created' ? UNPAID_WORDS[orderWords] : status;

const CUSTOMERS: By<'customerFields', (customer: Fields) => Fields> = {
	flat: (customer) => customer,
	nested: ({ email, phone, first_name, last_name, ...customer }) => {
		const { accepts_email_marketing, accepts_sms_marketing, ...rest } = customer;
		return {
			...rest,
			name: { first: first_name, last: last_name },
			contact: { email, phone },
			consents: { email: accepts_email_marketing, sms: accepts_sms_marketing },
		};
	},
};

const CATEGORIES: By<'categoryFields', (category: Fields) => Fields> = {
	name: (category) => category,
	title: ({ name, parent_id: id, ...category }) => ({
		...category,
		title: name,
		parent: id === null ? null : { id },
	}),
};

const ACCOUNTS: By<'accountFields', (account: Fields) => Fields> = {
	nested: (account) => account,
	flat: ({ credential, rate_limits, ...account }) => {
		const { id, scopes } = credential as Fields;
		const windows = Object.entries(rate_limits as Record<string, Fields>);
		const limits = windows.map(([window, budget]) => ({ window, ...budget }));
		return { ...account, key_id: id, scopes, rate_limits: limits };
	},
};

/** Where the version of a stock level is shown (`levelVersion`). */
export const LEVEL_VERSION: By<'levelVersion', { inRecord: boolean; inHeader: boolean }> = {
	both: { inRecord: true, inHeader: true },
	field: { inRecord: true, inHeader: false },
	etag: { inRecord: false, inHeader: true },
	absent: { inRecord: false, inHeader: false },
};

const ENDPOINT_WORDS: By<'endpointStatus', Readonly<Record<string, string>>> = {
	enabled: {},
	active: { enabled: 'ACTIVE', disabled: 'PAUSED' },
	pending: { enabled: 'pending', disabled: 'off' },
};

/** The state of a job: queued, running, completed or failed in other words. */
const JOB_WORDS: Readonly<Record<string, readonly [state: string, phase: string]>> = {
	queued: ['PENDING', 'waiting'],
	running: ['IN_PROGRESS', 'active'],
	completed: ['SUCCEEDED', 'done'],
	failed: ['FAILED', 'aborted'],
};

const JOB_STATES: By<'jobStates', (job: Fields) => Fields> = {
	status: (job) => job,
	state: ({ status, ...job }) => ({ ...job, state: JOB_WORDS[String(status)][0] }),
	nested: ({ id, status, ...job }) => ({
		job: { id, phase: JOB_WORDS[String(status)][1] },
		...job,
	}),
};

const JOB_ERRORS: By<'jobErrors', (job: Fields) => Fields> = {
	listed: (job) => job,
	counted: ({ errors: _errors, ...job }) => job,
	absent: ({ errors: _errors, failed: _failed, succeeded: _succeeded, ...job }) => job,
};

const EVENTS: By<'eventRecord', (event: Fields) => Fields> = {
	delivery: (event) => event,
	envelope: ({ event_id, event, timestamp, payload }) => ({
		event_id,
		type: event,
		created_at: timestamp,
		data: payload,
	}),
};

const EVENT_IDS: By<'eventIds', (id: string) => string> = {
	padded: (id) => id,
	plain: (id) => id.replace(/^evt_0+(?=\d)/, 'evt_'),
};

/** What a dialect makes of each kind of record, once its times are in place. */
const STAGES: Readonly<Record<string, Stage>> = {
	Order: (order, dialect) =>
		renamed(
			{ ...order, status: statusWord(order.status, dialect) },
			ORDER_FIELDS[dialect.orderFields],
		),
	Customer: (customer, { customerFields }) => CUSTOMERS[customerFields](customer),
	Category: (category, { categoryFields }) => CATEGORIES[categoryFields](category),
	Account: (account, { accountFields }) => ACCOUNTS[accountFields](account),
	Level: ({ version, ...level }, { levelVersion }) =>
		LEVEL_VERSION[levelVersion].inRecord ? { ...level, version } : level,
	Webhook: ({ status, ...endpoint }, { endpointStatus }) => ({
		...endpoint,
		status: ENDPOINT_WORDS[endpointStatus][String(status)] ?? status,
	}),
	Job: (job, { jobStates, jobErrors }) => JOB_STATES[jobStates](JOB_ERRORS[jobErrors](job)),
	Event: (event, { eventRecord, eventIds }) =>
		EVENTS[eventRecord]({ ...event, event_id: EVENT_IDS[eventIds](String(event.event_id)) }),
};

/** A record, by the name of its schema in openapi.yaml, as the dialect shows it. */
export function shapeRecord(record: Fields, kind: string, dialect: Dialect): Fields {
	const mask = MASKS[dialect.personalData];
	const shown = (PERSONAL[kind] ?? []).reduce(
		(rest, path) => masked(rest, path.split('.'), mask),
		record,
	);
	const timed = withTimes(shown, kind, dialect);
	const placed = WITH_FREE_TIMES.has(kind) ? PLACES[dialect.updatedAt](timed) : timed;
	return STAGES[kind]?.(placed, dialect) ?? placed;
}
