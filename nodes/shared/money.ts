import { currencyExponent } from './currencies';
import { ExactNumber } from './exactJson';
import { InputError } from './input/inputError';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * Reads a currency that the user entered.
 *
 * @param field display name
 * @returns its ISO 4217 code, in upper case
 * @throws InputError for anything that is no currency with a minor unit
 */
export function readCurrency(field: string, value: unknown): string {
	const code = readCurrencyCode(field, value);
	if (currencyExponent(code) !== undefined) return code;
	throw new InputError(
		field,
		'is not a currency',
		`ISO 4217 gives ${code} no decimals to convert by. Check the code, or enter amounts in minor units, which need no conversion.`,
	);
}

/**
 * The same for an amount in minor units, which needs no conversion: the code may be one that is not known here.
 *
 * @throws InputError unless it is three letters
 */
export function readCurrencyCode(field: string, value: unknown): string {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	if (/^[A-Z]{3}$/.test(code)) return code;
	throw new InputError(
		field,
		'is not a currency',
		`Enter a three-letter code of ISO 4217, e.g. EUR. It is ${JSON.stringify(value)}.`,
	);
}

/**
 * Reads an amount with its currency.
 *
 * @param fields display names
 * @param unit in which the amount was entered
 * @returns as the API has it, in minor units
 * @throws InputError
 */
export function readMoney(
	fields: { amount: string; currency: string },
	entered: { amount?: unknown; currency?: unknown },
	unit: 'major' | 'minor',
): { amount: number; currency: string } {
	if (unit === 'minor') {
		const currency = readCurrencyCode(fields.currency, entered.currency);
		return { amount: readMinorUnits(fields.amount, entered.amount), currency };
	}
	const currency = readCurrency(fields.currency, entered.currency);
	return { amount: majorToMinor(fields.amount, entered.amount, currency), currency };
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
			'E.g. 1999 for 19.99 EUR. To enter 19.99, say that amounts are in major units.',
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
 * Whether an amount in major units is the same as one in minor units.
 *
 * @param major a number, or decimal text
 * @param minorUnits integer
 * @param currency ISO 4217 code
 */
export function sameAmount(major: unknown, minorUnits: number, currency: string): boolean {
	try {
		return majorToMinor('', major, currency) === minorUnits;
	} catch {
		return false;
	}
}

/** The digits of a decimal, without zeros that say nothing at its end. */
function decimalOf(field: string, value: unknown) {
	const isNumber = typeof value === 'number' || value instanceof ExactNumber;
	const text = isNumber ? String(value) : typeof value === 'string' ? value.trim() : '';
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
