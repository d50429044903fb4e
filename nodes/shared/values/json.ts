import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

/**
 * A number in a JSON text that a JavaScript number does not hold exactly, or would write in another way.
 * `stringifyExactly` writes its digits as they are.
 */
export class ExactNumber {
	constructor(readonly digits: string) {}

	/** The digits as a text for everyone but `stringifyExactly`: the mark never leaves this file. */
	toJSON(): string {
		return isMarking ? `${MARK}${this.digits}` : this.digits;
	}

	toString(): string {
		return this.digits;
	}
}

/** Whether `stringifyExactly` is at work. */
let isMarking = false;

/** Unknown outside this file, so that no text of a merchant's can be taken for a number. */
const MARK = `exact-number-${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}([-+.\\deE]+)"`, 'g');

/** Every number with fewer digits is exact. */
const LONG_NUMBER_DIGITS = 16;

/** What may stand before a number in a JSON text. */
const BEFORE_NUMBER = /[\s:,[-]/;

/** The tokens of a JSON text that matter here: texts, to skip them, and numbers. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * Parses JSON as `JSON.parse` does, but loses no digit: a whole number beyond ±(2^53 − 1) becomes a text with
 * its digits. A text without a run of 16 digits is only searched for one.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
	return parseWith(text, (digits) => `"${wholeDigits(digits)}"`);
}

/**
 * The same for a JSON text that the user entered and that is to be sent: such numbers become `ExactNumber`, which
 * `stringifyExactly` sends digit for digit.
 *
 * @throws SyntaxError
 */
export function parseForSending(text: string): unknown {
	const parsed = parseWith(text, (digits) => `"${MARK}${digits}"`);
	return text.includes(MARK) || holdsLongNumber(text) ? revive(parsed) : parsed;
}

/**
 * The same for a JSON text of the platform of which parts are to be sent back as they are: so are all numbers that
 * a JavaScript number would write in another way, e.g. `1.10`.
 *
 * @throws SyntaxError
 */
export function parseForReturn(text: string): unknown {
	JSON.parse(text);
	const quoted = text.replace(TEXT_OR_NUMBER, (token) =>
		isText(token) || String(Number(token)) === token ? token : `"${MARK}${token}"`,
	);
	return revive(JSON.parse(quoted));
}

function parseWith(text: string, quote: (digits: string) => string): unknown {
	const plain = JSON.parse(text) as unknown;
	if (!holdsLongNumber(text)) return plain;
	const quoted = text.replace(TEXT_OR_NUMBER, (token) => (isInexact(token) ? quote(token) : token));
	return JSON.parse(quoted) as unknown;
}

/**
 * Whether a text may hold a number of 16 digits or more. Whatever is that long covers one of every 16 places, so only
 * those are looked at.
 */
function holdsLongNumber(text: string): boolean {
	for (let at = 0; at < text.length; at += LONG_NUMBER_DIGITS) {
		if (!isDigit(text.charCodeAt(at))) continue;
		let start = at;
		while (isDigit(text.charCodeAt(start - 1))) start--;
		let end = at;
		while (isDigit(text.charCodeAt(end))) end++;
		const isLong = end - start >= LONG_NUMBER_DIGITS;
		if (isLong && (start === 0 || BEFORE_NUMBER.test(text[start - 1]))) return true;
		at = end;
	}
	return false;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The numbers of a JSON text, as they are written. */
export function numbersIn(text: string): string[] {
	return (text.match(TEXT_OR_NUMBER) ?? []).filter((token) => !isText(token));
}

const isText = (token: string): boolean => token[0] === '"';

/** Whether it is a whole number, also one written with a point, that a JavaScript number does not hold. */
function isInexact(token: string): boolean {
	return /^-?\d{16,}(?:\.0+)?$/.test(token) && !Number.isSafeInteger(Number(token));
}

const isSafe = (number: number): boolean =>
	!Number.isInteger(number) || Number.isSafeInteger(number);

/** The digits of a whole number without the zeros behind its point. */
const wholeDigits = (token: string): string => token.replace(/\.0+$/, '');

/** Puts `ExactNumber` in the place of each marked text. */
const revive = (root: unknown): unknown =>
	withEach(root, (value) =>
		typeof value === 'string' && value.startsWith(MARK)
			? new ExactNumber(value.slice(MARK.length))
			: value,
	);

/**
 * A value for those who read it, in items and messages: each `ExactNumber` is a number where that says the same, and
 * a text with its digits where it does not.
 *
 * @returns a copy; what it was given is not changed
 */
export function readable<T>(value: T): T {
	return withEach(value, (one) => {
		if (one instanceof ExactNumber) return plainNumber(one.digits);
		if (!isContainer(one) || saysItself(one)) return one;
		return Array.isArray(one) ? [...(one as unknown[])] : { ...one };
	}) as T;
}

/** The digits as `parseExactly` gives them, or as a text where a number would be rounded. */
function plainNumber(digits: string): number | string {
	const number = Number(digits);
	const isExact = isExactDecimal(digits) && Number.isFinite(number);
	return isExact && isSafe(number) ? number : wholeDigits(digits);
}

/**
 * Puts in the place of each value, at any depth, what is made of it. A list of what is left, since the answer may be
 * nested deeper than the stack is.
 *
 * @param root changed, but for what is replaced
 */
function withEach(root: unknown, replace: (value: unknown) => unknown): unknown {
	const top: Container = { root };
	const open = [top];
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		for (const [key, value] of Object.entries(at)) {
			const now = replace(value);
			if (now !== value) at[key] = now;
			if (isContainer(now) && !saysItself(now)) open.push(now);
		}
	}
	return top.root;
}

type Container = Record<string, unknown>;

const isContainer = (value: unknown): value is Container =>
	typeof value === 'object' && value !== null;

/** `JSON.stringify`, with the digits of every `ExactNumber`. The value is one that `findUnsendable` lets through. */
export function stringifyExactly(value: unknown): string {
	isMarking = true;
	let text: string;
	try {
		text = JSON.stringify(value);
	} finally {
		isMarking = false;
	}
	return text.includes(MARK) ? text.replace(MARKED, '$1') : text;
}

/** Whether a value is a JSON object: not a list, null, a date, or an exact number. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !saysItself(value);
}

/** Whether it says by itself what it is in JSON, as dates do. A parsed record may have a field of that name. */
export function saysItself(value: object): value is { toJSON(): unknown } {
	return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Whether an object has a field of its own: `in` finds `toString` and `constructor` in every object. */
export function hasField(value: object, name: string): boolean {
	return Object.prototype.hasOwnProperty.call(value, name);
}

/** Deeper than any body of this API; `JSON.stringify` overflows its stack at some thousands. Levels. */
export const MAX_DEPTH = 200;

/** Why a value cannot be sent as it is. */
export interface Unsendable {
	/** Where it stands, e.g. `variants[0].prices[0].amount`; empty for the value itself. */
	path: string;
	/** The end of a sentence that starts with the path. */
	problem: string;
}

/**
 * Finds what JSON would drop or change in silence: undefined, NaN, infinite and inexact numbers, and whatever is
 * no JSON at all.
 *
 * @returns the first such value; undefined where everything arrives as it is
 */
export function findUnsendable(value: unknown): Unsendable | undefined {
	const found = search(value, 0);
	if (found === undefined) return undefined;
	let path = '';
	for (const key of found.keys.reverse())
		path += typeof key === 'number' ? `[${key}]` : path === '' ? key : `.${key}`;
	return { path, problem: found.problem };
}

interface Found {
	/** The way to it, the last step first. */
	keys: Array<string | number>;
	problem: string;
}

function search(value: unknown, depth: number): Found | undefined {
	const problem = depth > MAX_DEPTH ? 'is nested too deeply' : problemOf(value);
	if (problem !== undefined) return { keys: [], problem };
	// A date, or a number of our own, says by itself what it is in JSON.
	if (typeof value !== 'object' || value === null || saysItself(value)) return undefined;
	const isList = Array.isArray(value);
	// By number, so that the holes of a list are seen.
	const keys = isList ? value.keys() : Object.keys(value);
	for (const key of keys) {
		const found = search((value as Record<string | number, unknown>)[key], depth + 1);
		if (found === undefined) continue;
		found.keys.push(key);
		return found;
	}
	return undefined;
}

function problemOf(value: unknown): string | undefined {
	if (value === undefined) return 'is undefined';
	if (typeof value === 'number' && !Number.isFinite(value))
		return `is ${value}, which is no number`;
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return 'has more digits than a number holds exactly; enter it as JSON text or as a text';
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

/** Whether a number of a JSON text is one that a JavaScript number holds exactly; whole ones are looked at elsewhere. */
export function isExactDecimal(token: string): boolean {
	return /^-?\d+$/.test(token) || digitsOf(token) === digitsOf(String(Number(token)));
}

/** The digits of a decimal and their place, e.g. `5e0` of `+00.50`; nothing of zero. The sign is left out. */
export function digitsOf(decimal: string): string {
	const [mantissa, exponent] = decimal.trim().toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	const digits = (whole + fraction).replace(/[+-]?0*/, '');
	const significant = digits.replace(/0+$/, '');
	return significant && `${significant}e${Number(exponent ?? 0) + digits.length - fraction.length}`;
}
