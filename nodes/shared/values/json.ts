import type { IDataObject } from 'n8n-workflow';

import { oncePerName } from './maps';

/** A whole number with fewer digits is always exact. */
const LONG_NUMBER_DIGITS = 16;

/**
 * Matches texts, to skip them, and numbers. A number before a colon does not count: in quotes it would become a name. A
 * text without an end is one token too; otherwise each quotation mark in it would be tried again.
 */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.?[^"\\]*)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/gs;

/**
 * The numbers in a JSON text that a JavaScript number cannot hold exactly, as they are written. Infinite ones are left
 * to `findUnsendable`.
 */
export function inexactNumbers(text: string): string[] {
	const tokens = text.match(TEXT_OR_NUMBER) ?? [];
	return tokens.filter((token) => {
		if (token[0] === '"') return false;
		// A short number is always exact, unless its exponent makes it too small.
		const isShort = token.length < LONG_NUMBER_DIGITS && !/e/i.test(token);
		return !isShort && !isExact(token) && Number.isFinite(Number(token));
	});
}

/** A longer number never counts as exact, so that no text keeps the patterns below busy. Characters. */
const MAX_NUMBER_LENGTH = 400;

/** Whether a JavaScript number has the same decimal digits, at the same places, as the written number. */
export function isExact(written: string): boolean {
	if (written.length > MAX_NUMBER_LENGTH) return false;
	const read = Number(written);
	if (Number.isInteger(read) && !Number.isSafeInteger(read)) return false;
	return exactDigits(written) === exactDigits(String(read));
}

/** The digits of a decimal and their place, e.g. `5e0` for `+00.50`; empty for zero. The sign is left out. */
function exactDigits(decimal: string): string {
	const [mantissa, exponent] = decimal.trim().toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	const digits = (whole + fraction).replace(/[+-]?0*/, '');
	const significant = digits.replace(/0+$/, '');
	return significant && `${significant}e${Number(exponent ?? 0) + digits.length - fraction.length}`;
}

/** Whether a value is a JSON object: no list, null, date, map or error. */
export function isObject(value: unknown): value is IDataObject {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!hasToJson(value) &&
		hasFields(value)
	);
}

/** Whether an object is one of fields: no list, date, map, pattern or error. */
const hasFields = (value: object): boolean =>
	Object.prototype.toString.call(value) === OBJECT_AS_TEXT;

/** Whether a value is a list, and every entry a JSON object. */
export const isListOfObjects = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isObject);

/** The entries of a list that are objects; none if the value is no list. */
export const objectsIn = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter((entry): entry is IDataObject => isObject(entry)) : [];

/** Whether a value has `toJSON`, as dates do. A parsed record may have a field of that name, which is no function. */
function hasToJson(value: object): value is { toJSON(): unknown } {
	return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Whether an object itself has a field: `in` also finds `toString` and `constructor`, which every object inherits. */
export function hasField(value: object, name: string): boolean {
	return Object.prototype.hasOwnProperty.call(value, name);
}

/** Deeper than any body of this API. `JSON.stringify` overflows its stack at some thousands of levels. */
export const MAX_DEPTH = 200;

/**
 * Finds a value that JSON would drop or change silently: undefined, NaN, infinite and inexact numbers, and whatever is
 * no JSON; and a text that nobody wants in a record.
 *
 * @param depth levels above the value
 * @returns where the first such value is, e.g. `variants[0].prices[0].amount`, empty for the value itself; and the rest
 *   of a sentence that starts with that. Undefined if everything arrives as it is
 */
export function findUnsendable(
	value: unknown,
	depth = 0,
): { path: string; problem: string } | undefined {
	const problem = depth > MAX_DEPTH ? 'is nested too deeply' : whyUnsendable(value);
	if (problem !== undefined) return { path: '', problem };
	// A date turns itself into JSON.
	if (typeof value !== 'object' || value === null || hasToJson(value)) return undefined;
	// By index, so that gaps in a list are found.
	for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
		const unsendable = findUnsendable((value as Record<string | number, unknown>)[key], depth + 1);
		if (unsendable === undefined) continue;
		const step = typeof key === 'number' ? `[${key}]` : key;
		const path = /^(\[|$)/.test(unsendable.path)
			? `${step}${unsendable.path}`
			: `${step}.${unsendable.path}`;
		return { path, problem: unsendable.problem };
	}
	return undefined;
}

/** What an expression writes if it puts an object where a text is wanted. Nobody enters it. */
const OBJECT_AS_TEXT = '[object Object]';

/** Stands where the platform's answers had the API key. Nobody wants it in a record. */
export const KEY_PLACEHOLDER = '[API key]';

function whyUnsendable(value: unknown): string | undefined {
	if (value === undefined) return 'is undefined';
	if (typeof value === 'string') return problemOfText(value);
	if (typeof value === 'number' && !Number.isFinite(value))
		return `is ${value}, which is no number`;
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return 'has more digits than a number holds exactly; enter it as a text';
	}
	if (typeof value === 'object' && value !== null) return problemOfObject(value);
	return ['bigint', 'function', 'symbol'].includes(typeof value) ? 'is not JSON' : undefined;
}

