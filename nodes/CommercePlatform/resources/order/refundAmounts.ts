import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { isObject } from '../../../shared/values/json';
import { rowsOf, saysNothing } from '../../../shared/values/readers';
import type { Item } from '../../fields/field';

/** A name that an amount has. */
const AMOUNT = /amount$/i;

/** An amount in a JSON text that is written with decimals, like 10.00, of which the parsed number shows nothing. */
const DECIMAL_IN_JSON = /"([^"]*amount)"\s*:\s*(-?\d+\.\d+)/i;

/**
 * Checks the amounts of a refund's own fields: each has a value, and is in minor units (API document,
 * "Conventions"). An expression that finds no amount gives nothing, or leaves it out; a platform may then refund
 * everything.
 *
 * @param field display name of what holds them
 * @throws InputError that names the amount
 */
export function checkAmounts(
	item: Item,
	{ field, body }: { field: string; body: IDataObject },
): void {
	checkPresence(field, body);
	checkUnits(field, body);
	const [name, written] = writtenWithDecimals(item) ?? [];
	if (written !== undefined) throw notMinor(`${field}: ${name}`, written);
}

function checkPresence(field: string, value: unknown): void {
	if (Array.isArray(value)) for (const entry of value) checkPresence(field, entry);
	if (!isObject(value)) return;
	if ('currency' in value && !('amount' in value)) throw missing(`${field}: amount`);
	for (const [name, entry] of Object.entries(value)) {
		if (/amount/i.test(name) && saysNoAmount(entry)) throw missing(`${field}: ${name}`);
		checkPresence(field, entry);
	}
}

function checkUnits(field: string, value: unknown): void {
	if (Array.isArray(value)) for (const entry of value) checkUnits(field, entry);
	if (!isObject(value)) return;
	for (const [name, entry] of Object.entries(value)) {
		if (AMOUNT.test(name) && typeof entry === 'number' && !Number.isInteger(entry))
			throw notMinor(`${field}: ${name}`, String(entry));
		checkUnits(field, entry);
	}
}

/** The name and the digits of a whole amount that was entered with decimals, as 10.00: major units were meant. */
function writtenWithDecimals(item: Item): [string, string] | undefined {
	const json: unknown = item.parameter('json', '');
	const isJson = item.parameter('specifyFields', '') === 'json';
	if (isJson) {
		const [, name, written] = (typeof json === 'string' && DECIMAL_IN_JSON.exec(json)) || [];
		return name === undefined ? undefined : [name, written];
	}
	for (const row of rowsOf('Fields', item.parameter('fields', {}), 'field') ?? []) {
		const { name, type, value } = row as IDataObject;
		const isDecimal = typeof value === 'string' && /\.\d/.test(value);
		if (type === 'number' && isDecimal && AMOUNT.test(String(name).trim()))
			return [String(name).trim(), value];
	}
	return undefined;
}

/** A template writes “undefined” or nothing at all where it finds no number. */
const saysNoAmount = (value: unknown): boolean =>
	saysNothing(value) || (typeof value === 'string' && !/\d/.test(value));

const missing = (field: string) => new InputError(field, 'is missing', 'Nothing was refunded.');

const notMinor = (field: string, written: string) =>
	new InputError(
		field,
		'must be a whole number of minor units',
		`It is ${written}. Nothing was refunded: 19.99 EUR are entered as 1999 here, or as 19.99 with the extent Amount.`,
	);
