import type { IDataObject } from 'n8n-workflow';

import { InputError } from './inputError';

/**
 * Reads one value that the user entered into the form in which it is used.
 *
 * @param field its display name, for messages
 * @throws InputError that names the field
 */
export type Reader<Value = unknown> = (field: string, value: unknown) => Value;

/**
 * Text of any length. A number is written out, since expressions often give one.
 *
 * @throws InputError
 */
export function text(field: string, value: unknown): string {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'string') return value;
	throw new InputError(field, 'must be text', `It is ${describe(value)}.`);
}

/**
 * Text that says something, without the blanks around it.
 *
 * @throws InputError
 */
export function someText(field: string, value: unknown): string {
	const said = optionalText(field, value);
	if (said === undefined) throw new InputError(field, 'is empty');
	return said;
}

/**
 * Text that may be left empty.
 *
 * @returns without the blanks around it; undefined where nothing is left
 * @throws InputError
 */
export function optionalText(field: string, value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	const said = text(field, value).trim();
	return said === '' ? undefined : said;
}

/** Text, or null where the user clears the field. */
export function textOrNull(field: string, value: unknown): string | null {
	return value === null ? null : text(field, value);
}

/**
 * A list of texts: an array, or one text with commas between. Empty entries are left out.
 *
 * @throws InputError
 */
export function textList(field: string, value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : text(field, value ?? '').split(',');
	return entries.map((entry) => text(field, entry).trim()).filter((entry) => entry !== '');
}

/**
 * A whole number that JSON carries exactly.
 *
 * @param min smallest and largest number allowed
 * @throws InputError
 */
export function wholeNumber(
	field: string,
	value: unknown,
	min = Number.MIN_SAFE_INTEGER,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const number = numberOf(value);
	if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
	throw new InputError(
		field,
		`must be a whole number${bounds(min, max)}`,
		`It is ${describe(value)}.`,
	);
}

/** A whole number of any size that JSON carries exactly, negative ones too. */
export function integer(field: string, value: unknown): number {
	return wholeNumber(field, value);
}

function bounds(min: number, max: number): string {
	if (min === Number.MIN_SAFE_INTEGER) return '';
	return max === Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

/**
 * A number.
 *
 * @throws InputError
 */
export function number(field: string, value: unknown): number {
	const read = numberOf(value);
	if (Number.isFinite(read)) return read;
	throw new InputError(field, 'must be a number', `It is ${describe(value)}.`);
}

/** @returns NaN for whatever is no number */
function numberOf(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/**
 * True or false, also as text.
 *
 * @throws InputError
 */
export function boolean(field: string, value: unknown): boolean {
	const said = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (said === true || said === 'true') return true;
	if (said === false || said === 'false') return false;
	throw new InputError(field, 'must be true or false', `It is ${describe(value)}.`);
}

/**
 * A JSON value: parsed where it is text, taken as it is otherwise.
 *
 * @throws InputError
 */
export function json(field: string, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const { parsed, problem } = parse(value);
	if (problem !== undefined) throw new InputError(field, 'is not valid JSON', problem);
	return parsed;
}

function parse(written: string): { parsed?: unknown; problem?: string } {
	try {
		return { parsed: JSON.parse(written) as unknown };
	} catch (error) {
		return { problem: error instanceof Error ? error.message : 'It cannot be read.' };
	}
}

/** A JSON object, as text or as it is. */
export function jsonObject(field: string, value: unknown): IDataObject {
	const read = json(field, value);
	if (isObject(read)) return read;
	throw new InputError(field, 'must be a JSON object', `It is ${describe(read)}.`);
}

/** What a value is, short enough for a message. */
export function describe(value: unknown): string {
	const written = JSON.stringify(value) ?? String(value);
	return written.length > 80 ? `${written.slice(0, 80)}…` : written;
}

/** Whether it is a JSON object, not a list or null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
