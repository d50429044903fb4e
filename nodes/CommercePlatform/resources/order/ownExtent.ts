import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { isObject } from '../../../shared/values/json';
import { readCurrencyCode } from '../../../shared/values/money';
import { describe, rowsOf, saysNothing } from '../../../shared/values/readers';
import type { Item } from '../../fields/field';

/** A name that an amount has. */
const AMOUNT = /amount$/i;

/** An amount in a JSON text that is written with decimals, like 10.00, of which the parsed number shows nothing. */
const DECIMAL_IN_JSON = /"([^"]*amount)"\s*:\s*(-?\d+\.\d+)/i;

/** How the API document writes the ID of a line item (Resources, "Order"). */
const LINE_ITEM_ID = /^li_\S+$/;

/**
 * The fields by which a refund says its extent, and whether such a field does. The API document does not show its
 * body ("Gaps in the endpoint shapes"): these are its own names for an amount and for lines of an order, and `full` for
 * all that is left.
 */
const EXTENTS: Readonly<
	Record<string, (value: unknown, body: IDataObject, currencyField: string) => boolean>
> = {
	amount: (value, { currency }, field) =>
		isObject(value)
			? isMoney(value.amount, value.currency, field)
			: isMoney(value, currency, field),
	items: areItems,
	line_items: areItems,
	full: (value) => value === true,
};

function isMoney(amount: unknown, currency: unknown, currencyField: string): boolean {
	if (!Number.isSafeInteger(amount) || Number(amount) <= 0) return false;
	return readCurrencyCode(currencyField, currency) !== '';
}

function areItems(value: unknown): boolean {
	if (!Array.isArray(value) || value.length === 0) return false;
	return value.every((item: unknown) => {
		const { line_item_id: id, quantity } = isObject(item) ? item : {};
		return LINE_ITEM_ID.test(String(id)) && Number.isSafeInteger(quantity) && Number(quantity) > 0;
	});
}

/**
 * Checks that the fields of one's own say how much is refunded: without that a platform may refund everything. Every
 * amount among them has a value and is in minor units (API document, "Conventions"): an expression that finds none
 * gives nothing.
 *
 * @param field display name of what holds them
 * @throws InputError that names the field
 */
export function checkExtent(field: string, body: IDataObject): void {
	checkAmounts(field, body);
	const said = Object.keys(EXTENTS).filter((name) => name in body);
	const empty = said.filter((name) => !EXTENTS[name](body[name], body, `${field}: currency`));
	const isOne = said.length === 1 || (said.length > 1 && !said.includes('full'));
	if (isOne && empty.length === 0) return;
	const problem = empty.length === 0 ? '' : ` Not by what stands in “${empty.join('”, “')}”.`;
	throw new InputError(
		field,
		'says no amount',
		`Nothing was refunded.${problem} How much is said by “amount” with “currency”, by “items” or “line_items” with line_item_id and quantity, or by “full”: true alone.`,
	);
}

/** Refuses a whole amount that was entered with decimals, as 10.00: major units were meant. */
export function checkDecimals(field: string, item: Item): void {
	const [name, written] = writtenWithDecimals(item);
	if (name !== undefined) throw notMinor(`${field}: ${name}`, written);
}

function writtenWithDecimals(item: Item): string[] {
	if (item.parameter('specifyFields', '') === 'json') {
		const json: unknown = item.parameter('json', '');
		return (typeof json === 'string' && DECIMAL_IN_JSON.exec(json)?.slice(1)) || [];
	}
	for (const row of rowsOf('Fields', item.parameter('fields', {}), 'field') ?? []) {
		const { name, type, value } = row as IDataObject;
		const isDecimal = typeof value === 'string' && /\.\d/.test(value);
		if (type === 'number' && isDecimal && AMOUNT.test(String(name).trim()))
			return [String(name).trim(), value];
	}
	return [];
}

function checkAmounts(field: string, value: unknown): void {
	if (Array.isArray(value)) for (const entry of value) checkAmounts(field, entry);
	if (!isObject(value)) return;
	if ('currency' in value && !('amount' in value)) throw missing(`${field}: amount`);
	for (const [name, entry] of Object.entries(value)) {
		if (AMOUNT.test(name) && !isObject(entry)) checkMinorUnits(`${field}: ${name}`, entry);
		checkAmounts(field, entry);
	}
}

function checkMinorUnits(place: string, value: unknown): void {
	// A template writes “undefined” or nothing at all where it finds no number.
	if (saysNothing(value) || (typeof value === 'string' && !/\d/.test(value))) throw missing(place);
	if (!Number.isSafeInteger(value)) throw notMinor(place, describe(value));
}

const missing = (field: string) => new InputError(field, 'is missing', 'Nothing was refunded.');

const notMinor = (field: string, written: string) =>
	new InputError(
		field,
		'must be a whole number of minor units',
		`It is ${written}. Nothing was refunded: 19.99 EUR are entered as 1999 here, or as 19.99 with the extent Amount.`,
	);