function problemOfText(text: string): string | undefined {
	if (text.includes(OBJECT_AS_TEXT))
		return `holds “${OBJECT_AS_TEXT}”: an expression has put an object where a text is wanted`;
	return text.includes(KEY_PLACEHOLDER)
		? `holds “${KEY_PLACEHOLDER}”, which hides the API key in the shop’s own text: remove the key there first`
		: undefined;
}

/** JSON turns an invalid date into null, and a map, an error or a pattern into an empty object. */
function problemOfObject(value: object): string | undefined {
	if (hasToJson(value))
		return (value.toJSON() ?? undefined) === undefined ? 'is not a valid date' : undefined;
	return Array.isArray(value) || hasFields(value) ? undefined : 'is not JSON';
}

/** Whether a value is a list or an object that JSON carries: no map, pattern or error. */
export const isPlain = (value: object): boolean =>
	Array.isArray(value) || hasToJson(value) || hasFields(value);

/** No longer name or word is looked at, so that none keeps a pattern busy. Characters. */
const MAX_LENGTH = 100;

/** A field's name or a word in one spelling: `orderNumber`, `Order number` and `order-number` are `order_number`. */
export const snakeName = oncePerName((name) =>
	name
		.slice(0, MAX_LENGTH)
		.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '_')
		.replaceAll(/^_|_$/g, ''),
);

/** The fields with these names, in this order. One that the record lacks is left out. */
export const pick = (record: IDataObject, fields: readonly string[]): IDataObject =>
	Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);

/** Whether two values are the same in JSON, whatever the order of their names. */
export const isSame = (a: unknown, b: unknown): boolean =>
	JSON.stringify(a) === JSON.stringify(b) ||
	(typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b));

/** JSON with sorted names: what is the same may be written in another order. */
export const canonicalJson = (value: unknown): string =>
	JSON.stringify(value, (_name, part: unknown) =>
		isObject(part)
			? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);

/**
 * Takes fields of a record by their names. A name may lead into objects and lists by dots: `customer.email`.
 *
 * @param record as the platform gave it
 * @param shortened the same record by Simplify; it may have names of its own
 * @returns the fields in the form of the record, and the names that it lacks
 */
export function partsOf(
	record: IDataObject,
	shortened: IDataObject,
	names: readonly string[],
): { fields: IDataObject; missing: string[] } {
	let fields: unknown = {};
	const missing: string[] = [];
	for (const name of names) {
		const sources = hasField(record, name) ? [record] : [shortened, record];
		const source = sources.find((each) => hasField(each, name));
		const part = source === undefined ? partAt(record, name.split('.')) : { [name]: source[name] };
		if (part === undefined) missing.push(name);
		else fields = joined(fields, part);
	}
	return { fields: fields as IDataObject, missing };
}

/** The part of a value that a path leads to, with what is around it; undefined if there is none. */
function partAt(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined) return value;
	if (Array.isArray(value)) {
		const parts = value.map((entry) => partAt(entry, [name, ...rest]));
		return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? {});
	}
	if (!isObject(value) || !hasField(value, name)) return undefined;
	const part = partAt(value[name], rest);
	return part === undefined ? undefined : { [name]: part };
}

/** Joins two parts of one value. */
function joined(a: unknown, b: unknown): unknown {
	if (Array.isArray(a) && Array.isArray(b)) return a.map((entry, index) => joined(entry, b[index]));
	if (!isObject(a) || !isObject(b)) return b;
	const fields: IDataObject = { ...a };
	for (const [name, part] of Object.entries(b))
		fields[name] = (hasField(a, name) ? joined(a[name], part) : part) as IDataObject[string];
	return fields;
}
