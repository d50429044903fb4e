import { InputError } from './input/inputError';
import { currencyExponent } from './currencies';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * Reads a currency that the user entered.
 *
 * @param field display name
 * @returns its ISO 4217 code, in upper case
 * @throws InputError for anything that is no currency with a minor unit
 */
export function readCurrency(field: string, value: unknown): string {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	if (currencyExponent(code) !== undefined) return code;
	throw new InputError(
		field,
		'is not a currency',
		`Enter a three-letter code of ISO 4217, e.g. EUR. It is ${JSON.stringify(value)}.`,
	);
}

/**
 * Reads an amount given in minor units.
 *
 * @param field display name
 * @returns integer, minor units
 * @throws InputError unless it is a whole number that JSON can carry exactly
 */
export function readMinorUnits(field: string, value: unknown): number {
	const { sign, whole, fraction } = decimalOf(field, value);
	if (fraction !== '') {
		throw new InputError(
			field,
			'must be a whole number of minor units',
			'E.g. 1999 for 19.99 EUR. To enter 19.99, switch on the option “Amounts in Major Units”.',
		);
	}
	return toInteger(field, sign + whole);
}

/**
 * Reads an amount given in major units, exactly: it works on digits, never on floating point.
 *
 * @param field display name
 * @param value e.g. `"19.99"`; a number counts as the decimal that it is written as
 * @param currency ISO 4217 code as `readCurrency` gives it
 * @returns integer, minor units
 * @throws InputError when it is no decimal, or finer than the currency's minor unit
 */
export function majorToMinor(field: string, value: unknown, currency: string): number {
	const exponent = currencyExponent(currency);
	if (exponent === undefined) throw new InputError('Currency', 'is not a currency');
	const { sign, whole, fraction } = decimalOf(field, value);
	if (fraction.length > exponent) {
		throw new InputError(
			field,
			`is too precise for ${currency}, which has ${exponent === 0 ? 'no decimals' : `${exponent} decimals`}`,
			`It is ${JSON.stringify(value)}. Round it first, in the way that your books do.`,
		);
	}
	return toInteger(field, sign + whole + fraction.padEnd(exponent, '0'));
}

/**
 * Writes an amount in major units.
 *
 * @param minorUnits integer
 * @param currency ISO 4217 code
 * @returns e.g. `"19.99"`, with all digits of the currency; undefined where the currency or amount is none
 */
export function minorToMajor(minorUnits: unknown, currency: unknown): string | undefined {
	const exponent = typeof currency === 'string' ? currencyExponent(currency) : undefined;
	if (exponent === undefined || !Number.isSafeInteger(minorUnits)) return undefined;
	const digits = String(Math.abs(minorUnits as number)).padStart(exponent + 1, '0');
	const sign = (minorUnits as number) < 0 ? '-' : '';
	if (exponent === 0) return sign + digits;
	return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Puts `decimal` beside every `{ amount, currency }`, at any depth. Masked and unknown values stay as they are.
 *
 * @returns a copy; what it was given is not changed
 */
export function withDecimals<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(withDecimals) as T;
	const copy = { ...value } as Record<string, unknown>;
	for (const name of Object.keys(copy)) copy[name] = withDecimals(copy[name]);
	const decimal = minorToMajor(copy.amount, copy.currency);
	if (decimal !== undefined) copy.decimal = decimal;
	return copy as T;
}

/** The digits of a decimal, without zeros that say nothing at its end. */
function decimalOf(field: string, value: unknown) {
	const text =
		typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
	const match = DECIMAL.exec(text);
	if (match === null) {
		const said = value === '' || value === undefined ? 'is empty' : 'is not an amount';
		throw new InputError(
			field,
			said,
			'Enter digits, with a point before the decimals and nothing between thousands.',
		);
	}
	const [, sign, whole, fraction = ''] = match;
	return { sign: sign === '-' ? '-' : '', whole, fraction: fraction.replace(/0+$/, '') };
}

function toInteger(field: string, digits: string): number {
	const integer = Number(digits);
	if (!Number.isSafeInteger(integer)) throw new InputError(field, 'is too large');
	// No negative zero: JSON would lose its sign, comparisons would not.
	return integer === 0 ? 0 : integer;
}
