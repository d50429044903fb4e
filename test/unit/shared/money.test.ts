import fc from 'fast-check';

import { minorToMajor, readMoney } from '../../../nodes/shared/values/money';

const names = { amount: 'Amount', currency: 'Currency' };
const majorToMinor = (amount: unknown, currency: string) =>
	readMoney(names, { amount, currency }, 'major').amount;
const readMinorUnits = (amount: unknown) =>
	readMoney(names, { amount, currency: 'EUR' }, 'minor').amount;
const readCurrency = (currency: unknown) =>
	readMoney(names, { amount: 1, currency }, 'major').currency;

/** Digits that the smallest amount has behind the point; undefined where the currency is not known. */
const exponentOf = (code: string) => {
	const [whole, fraction = ''] = minorToMajor(0, code)?.split('.') ?? [];
	return whole === undefined ? undefined : fraction.length;
};
const KNOWN = Intl.supportedValuesOf('currency').filter((code) => exponentOf(code) !== undefined);
const anyCurrency = fc.constantFrom(...KNOWN);
const anyAmount = fc.maxSafeInteger();

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
		expect(exponentOf(code)).toBe(exponent);
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
		['-0', 'EUR', 0],
		['19.9', 'EUR', 1990],
		['19.9900', 'EUR', 1999],
		['19.990', 'KWD', 19990],
		['5.00', 'JPY', 5],
		[' 7 ', 'USD', 700],
		['007.50', 'USD', 750],
		[1.005, 'KWD', 1005],
		['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
	])('%s %s is %s', (major, currency, minor) => {
		expect(majorToMinor(major, currency)).toBe(minor);
	});

	it.each<[unknown, string, string]>([
		['19.999', 'EUR', 'is too precise for EUR, which has 2 decimals'],
		['1.5', 'JPY', 'is too precise for JPY, which has no decimals'],
		['0.0001', 'KWD', 'is too precise for KWD, which has 3 decimals'],
		['0.00001', 'CLF', 'is too precise for CLF, which has 4 decimals'],
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
		[null, 'EUR', '“Amount” is not an amount'],
		[['7'], 'EUR', '“Amount” is not an amount'],
		['90071992547409.92', 'EUR', 'is too large'],
	])('%s %s is refused: it %s', (major, currency, why) => {
		expect(() => majorToMinor(major, currency)).toThrow(why);
	});

	it('are what integer arithmetic says, never off by one', () => {
		const whole = fc.bigInt({ min: 0n, max: 10n ** 11n });
		const part = fc.bigInt({ min: 0n, max: 9999n });
		fc.assert(
			fc.property(anyCurrency, whole, part, (currency, units, rest) => {
				const exponent = exponentOf(currency) ?? Number.NaN;
				const scale = 10n ** BigInt(exponent);
				const fraction = String(rest % scale).padStart(exponent, '0');
				const major = exponent === 0 ? `${units}` : `${units}.${fraction}`;
				expect(majorToMinor(major, currency)).toBe(Number(units * scale + (rest % scale)));
			}),
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
});

it.each([
	[
		'Currency',
		() => readCurrency('Euro'),
		'Enter a three-letter code of ISO 4217, e.g. EUR. It is "Euro".',
	],
	[
		'Currency',
		() => readCurrency('XBT'),
		'ISO 4217 gives XBT no decimals to convert by. Check the code, or enter amounts in minor units, which need no conversion.',
	],
	[
		'Amount',
		() => readMinorUnits('19.99'),
		'It is "19.99". Enter e.g. 1999 for 19.99 EUR, without a point.',
	],
	[
		'Amount',
		() => majorToMinor('1.999', 'EUR'),
		'It is "1.999". Round it first, in the way that your books do.',
	],
	['Amount', () => majorToMinor('1.500', 'EUR'), 'It is "1.500". Enter 1500 or 1.50.'],
	['Amount', () => majorToMinor('-2.000', 'JPY'), 'It is "-2.000". Enter -2000 or -2.'],
	[
		'Amount',
		() => majorToMinor('1,99', 'EUR'),
		'Enter digits, with a point before the decimals and nothing between thousands.',
	],
])('what is refused says what to do: %s %#', (field, read, description) => {
	expect(read).toThrow(expect.objectContaining({ field, description }) as Error);
});

describe('amounts in minor units', () => {
	it.each([
		['1999', 1999],
		[1999, 1999],
		['-5', -5],
		['+5', 5],
		[' 007 ', 7],
		[0, 0],
		// JSON would change minus zero.
		['-0', 0],
	])('%s is %s', (value, minor) => {
		expect(readMinorUnits(value)).toBe(minor);
	});

	it.each([...'5.00 1.000 7. 2e3 19.99 20,00 abc'.split(' '), 19.99, '', null, true, {}, 2 ** 53])(
		'%s is refused',
		(value) => {
			expect(() => readMinorUnits(value)).toThrow('“Amount”');
		},
	);
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
		const read = (currency: string, unit: 'minor' | 'major') => () =>
			readMoney(names, { amount: '5', currency }, unit);
		expect(read('xbt', 'minor')()).toEqual({ amount: 5, currency: 'XBT' });
		for (const refused of [read('xbt', 'major'), read('Euro', 'minor'), read('XAU', 'major')])
			expect(refused).toThrow('“Currency” is not a currency');
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
