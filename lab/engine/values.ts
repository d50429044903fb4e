/** What a request or an answer carries. */
export type Json = Record<string, unknown>;

export const snakeCase = (name: string): string =>
	name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();

export const camelCase = (name: string): string =>
	name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

export const slugOf = (name: string): string =>
	name
		.toLowerCase()
		.replace(/[^a-z\d]+/g, '-')
		.replace(/^-|-$/g, '');

/** The engine's fields that hold minor units of the record's currency. */
const AMOUNT =
	/^((discounted|prorated)?(unit|line)?price(WithTax)?|(subTotal|shipping|total)(WithTax)?|amountWithTax|taxBase|taxTotal|adjustment|priceChange)$/i;

/**
 * A record of the engine with names in snake_case. Amounts have their currency beside them, as the API document wants it
 * ("Conventions"); all else stays as the engine has it.
 */
export function shown(value: unknown, currency?: string): unknown {
	if (Array.isArray(value)) return value.map((entry) => shown(entry, currency));
	if (value instanceof Date) return value.toISOString();
	if (value === null || typeof value !== 'object') return value;
	const result: Json = {};
	for (const [name, part] of Object.entries(value)) {
		const isAmount = typeof part === 'number' && AMOUNT.test(name);
		if (name === '__typename' || part === undefined) continue;
		result[snakeCase(name)] = isAmount ? { amount: part, currency } : shown(part, currency);
		if (name === 'amount') result.currency = currency;
	}
	return result;
}

export const without = (record: Json, ...names: string[]): Json =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** An answer that is an error, in the form of the API document ("Errors"). */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly more: Json = {},
	) {
		super(message);
	}
}

export const notFound = (kind: string, id: unknown): Refusal =>
	new Refusal(404, 'ENTITY_NOT_FOUND', `No ${kind} with the id "${String(id)}" could be found`);

export const badInput = (message: string, status = 400): Refusal =>
	new Refusal(status, 'USER_INPUT_ERROR', message);

/** The engine's own ID in an ID such as `ord_12`. @throws Refusal if it is none */
export function engineId(kind: string, id: unknown, prefix = ''): string {
	const text = String(id);
	const own = text.startsWith(prefix) ? text.slice(prefix.length) : text;
	if (!/^\d+$/.test(own)) throw notFound(kind, id);
	return own;
}

/** The engine's refusals that are about the state of an order. */
const ABOUT_STATE = /STATE|^(CANCEL_ACTIVE_ORDER|ITEMS_ALREADY_FULFILLED|NOTHING_TO_REFUND)_ERROR$/;

/** What the engine answers to a change: the record, or an error that is no GraphQL error. */
export type Outcome<T> = T | { __typename: string; errorCode: string; message: string };

/** @throws Refusal 409 if the state does not allow the change, otherwise 422 with the engine's own code */
export function done<T extends object>(outcome: Outcome<T>): T {
	if (!('errorCode' in outcome)) return outcome;
	const { errorCode, message } = outcome;
	const isState = ABOUT_STATE.test(errorCode);
	const code = isState ? 'INVALID_STATE_TRANSITION' : errorCode;
	throw new Refusal(
		isState ? 409 : 422,
		code,
		message,
		shown(without(outcome, 'errorCode', 'message')) as Json,
	);
}
