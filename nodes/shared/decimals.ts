import type { IDataObject } from 'n8n-workflow';

import { currencyExponent } from './currencies';
import { itIs } from './input/describe';
import { InputError } from './input/inputError';
import { isObject } from './isObject';
import { minorToMajor, sameAmount } from './money';
import { MAX_DEPTH } from './unsendable';

/** How amounts are written in major units, beside what the API gives; the first is not at all. */
export const DECIMAL_FORMS = ['off', 'number', 'text'] as const;
export type DecimalForm = (typeof DECIMAL_FORMS)[number];

/**
 * Puts `decimal` beside every `{ amount, currency }`. Masked and unknown values stay as they are, and so does a
 * `decimal` that the platform gives itself, and whatever is nested deeper than any record of this API.
 *
 * @param onInexact told where a number was wanted and only text is exact
 * @param depth levels above it
 * @returns a copy; what it was given is not changed
 */
export function withDecimals<T>(value: T, form: DecimalForm, onInexact?: () => void, depth = 0): T {
	if (form === 'off' || typeof value !== 'object' || value === null || depth > MAX_DEPTH)
		return value;
	const inside = <V>(one: V) => withDecimals(one, form, onInexact, depth + 1);
	if (Array.isArray(value)) return value.map(inside) as T;
	const copy = { ...value } as Record<string, unknown>;
	for (const name of Object.keys(copy)) copy[name] = inside(copy[name]);
	const text = minorToMajor(copy.amount, copy.currency);
	if (text === undefined || 'decimal' in copy) return copy as T;
	const number = form === 'number' ? exactNumber(text) : undefined;
	if (form === 'number' && number === undefined) onInexact?.();
	copy.decimal = number ?? text;
	return copy as T;
}

/**
 * A decimal as a number.
 *
 * @returns undefined unless the number, printed, is the decimal again
 */
function exactNumber(decimal: string): number | undefined {
	const number = Number(decimal);
	const shortest = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
	return String(number) === shortest || number === 0 ? number : undefined;
}

/**
 * The same value as the API knows it: without every `decimal` that says just what `amount` and `currency` beside it
 * say. So what an operation gave can be handed to another.
 *
 * @param value is not changed
 * @param path where it stands, for messages
 * @param depth levels above it
 * @throws InputError where a `decimal` says another amount: which of the two is meant is not known
 */
export function withoutDecimals<T>(value: T, path = '', depth = 0): T {
	// What is deeper cannot be sent, and is refused where that is looked at.
	if (depth > MAX_DEPTH) return value;
	const inside = (one: unknown, step: string) => withoutDecimals(one, `${path}${step}`, depth + 1);
	if (Array.isArray(value)) return value.map((one, at) => inside(one, `[${at}]`)) as T;
	if (!isObject(value)) return value;
	const record: IDataObject = value;
	const fields = Object.entries(record).map(([name, one]) => [
		name,
		inside(one, path === '' ? name : `.${name}`),
	]);
	return Object.fromEntries(
		fields.filter(([name]) => name !== 'decimal' || !isOurs(record, path)),
	) as T;
}

function isOurs({ decimal, amount, currency }: IDataObject, path: string): boolean {
	const code = typeof currency === 'string' ? currency.trim().toUpperCase() : '';
	const said = typeof decimal === 'number' || typeof decimal === 'string' ? decimal : '';
	const isMoney = currencyExponent(code) !== undefined && Number.isSafeInteger(amount);
	if (!isMoney || String(said).trim() === '' || !Number.isFinite(Number(said))) return false;
	if (sameAmount(said, amount as number, code)) return true;
	throw new InputError(
		path === '' ? 'decimal' : `${path}.decimal`,
		'is another amount than the one beside it',
		`${itIs(said)} Nothing was sent. Change “amount”, which is in minor units, and leave “decimal” out.`,
	);
}
