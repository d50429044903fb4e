import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../rest/errors';
import { findUnsendable, inexactNumbers, isExact, isObject, isPlain } from './json';

/**
 * Reads one value that the user entered into the form in which it is used.
 *
 * @param field its display name, for messages
 * @throws InputError that names the field
 */
export type Reader<Value = unknown> = (field: string, value: unknown) => Value;

/**
 * Reads text of any length, exactly as it was entered. Expressions often give a number: its digits are taken.
 *
 * @throws InputError
 */
export function text(field: string, value: unknown): string {
	if (typeof value === 'number') return writtenOut(field, value);
	const date = dateText(value);
	if (date !== undefined) return date;
	if (typeof value !== 'string') throw new InputError(field, 'must be text', itIs(value));
	if (!value.isWellFormed())
		throw new InputError(field, 'is not valid Unicode text', 'Half of a character is missing.');
	return sendable(field, value) as string;
}

/** Writes a date from an expression, e.g. `$now`, as ISO text; undefined if it is no date. */
function dateText(value: unknown): string | undefined {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	const { toISO } = Object(value) as { toISO?: unknown };
	const written: unknown = typeof toISO === 'function' ? toISO.call(value) : undefined;
	return typeof written === 'string' ? written : undefined;
}

/**
 * Writes out a number.
 *
 * @throws InputError if it may have lost digits
 */
function writtenOut(field: string, value: number): string {
	const written = String(value);
	const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : /^[-\d.]+$/.test(written);
	if (isExact) return written;
	throw new InputError(
		field,
		'must be text',
		`It is the number ${written}, which may have lost digits.`,
	);
}

/**
 * Reads text that is not blank, exactly as it was entered.
 *
 * @throws InputError
 */
export function someText(field: string, value: unknown): string {
	if (optionalText(field, value) === undefined) throw new InputError(field, 'is empty');
	return text(field, value);
}

/** Far longer than any name or number that people search by. Characters, percent-encoded. */
const MAX_SEARCH_LENGTH = 2_000;

/**
 * Checks a search text, which goes into a web address.
 *
 * @throws InputError if it is too long
 */
export function searchedText(field: string, wanted: string): string {
	if (encodeURIComponent(wanted).length <= MAX_SEARCH_LENGTH) return wanted;
	throw new InputError(field, 'is too long', 'Nothing was sent. Check the expression.');
}

/**
 * Reads text that may be left empty.
 *
 * @returns the text without blanks around it; undefined if it is blank
 * @throws InputError
 */
export function optionalText(field: string, value: unknown): string | undefined {
	return saysNothing(value) ? undefined : text(field, value).trim();
}

/**
 * Reads a list of texts: an array, or one text with commas between. Empty entries are left out.
 *
 * @throws InputError
 */
export function textList(field: string, value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : listIn(text(field, value ?? ''));
	return entries.map((entry) => text(field, entry).trim()).filter((entry) => entry !== '');
}

