import { digitsOf } from '../decimalDigits';
import { itIs } from './describe';
import { InputError } from './inputError';

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
	const read = numberOf(value);
	const isWhole = Number.isSafeInteger(read) && isExact(value, read);
	if (isWhole && read >= min && read <= max) return read;
	throw new InputError(field, `must be a whole number${bounds(min, max)}`, itIs(value));
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
 * A number that JavaScript holds exactly, also as decimal text.
 *
 * @throws InputError
 */
export function number(field: string, value: unknown): number {
	const read = numberOf(value);
	if (!Number.isFinite(read)) throw new InputError(field, 'must be a number', itIs(value));
	if (isExact(value, read)) return read;
	throw new InputError(field, 'has more digits than a number can hold exactly', itIs(value));
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** @returns NaN for whatever is not a number in decimal digits */
function numberOf(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : Number.NaN;
}

/** Whether a number is just what was entered: the same digits at the same place. */
function isExact(entered: unknown, read: number): boolean {
	if (Number.isInteger(read) && !Number.isSafeInteger(read)) return false;
	return digitsOf(String(entered)) === digitsOf(String(read));
}
