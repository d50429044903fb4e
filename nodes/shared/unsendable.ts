import { saysItself } from './isObject';

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