/** The entries of a list that an expression or a cell gives as a text: as JSON, or with commas between. */
function listIn(written: string): unknown[] {
	if (/^\s*\[/.test(written))
		try {
			return JSON.parse(written) as unknown[];
		} catch {
			// No JSON: commas stand between.
		}
	return written.split(',');
}

/**
 * Reads true or false, also as yes and no or 1 and 0.
 *
 * @throws InputError
 */
export function boolean(field: string, value: unknown): boolean {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if ([true, 1, 'true', 'yes', '1'].includes(word as string)) return true;
	if ([false, 0, 'false', 'no', '0'].includes(word as string)) return false;
	throw new InputError(field, 'must be true or false', itIs(value));
}

/**
 * Reads a JSON value. A text is parsed; anything else is taken as it is.
 *
 * @throws InputError, also if JSON would drop or change something: undefined, NaN, an inexact number
 */
export function json(field: string, value: unknown): unknown {
	return sendable(field, typeof value === 'string' ? parse(field, value) : value);
}

/** @throws InputError if JSON would drop or change something of a value, or nobody wants it in a record */
function sendable(field: string, value: unknown): unknown {
	const unsendable = findUnsendable(value);
	if (unsendable === undefined) return value;
	const place = unsendable.path === '' ? field : `${field}: ${unsendable.path}`;
	throw new InputError(place, unsendable.problem, 'Nothing was sent. Check the expression.');
}

const QUOTES =
	'If it holds an expression in quotes, the text may hold quotes or line breaks itself: write {{ JSON.stringify($json.text) }} without quotes around it.';

function parse(field: string, written: string): unknown {
	let parsed: unknown;
	let problem: string | undefined;
	try {
		parsed = JSON.parse(written);
	} catch (error) {
		problem = (error as SyntaxError).message;
	}
	if (problem !== undefined)
		throw new InputError(field, 'is not valid JSON', `${problem}. ${QUOTES}`);
	const [inexact] = inexactNumbers(written);
	if (inexact === undefined) return parsed;
	throw new InputError(
		field,
		`holds ${describe(inexact)}, which no number can hold exactly`,
		'Nothing was sent. In quotes it is sent as a text.',
	);
}

/** Reads a JSON object, given as text or as an object. @throws InputError */
export function jsonObject(field: string, value: unknown): IDataObject {
	const read = json(field, value);
	if (isObject(read)) return read;
	throw new InputError(field, 'must be a JSON object', itIs(read));
}

/**
 * Reads one of a field's choices.
 *
 * @param allowed the first is the default
 * @throws InputError for any other value, which only an expression can give
 */
export function oneOf<Value>(field: string, value: unknown, allowed: readonly Value[]): Value {
	if (value === undefined || value === null) return allowed[0];
	const choice = allowed.find((allowedValue) => allowedValue === value);
	if (choice !== undefined) return choice;
	throw new InputError(field, `cannot be ${describe(value)}`, 'Choose one of the list.');
}

/**
 * Reads the rows of an n8n collection, or a plain list from an expression.
 *
 * @param group the name under which n8n keeps the rows
 * @returns undefined if nothing was entered
 * @throws InputError if it is no list of rows, since that must not pass for “no rows”, or if a row is no object
 */
export function rowsOf(field: string, value: unknown, group: string): IDataObject[] | undefined {
	if (!Array.isArray(value)) {
		if (saysNothing(value)) return undefined;
		if (!isObject(value) || !(group in value))
			throw new InputError(field, 'must be a list', itIs(value));
		const rows: unknown = value[group];
		return saysNothing(rows) ? undefined : rowsOf(field, [rows].flat(), group);
	}
	return value.map((row: unknown, index) => {
		if (isObject(row)) return row;
		throw new InputError(`${field} ${index + 1}`, 'must be an object', itIs(row));
	});
}

/** Only characters that nobody sees: blanks of any kind, also no-break ones, and characters without a width. */
const BLANK = /^[\s\u180e\u200b-\u200d\u2060\ufeff]*$/;

/**
 * Whether a value says nothing: no value, a blank text, an empty list, or an object without fields. Such a value is
 * never sent.
 */
export function saysNothing(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return BLANK.test(value);
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) && Object.keys(value).length === 0;
}

/**
 * Reads a whole number that JSON carries exactly. A text may have zeros after the point, as in “12.0”, but not
 * three of them: “1.000” is one in some countries, and a thousand in others.
 *
 * @param min smallest number allowed
 * @param max largest number allowed
 * @throws InputError
 */
export function wholeNumber(
	field: string,
	value: unknown,
	min = Number.MIN_SAFE_INTEGER,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const read = numberOf(value, DIGITS);
	if (Number.isSafeInteger(read) && read >= min && read <= max) return read;
	throw new InputError(field, `must be a whole number${bounds(min, max)}`, itIs(value));
}

/**
 * Reads any whole number that JSON carries exactly, also a negative one. As a {@link Reader} it ignores further
 * arguments.
 */
export const integer: Reader<number> = (field, value) => wholeNumber(field, value);

const DIGITS = /^[+-]?\d+(?:\.0{1,2}|\.0{4,})?$/;

function bounds(min: number, max: number): string {
	if (min === Number.MIN_SAFE_INTEGER) return '';
	return max === Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

/**
 * Reads a number that JavaScript holds exactly, also as decimal text. “1.000” may be a thousand, see {@link wholeNumber}.
 *
 * @throws InputError
 */
export function number(field: string, value: unknown): number {
	const read = numberOf(value);
	if (typeof value === 'string' && /^[-+]?[1-9]\d{0,2}\.000$/.test(value.trim()))
		throw new InputError(field, 'may be meant as a thousand', itIs(value));
	if (!Number.isFinite(read)) throw new InputError(field, 'must be a number', itIs(value));
	if (isExact(String(value))) return read;
	throw new InputError(field, 'has more digits than a number can hold exactly', itIs(value));
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** @returns NaN if it is no number in decimal digits */
function numberOf(value: unknown, form = DECIMAL): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && form.test(value.trim()) ? Number(value) : Number.NaN;
}

/** Reads a whole number from an answer, where it may be a text; undefined if it is anything else, or below 0. */
export function wholeOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}

/** Describes a value, short enough for a message. */
export function describe(value: unknown): string {
	const written = writtenAs(value);
	return written.length > 80 ? `${written.slice(0, 80)}…` : written;
}

/** Describes a value in a sentence. */
export const itIs = (value: unknown) => `It is ${describe(value)}.`;

function writtenAs(value: unknown): string {
	if (value === '') return 'empty';
	if (typeof value !== 'string' && (typeof value !== 'object' || value === null || !isPlain(value)))
		return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		return 'something that JSON cannot hold';
	}
}
