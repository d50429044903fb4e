import fc from 'fast-check';

import {
	CURRENCY_CODES,
	currencyExponent,
	minorToMajor,
	readMoney,
} from '../../../nodes/shared/values/money';
import type { InputError } from '../../../nodes/shared/errors/errors';

const names = { amount: 'Amount', currency: 'Currency' };
const majorToMinor = (amount: unknown, currency: string) =>
	readMoney(names, { amount, currency }, 'major').amount;
const readMinorUnits = (amount: unknown) =>
	readMoney(names, { amount, currency: 'EUR' }, 'minor').amount;
const readCurrency = (currency: unknown) =>
	readMoney(names, { amount: 1, currency }, 'major').currency;

const anyCurrency = fc.constantFrom(...CURRENCY_CODES);
const anyAmount = fc.maxSafeInteger();
const exponentOf = (code: string) => currencyExponent(code) ?? Number.NaN;

describe('currencies', () => {
	it.each([
		['EUR', 2],
		['USD', 2],
		['JPY', 0],
		['KRW', 0],
		['ISK', 0],
		['KWD', 3],
		['TND', 3],
		['CLF', 4],
		['MRU', 2],
		['EUROS', undefined],
		['eur', undefined],
		['XAU', undefined],
		['', undefined],
	])('%s has %s decimals', (code, exponent) => {
		expect(currencyExponent(code)).toBe(exponent);
	});

	it('are three upper-case letters each, none twice', () => {
		expect(CURRENCY_CODES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
		expect(new Set(CURRENCY_CODES).size).toBe(CURRENCY_CODES.length);
		expect(CURRENCY_CODES.length).toBeGreaterThan(165);
	});

	it('include every currency that is in use by ICU’s regions', () => {
		const inUse = ['AED', 'AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'GBP', 'HKD', 'HUF'];
		const more = ['IDR', 'ILS', 'INR', 'MXN', 'MYR', 'NGN', 'NOK', 'NZD', 'PHP', 'PLN', 'RON'];
		expect([...inUse, ...more].filter((code) => !CURRENCY_CODES.includes(code))).toEqual([]);
	});

	it('are read from text in any case, with blanks around', () => {
		expect(readCurrency(' eur ')).toBe('EUR');
		for (const value of ['EURO', '', 'ABC', 978, null, undefined]) {
			expect(() => readCurrency(value)).toThrow('“Currency” is not a currency');
		}
	});
});

describe('amounts in major units', () => {
	it.each([
		['19.99', 'EUR', 1999],
		['500', 'JPY', 500],
		['1.234', 'KWD', 1234],
		['0', 'EUR', 0],
		['-0', 'EUR', 0],
		['-19.99', 'EUR', -1999],
		['19.9', 'EUR', 1990],
		['19.9900', 'EUR', 1999],
		['19.990', 'KWD', 19990],
		['5.00', 'JPY', 5],
		['0.0001', 'CLF', 1],
		[' 7 ', 'USD', 700],
		['007.50', 'USD', 750],
		[19.99, 'EUR', 1999],
		[1.005, 'KWD', 1005],
		['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
	])('%s %s is %s', (major, currency, minor) => {
		expect(majorToMinor(major, currency)).toBe(minor);
	});

	it.each([
		['19.999', 'EUR', 'is too precise for EUR, which has 2 decimals'],
		['1.5', 'JPY', 'is too precise for JPY, which has no decimals'],
		[0.1 + 0.2, 'EUR', 'is too precise'],
		['1.500', 'EUR', 'is ambiguous: EUR has 2 decimals'],
		['1.000', 'EUR', 'is ambiguous'],
		['19.990', 'EUR', 'is ambiguous'],
		['1.000', 'JPY', 'is ambiguous: JPY has no decimals'],
		[`0.${'0'.repeat(400)}1`, 'EUR', 'is not an amount'],
		['19,99', 'EUR', 'is not an amount'],
		['1.234,56', 'EUR', 'is not an amount'],
		['1e3', 'EUR', 'is not an amount'],
		['.5', 'EUR', 'is not an amount'],
		['0x10', 'EUR', 'is not an amount'],
		['', 'EUR', 'is empty'],
		[undefined, 'EUR', 'is empty'],
		[Number.NaN, 'EUR', 'is not an amount'],
		[1e21, 'EUR', 'is not an amount'],
		['90071992547409.92', 'EUR', 'is too large'],
	])('%s %s is refused: it %s', (major, currency, why) => {
		expect(() => majorToMinor(major, currency)).toThrow(why);
	});

	it('come back as they went, in every currency', () => {
		fc.assert(
			fc.property(anyCurrency, anyAmount, (currency, minor) => {
				const major = minorToMajor(minor, currency);
				expect(majorToMinor(major, currency)).toBe(minor);
			}),
			{ numRuns: 3000 },
		);
	});

	it('are what integer arithmetic says, never off by one', () => {
		const digits = fc.bigInt({ min: 0n, max: 10n ** 11n });
		fc.assert(
			fc.property(
				anyCurrency,
				digits,
				fc.bigInt({ min: 0n, max: 9999n }),
				(currency, whole, part) => {
					const exponent = exponentOf(currency);
					const scale = 10n ** BigInt(exponent);
					const fraction = String(part % scale).padStart(exponent, '0');
					const major = exponent === 0 ? `${whole}` : `${whole}.${fraction}`;
					expect(majorToMinor(major, currency)).toBe(Number(whole * scale + (part % scale)));
				},
			),
			{ numRuns: 3000 },
		);
	});

	it('that a person types as a number mean the digits typed', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (cents) => {
				expect(majorToMinor(cents / 100, 'EUR')).toBe(cents);
			}),
			{ numRuns: 3000 },
		);
	});

	it('with one digit too many are refused, whatever the currency', () => {
		fc.assert(
			fc.property(
				anyCurrency,
				fc.nat(),
				fc.integer({ min: 1, max: 9 }),
				(currency, whole, digit) => {
					const tooFine = `${whole}.${'0'.repeat(exponentOf(currency))}${digit}`;
					expect(() => majorToMinor(tooFine, currency)).toThrow('is too precise');
				},
			),
		);
	});
});

