import type { IDataObject } from 'n8n-workflow';

/** Every whole number with fewer digits is exact. */
const LONG_NUMBER_DIGITS = 16;

/** A text without such a run of digits is only searched for one. */
const MAY_HOLD_LONG_NUMBER = /(?:^|[\s:,[-])\d{16}/;

/**
 * The tokens of a JSON text that matter here: texts, to skip them, and numbers. No number is a name. A text that is not
 * closed is one token too, or each quotation mark in it would be tried again.
 */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.?[^"\\]*)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/gs;

/**
 * Parses JSON as `JSON.parse` does, but loses no digit: a whole number beyond ±(2^53 − 1) becomes a text with
 * its digits. A text without a run of 16 digits is only searched for one.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
	if (!MAY_HOLD_LONG_NUMBER.test(text)) return JSON.parse(text);
	const quoted = text.replace(TEXT_OR_NUMBER, (token) =>
		isLongNumber(token) ? `"${token.replace(/\.0+$/, '')}"` : token,
	);
	return JSON.parse(quoted) as unknown;
}

/** Whether it is a whole number, also one written with a point, that a JavaScript number does not hold. */
const isLongNumber = (token: string): boolean =>
	/^-?[1-9]\d{15,}(?:\.0+)?$/.test(token) && !Number.isSafeInteger(Number(token));

/** The numbers of a JSON text that a JavaScript number does not hold exactly, as they are written. Infinite ones are left to `findUnsendable`. */
export function inexactNumbers(text: string): string[] {
	const tokens = text.match(TEXT_OR_NUMBER) ?? [];
	return tokens.filter((token) => {
		if (token[0] === '"') return false;
		// Fewer digits are always exact, unless an exponent makes them too small.
		const isShort = token.length < LONG_NUMBER_DIGITS && !/e/i.test(token);
		return !isShort && !isExact(token) && Number.isFinite(Number(token));
	});
}

/** A number with more digits is never taken for exact, so that no text keeps the patterns below busy. Characters. */
const MAX_NUMBER_LENGTH = 400;

/** Whether a JavaScript number is just what is written, in decimal digits: the same ones at the same place. */
export function isExact(written: string): boolean {
	if (written.length > MAX_NUMBER_LENGTH) return false;
	const read = Number(written);
	if (Number.isInteger(read) && !Number.isSafeInteger(read)) return false;
	// Most long numbers: a whole one that is held at all is held exactly.
	if (Number.isInteger(read) && /^-?\d+(?:\.0+)?$/.test(written)) return true;
	return digitsOf(written) === digitsOf(String(read));
}

/** The digits of a decimal and their place, e.g. `5e0` of `+00.50`; nothing of zero. The sign is left out. */
function digitsOf(decimal: string): string {
	const [mantissa, exponent] = decimal.trim().toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	const digits = (whole + fraction).replace(/[+-]?0*/, '');
	const significant = digits.replace(/0+$/, '');
	return significant && `${significant}e${Number(exponent ?? 0) + digits.length - fraction.length}`;
}

/** Whether a value is a JSON object: not a list, null, or a date. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !saysItself(value);
}

/** Whether a value is a list, and every entry a JSON object. */
export const isListOfObjects = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isObject);

/** Whether it says by itself what it is in JSON, as dates do. A parsed record may have a field of that name. */
function saysItself(value: object): value is { toJSON(): unknown } {
	return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Whether an object has a field of its own: `in` finds `toString` and `constructor` in every object. */
export function hasField(value: object, name: string): boolean {
	return Object.prototype.hasOwnProperty.call(value, name);
}

/** Deeper than any body of this API; `JSON.stringify` overflows its stack at some thousands. Levels. */
export const MAX_DEPTH = 200;

/**
 * Finds what JSON would drop or change in silence: undefined, NaN, infinite and inexact numbers, and whatever is
 * no JSON at all.
 *
 * @param depth levels above it
 * @returns where the first such value stands, e.g. `variants[0].prices[0].amount`, empty for the value itself, and the
 *   end of a sentence that starts with that; undefined if everything arrives as it is
 */
export function findUnsendable(
	value: unknown,
	depth = 0,
): { path: string; problem: string } | undefined {
	const problem = depth > MAX_DEPTH ? 'is nested too deeply' : problemOf(value);
	if (problem !== undefined) return { path: '', problem };
	// A date says by itself what it is in JSON.
	if (typeof value !== 'object' || value === null || saysItself(value)) return undefined;
	// By number, so that the holes of a list are seen.
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

/** What takes the place of the API key wherever it would be shown. */
export const KEY_PLACEHOLDER = '[API key]';

/** What nobody enters as a text, and how it came there. */
const NOT_ENTERED: ReadonlyArray<readonly [text: string, origin: string]> = [
	['[object Object]', 'an expression has put an object where a text is wanted'],
	[KEY_PLACEHOLDER, 'it stands where the API key was taken out when the record was read'],
];

/** What of a text nobody can have entered, and how it came there; undefined if there is nothing. */
export const notEntered = (text: string): { part: string; origin: string } | undefined => {
	const mark = NOT_ENTERED.find(([part]) => text.includes(part));
	return mark && { part: mark[0], origin: mark[1] };
};

function problemOf(value: unknown): string | undefined {
	if (value === undefined) return 'is undefined';
	if (typeof value === 'string') {
		const problem = notEntered(value);
		return problem && `holds “${problem.part}”: ${problem.origin}`;
	}
	if (typeof value === 'number' && !Number.isFinite(value))
		return `is ${value}, which is no number`;
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return 'has more digits than a number holds exactly; enter it as a text';
	}
	if (typeof value === 'object' && value !== null) return problemOfObject(value);
	return ['bigint', 'function', 'symbol'].includes(typeof value) ? 'is not JSON' : undefined;
}

/** JSON makes null of an invalid date, and an empty object of a map, an error or a pattern. */
function problemOfObject(value: object): string | undefined {
	if (saysItself(value))
		return (value.toJSON() ?? undefined) === undefined ? 'is not a valid date' : undefined;
	const isPlain = Array.isArray(value) || Object.prototype.toString.call(value) === OBJECT;
	return isPlain ? undefined : 'is not JSON';
}

/** What every realm calls an object of fields. */
const OBJECT = '[object Object]';
