import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../rest/errors';
import { itIs } from './readers';
import { hasField, isObject, MAX_DEPTH } from './json';

/**
 * The currencies of ISO 4217, by the number of digits after the decimal point. Minor units follow from it (API
 * document, "Conventions": amounts are integers in minor units). Currencies that were withdrawn lately are kept, since
 * old orders have them. Codes for metals, baskets and tests have no minor unit and are left out.
 */
const CODES_BY_EXPONENT: Readonly<Record<number, string>> = {
	0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
	2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
		CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
		GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD
		MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
		RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
		USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL`,
	3: 'BHD IQD JOD KWD LYD OMR TND',
	4: 'CLF UYW',
};

/**
 * The number of digits after the decimal point, by currency code in upper case. A code without a minor unit in ISO 4217
 * is not in it.
 */
const EXPONENTS: ReadonlyMap<string, number> = new Map(
	Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
		codes.split(/\s+/).map((code) => [code, Number(exponent)] as const),
	),
);

const PLAIN_DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** No amount is longer, so that no text keeps the patterns here busy. Characters. */
const MAX_AMOUNT_LENGTH = 100;

/** The number of digits between two thousands separators. */
const GROUP = 3;

/**
 * Reads a currency that the user entered. It may be a code that this package does not know.
 *
 * @param field display name
 * @returns the code in upper case
 * @throws InputError unless it is three letters
 */
export function readCurrencyCode(field: string, value: unknown): string {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	if (/^[A-Z]{3}$/.test(code)) return code;
	throw new InputError(
		field,
		'is not a currency',
		`Enter a three-letter currency code, e.g. EUR. It is ${JSON.stringify(value)}.`,
	);
}

/** How amounts are entered: in which unit, and whether further decimals than the currency has are rounded. */
export interface AmountForm {
	unit: 'major' | 'minor';
	rounds?: boolean;
}

/**
 * Reads an amount with its currency.
 *
 * @param fields display names
 * @param form how the amount was entered; for major units the currency must be known here
 * @returns the amount in minor units, as the API has it
 * @throws InputError
 */
export function readMoney(
	fields: { amount: string; currency: string },
	entered: { amount?: unknown; currency?: unknown },
	{ unit, rounds = false }: AmountForm,
): { amount: number; currency: string } {
	const currency = readCurrencyCode(fields.currency, entered.currency);
	if (unit === 'minor')
		return { amount: readMinorUnits(fields.amount, entered.amount, rounds), currency };
	const exponent = EXPONENTS.get(currency);
	if (exponent === undefined)
		throw new InputError(
			fields.currency,
			'is not a currency',
			`ISO 4217 defines no decimals for ${currency}. Check the code, or enter amounts in minor units, which need no conversion.`,
		);
	const kind = { currency, exponent, rounds };
	return { amount: majorToMinor(fields.amount, entered.amount, kind), currency };
}

/** Converts digit by digit, never in floating point. A number counts as the decimal that it prints as. */
function majorToMinor(
	field: string,
	value: unknown,
	{ currency, exponent, rounds }: { currency: string; exponent: number; rounds: boolean },
): number {
	const { sign, whole, fraction = '' } = decimalOf(field, value);
	const decimalsText = exponent === 0 ? 'no decimals' : `${exponent} decimals`;
	const significant = fraction.replace(/0+$/, '');
	// A text such as 1.234 may be a thousand. A number is none, and neither are 0.995 and 1234.567.
	const maybeGroup =
		/^[1-9]\d{0,2}$/.test(whole) &&
		fraction.length === GROUP &&
		exponent < GROUP &&
		typeof value !== 'number';
	if (significant.length > exponent && !rounds)
		throw new InputError(
			field,
			`is too precise for ${currency}, which has ${decimalsText}`,
			`${itIs(value)} Add the option 'Round to the Currency', or round it in the expression, e.g. {{ (19.99 * 1.05).toFixed(${exponent}) }}.`,
		);
	const digits = sign + whole + significant.slice(0, exponent).padEnd(exponent, '0');
	const amount = rounded(field, digits, significant[exponent]);
	if (maybeGroup)
		throw new InputError(
			field,
			`is ambiguous: ${currency} has ${decimalsText}`,
			`${itIs(value)} Enter ${sign}${whole}${fraction} or ${minorToMajor(amount, currency)}.`,
		);
	return amount;
}

/**
 * Reads an amount that was entered in minor units.
 *
 * @param field display name
 * @returns integer, minor units
 * @throws InputError unless it is a whole number that JSON can carry exactly
 */
function readMinorUnits(field: string, value: unknown, rounds = false): number {
	const { sign, whole, fraction } = decimalOf(field, value);
	if (fraction !== undefined && !(rounds && typeof value === 'number'))
		throw new InputError(
			field,
			'must be a whole number of minor units',
			`${itIs(value)} Enter e.g. 1999 for 19.99 EUR, without a point.`,
		);
	return rounded(field, sign + whole, fraction?.[0]);
}

/** Halves are rounded away from zero, as in shops. */
function rounded(field: string, digits: string, nextDigit = '0'): number {
	const integer = toInteger(field, digits);
	if (nextDigit < '5') return integer;
	return toInteger(field, String(digits.startsWith('-') ? integer - 1 : integer + 1));
}

/**
 * Writes an amount in major units.
 *
 * @param minorUnits integer
 * @param currency ISO 4217 code
 * @returns e.g. `"19.99"`, with all digits of the currency; undefined if it is no amount, or the currency is not known
 */
export function minorToMajor(minorUnits: unknown, currency: unknown): string | undefined {
	const exponent = typeof currency === 'string' ? EXPONENTS.get(currency) : undefined;
	if (exponent === undefined || !Number.isSafeInteger(minorUnits)) return undefined;
	const digits = String(Math.abs(minorUnits as number)).padStart(exponent + 1, '0');
	const sign = (minorUnits as number) < 0 ? '-' : '';
	if (exponent === 0) return sign + digits;
	return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** A computed 58.410000000000004 is 58.41: the first 15 digits of a number are exact. One with few decimals is as written. */
function digitsOf(number: number): string {
	const written = String(number);
	return /\.\d{7}/.test(written) ? String(Number(number.toPrecision(15))) : written;
}

/** The parts of a written decimal; `fraction` is undefined if it has no point. */
function decimalOf(field: string, value: unknown) {
	const text = typeof value === 'number' ? digitsOf(value) : value;
	const written = typeof text === 'string' && text.length <= MAX_AMOUNT_LENGTH ? text.trim() : '';
	const [, sign, whole, fraction] = PLAIN_DECIMAL.exec(written) ?? [];
	if (whole !== undefined) return { sign: sign === '-' ? '-' : '', whole, fraction };
	throw new InputError(
		field,
		value === '' || value === undefined ? 'is empty' : 'is not an amount',
		`${value === '' || value === undefined ? '' : `${itIs(value)} `}Enter digits, with a point before the decimals and nothing between thousands.`,
	);
}

function toInteger(field: string, digits: string): number {
	const integer = Number(digits);
	if (!Number.isSafeInteger(integer)) throw new InputError(field, 'is too large');
	// No negative zero: JSON loses its sign.
	return integer === 0 ? 0 : integer;
}

/** How `decimal` is added beside amounts, in major units; `off` adds none. */
export type DecimalForm = 'off' | 'number' | 'text';

/**
 * Puts `decimal` beside every `{ amount, currency }`. Masked and unknown values stay as they are, and so does a
 * `decimal` of the platform. Nothing is added deeper than any record of this API is nested.
 *
 * @param depth levels above the value
 * @returns a copy if it adds anything; the value itself is not changed
 */
export function withDecimals<T>(value: T, form: DecimalForm, depth = 0): T {
	if (form === 'off' || typeof value !== 'object' || value === null || depth > MAX_DEPTH)
		return value;
	const money = value as Record<string, unknown>;
	let copy: Record<string, unknown> | undefined;
	const setInCopy = (name: string, entry: unknown) => {
		copy ??= (Array.isArray(value) ? [...value] : { ...value }) as typeof money;
		copy[name] = entry;
	};
	for (const name of Object.keys(value)) {
		const inside = withDecimals(money[name], form, depth + 1);
		if (inside !== money[name]) setInCopy(name, inside);
	}
	const text = minorToMajor(money.amount, money.currency);
	if (text === undefined || 'decimal' in value) return (copy ?? value) as T;
	const exact = form === 'number' ? exactNumber(text) : undefined;
	const decimal = exact ?? text;
	// `decimal` goes before the amount, so that it is read first.
	const fields = Object.entries(copy ?? money).flatMap(([name, field]) =>
		name === 'amount'
			? [['decimal', decimal] as const, [name, field] as const]
			: [[name, field] as const],
	);
	return Object.fromEntries(fields) as T;
}

/** The fields of an amount (API document, "Conventions"), and the one that this node adds. */
const MONEY_KEYS: ReadonlySet<string> = new Set(['amount', 'currency', 'decimal']);

/** The end of the name of a column that holds minor units. */
export const MINOR = '_minor';

/**
 * Brings the amounts of a row for people into columns: each `{ amount, currency }` becomes its major units under its own
 * name, with the minor units beside it as `…_minor`, and `currency` once. Money in another currency than the row's stays
 * an object.
 *
 * @param form `off` gives the minor units only
 */
export function rowWithMoney(row: IDataObject, form: DecimalForm): IDataObject {
	const columns: IDataObject = {};
	let { currency: rowCurrency } = row;
	for (const [name, entry] of Object.entries(row)) {
		// The row may be money itself.
		const value = name === 'amount' ? { amount: entry, currency: rowCurrency } : entry;
		if (typeof value !== 'object') {
			columns[name] = value;
			continue;
		}
		const { amount, currency } = isObject(value) ? value : {};
		const isMoney = Number.isSafeInteger(amount) && typeof currency === 'string';
		rowCurrency ??= isMoney ? currency : undefined;
		const isAlone = isMoney && Object.keys(value as object).every((key) => MONEY_KEYS.has(key));
		if (!isAlone || currency !== rowCurrency || `${name}${MINOR}` in row) {
			columns[name] = withDecimals(entry, form);
			continue;
		}
		const text = form === 'off' ? undefined : minorToMajor(amount, currency);
		if (text !== undefined)
			columns[name] = (form === 'number' ? exactNumber(text) : undefined) ?? text;
		columns[`${name}${MINOR}`] = amount;
		columns.currency = rowCurrency;
	}
	return columns;
}

/** A decimal as a number; undefined if the number would print as another decimal. */
function exactNumber(decimal: string): number | undefined {
	const number = Number(decimal);
	const shortest = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
	return String(number) === shortest ? number : undefined;
}

/** Whether an object at a path, e.g. `variants[0]`, must be money, so that it needs amount and currency. */
type MustBeMoney = (path: string) => boolean;

/**
 * Brings a value into the form of the API: every amount beside a currency is a whole number of minor units (API
 * document, "Conventions"), and a `decimal` that only repeats it is removed. So the output of one operation can be the
 * input of another.
 *
 * @param value is not changed
 * @param mustBeMoney says of a place that only money can stand there
 * @param path where it stands, for messages
 * @throws InputError if an amount is anything else, or if its `decimal` says another amount: nobody knows which is
 *   meant
 */
export function moneyToSend<T>(value: T, mustBeMoney: MustBeMoney, path = ''): T {
	const inside = (entry: unknown, step: string) =>
		moneyToSend(entry, mustBeMoney, `${path}${step}`);
	if (Array.isArray(value)) return value.map((entry, index) => inside(entry, `[${index}]`)) as T;
	if (!isObject(value)) return value;
	const stepTo = (name: string) => (path === '' ? name : `.${name}`);
	const copy: IDataObject = { ...value };
	for (const [name, entry] of Object.entries(copy))
		if (typeof entry === 'object') copy[name] = inside(entry, stepTo(name)) as IDataObject;
	const isMoney = hasField(copy, 'amount') && hasField(copy, 'currency');
	if (!isMoney && !mustBeMoney(path)) return copy as T;
	readCurrencyCode(`${path}${stepTo('currency')}`, copy.currency);
	copy.amount = readMinorUnits(`${path}${stepTo('amount')}`, copy.amount);
	if (repeatsAmount(copy, `${path}${stepTo('decimal')}`)) delete copy.decimal;
	return copy as T;
}

/**
 * Whether the `decimal` only repeats amount and currency.
 *
 * @throws InputError if it says another amount
 */
function repeatsAmount({ decimal, amount, currency }: IDataObject, place: string): boolean {
	const code = typeof currency === 'string' ? currency.trim().toUpperCase() : '';
	const decimalText = String(decimal ?? '').trim();
	if (!EXPONENTS.has(code) || !PLAIN_DECIMAL.test(decimalText)) return false;
	if (Number(decimalText) === Number(minorToMajor(amount, code))) return true;
	throw new InputError(
		place,
		'contradicts the amount next to it',
		`${itIs(decimal)} Nothing was sent. Change 'amount', which is in minor units, and leave 'decimal' out.`,
	);
}