describe('what is refused says what to do', () => {
	const remedyOf = (read: () => unknown): unknown => {
		try {
			return read();
		} catch (error) {
			return (error as InputError).remedy;
		}
	};

	it.each([
		[() => readCurrency('Euro'), 'Enter a three-letter code of ISO 4217, e.g. EUR. It is "Euro".'],
		[
			() => readCurrency('XBT'),
			'ISO 4217 gives XBT no decimals to convert by. Check the code, or enter amounts in minor units, which need no conversion.',
		],
		[
			() => readMinorUnits('19.99'),
			'It is "19.99". Enter e.g. 1999 for 19.99 EUR, without a point.',
		],
		[
			() => majorToMinor('1.999', 'EUR'),
			'It is "1.999". Round it first, in the way that your books do.',
		],
		[() => majorToMinor('1.500', 'EUR'), 'It is "1.500". Enter 1500 or 1.50.'],
		[() => majorToMinor('-2.000', 'JPY'), 'It is "-2.000". Enter -2000 or -2.'],
		[
			() => majorToMinor('1,99', 'EUR'),
			'Enter digits, with a point before the decimals and nothing between thousands.',
		],
	])('%#', (read, remedy) => {
		expect(remedyOf(read)).toBe(remedy);
	});

	it.each([[null], [true], [{}], [['7']]])('and takes %j for no amount', (value) => {
		expect(() => majorToMinor(value, 'EUR')).toThrow('“Amount” is not an amount');
	});

	it('and takes no amount of what is not a currency', () => {
		expect(() => majorToMinor('1', 'XAU')).toThrow('“Currency” is not a currency');
	});

	it('and names an amount in minor units that is not whole', () => {
		expect(() => readMinorUnits('19.99')).toThrow('“Amount” must be a whole number of minor units');
	});
});

describe('amounts in minor units', () => {
	it('are never minus zero, which JSON would change', () => {
		expect(readMinorUnits('-0')).toBe(0);
	});

	it.each([
		['1999', 1999],
		[1999, 1999],
		['-5', -5],
		['+5', 5],
		[' 007 ', 7],
		[0, 0],
	])('%s is %s', (value, minor) => {
		expect(readMinorUnits(value)).toBe(minor);
	});

	it.each([
		['5.00'],
		['20.00'],
		['1.000'],
		['7.'],
		['2e3'],
		['19.99'],
		[19.99],
		['20,00'],
		['abc'],
		[''],
		[null],
		[true],
		[{}],
		[2 ** 53],
	])('%s is refused', (value) => {
		expect(() => readMinorUnits(value)).toThrow('“Amount”');
	});
});

describe('an amount with its currency', () => {
	it('is the same money in either unit, in every currency', () => {
		fc.assert(
			fc.property(anyCurrency, anyAmount, (currency, amount) => {
				const money = { amount, currency };
				const major = { amount: minorToMajor(amount, currency), currency };
				expect(readMoney(names, money, 'minor')).toEqual(money);
				expect(readMoney(names, major, 'major')).toEqual(money);
			}),
			{ numRuns: 3000 },
		);
	});

	it('may have a currency of any three letters where nothing is converted', () => {
		expect(readMoney(names, { amount: '5', currency: 'xbt' }, 'minor')).toEqual({
			amount: 5,
			currency: 'XBT',
		});
		expect(() => readMoney(names, { amount: '5', currency: 'xbt' }, 'major')).toThrow(
			'“Currency” is not a currency',
		);
		expect(() => readMoney(names, { amount: '5', currency: 'Euro' }, 'minor')).toThrow(
			'“Currency” is not a currency',
		);
	});
});

describe('amounts in major units from minor ones', () => {
	it.each([
		[5, 'EUR', '0.05'],
		[0, 'EUR', '0.00'],
		[0, 'JPY', '0'],
		[-5, 'EUR', '-0.05'],
		[1999, 'JPY', '1999'],
		[1, 'CLF', '0.0001'],
		[1, 'XAU', undefined],
		['***', 'EUR', undefined],
		[1.5, 'EUR', undefined],
		[1, null, undefined],
	])('%s %s reads %s', (minor, currency, major) => {
		expect(minorToMajor(minor, currency)).toBe(major);
	});
});
