import fc from 'fast-check';

import {
	type DecimalForm,
	minorToMajor,
	moneyToSend as toSend,
	readMoney,
	rowWithMoney,
	withDecimals,
} from '../../../nodes/shared/values/money';
import { SERVICE } from '../../../nodes/shared/shop/service';
import { told } from '../../support/told';

const moneyToSend = <T>(body: T) => toSend(body, SERVICE.mustBeMoney);
const NAMES = { amount: 'Amount', currency: 'Currency' };
const read = (amount: unknown, currency: unknown = 'EUR', unit: 'major' | 'minor' = 'major') =>
	told(() => readMoney(NAMES, { amount, currency }, { unit }).amount);
const readCurrency = (currency: unknown, unit: 'major' | 'minor' = 'major') =>
	told(() => readMoney(NAMES, { amount: 1, currency }, { unit }).currency);

/** Digits after the decimal point of the smallest amount; undefined if the currency is not known. */
const exponentOf = (code: string) => {
	const [whole, fraction = ''] = minorToMajor(0, code)?.split('.') ?? [];
	return whole === undefined ? undefined : fraction.length;
};
const KNOWN = Intl.supportedValuesOf('currency').filter((code) => exponentOf(code) !== undefined);
const anyCurrency = fc.constantFrom(...KNOWN);

describe('currencies', () => {
	it.each<[number | undefined, string]>([
		[0, 'JPY KRW ISK'],
		[2, 'EUR USD MRU'],
		[3, 'KWD TND'],
		[4, 'CLF'],
		[undefined, 'EUROS eur XAU '],
	])('with %p decimals are %s', (exponent, codes) => {
		for (const code of codes.split(' ')) expect(exponentOf(code)).toBe(exponent);
	});

	it('are read from text in any case, and may be any three letters if nothing is converted', () => {
		expect(readCurrency(' eur ')).toBe('EUR');
		expect(readCurrency('xbt', 'minor')).toBe('XBT');
		expect(readCurrency('Euro', 'minor')).toContain("'Currency' is not a currency");
		for (const value of ['EURO', '', 'ABC', 'XAU', 978, null, undefined])
			expect(readCurrency(value)).toContain("'Currency' is not a currency");
	});
});

describe('amounts in major units', () => {
	it.each<[unknown, string, number]>([
		['-0', 'EUR', 0],
		['19.9900', 'EUR', 1999],
		['0.500', 'EUR', 50],
		['1234.500', 'EUR', 123450],
		['19.990', 'KWD', 19990],
		['5.00', 'JPY', 5],
		[' 7 ', 'USD', 700],
		[1.005, 'KWD', 1005],
		[0.1 + 0.2, 'EUR', 30],
		[58.41 * 3, 'EUR', 17523],
		['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
	])('%s %s is %s', (major, currency, minor) => {
		expect(read(major, currency)).toBe(minor);
	});

	it.each<[string, unknown[], string?]>([
		['is too precise for EUR, which has 2 decimals', ['19.999', 19.999, 0.1 + 0.201]],
		['is too precise for JPY, which has no decimals', ['1.5'], 'JPY'],
		['is too precise for CLF, which has 4 decimals', ['0.00001'], 'CLF'],
		['is ambiguous: EUR has 2 decimals', ['1.500', '1.000', '19.990']],
		['is ambiguous: JPY has no decimals', ['1.000'], 'JPY'],
		['is not an amount', ['19,99', '1.234,56', '1e3', '.5', '0x10', `0.${'0'.repeat(400)}1`]],
		['is not an amount', [Number.NaN, 1e21, null, ['7']]],
		['is empty', ['', undefined]],
		['is too large', ['90071992547409.92']],
	])('are refused where one %s: %j', (...[why, amounts, currency]) => {
		for (const amount of amounts) expect(read(amount, currency)).toContain(`'Amount' ${why}`);
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
				expect(read(major, currency)).toBe(Number(units * scale + (rest % scale)));
			}),
			{ numRuns: 3000 },
		);
	});

	it('that a person types as a number mean the digits typed', () => {
		const cents = fc.integer({ min: 0, max: 10 ** 9 });
		const isTyped = fc.property(cents, (minor) => read(minor / 100) === minor);
		fc.assert(isTyped, { numRuns: 3000 });
	});
});

const CODE = 'Enter a three-letter currency code, e.g. EUR. It is "Euro".';
const NO_DECIMALS =
	'ISO 4217 defines no decimals for XBT. Check the code, or enter amounts in minor units, which need no conversion.';
const POINT = 'Enter digits, with a point before the decimals and nothing between thousands.';

it.each<[unknown, string]>([
	[readCurrency('Euro'), CODE],
	[readCurrency('XBT'), NO_DECIMALS],
	[read('19.99', 'EUR', 'minor'), 'It is "19.99". Enter e.g. 1999 for 19.99 EUR, without a point.'],
	[
		read('1.999'),
		`It is "1.999". Add the option 'Round to the Currency', or round it in the expression, e.g. {{ (19.99 * 1.05).toFixed(2) }}.`,
	],
	[read('1.500'), 'It is "1.500". Enter 1500 or 1.50.'],
	[read('-2.000', 'JPY'), 'It is "-2.000". Enter -2000 or -2.'],
	[read('1,99'), `It is "1,99". ${POINT}`],
	[read(null), `It is null. ${POINT}`],
	[read(''), POINT],
	[read(undefined), POINT],
])('what is refused says what to do: %j', (said, description) => {
	expect(String(said).split('\n')[1]).toBe(description);
});

it('an amount may have a hundred characters', () => {
	expect(read(`${'0'.repeat(97)}1.5`)).toBe(150);
	expect(read(`${'0'.repeat(98)}1.5`)).toContain("'Amount' is not an amount");
});

/** Puts a value into so many objects. */
const nested = (value: unknown, levels: number): unknown =>
	levels === 0 ? value : { inner: nested(value, levels - 1) };

describe('amounts in minor units', () => {
	it.each<[unknown, number]>([
		['1999', 1999],
		['-5', -5],
		['+5', 5],
		[' 007 ', 7],
		[0, 0],
		// JSON would change minus zero.
		['-0', 0],
	])('%s is %s', (value, minor) => {
		expect(read(value, 'EUR', 'minor')).toBe(minor);
	});

	it.each([...'5.00 1.000 7. 2e3 19.99 20,00 abc'.split(' '), 19.99, '', null, true, {}, 2 ** 53])(
		'%s is refused',
		(value) => expect(read(value, 'EUR', 'minor')).toContain("'Amount'"),
	);

	it('have no decimals', () => {
		const message = "'Amount' must be a whole number of minor units";
		expect(read('19.99', 'EUR', 'minor')).toContain(message);
	});

	it('are the same money in major units, in every currency', () => {
		fc.assert(
			fc.property(anyCurrency, fc.maxSafeInteger(), (currency, amount) => {
				expect(read(amount, currency, 'minor')).toBe(amount);
				expect(read(minorToMajor(amount, currency), currency)).toBe(amount);
			}),
			{ numRuns: 3000 },
		);
	});
});

const money = fc.record({
	amount: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -100_000, max: 10_000_000 })),
	currency: fc.constantFrom('EUR', 'USD', 'JPY', 'ISK', 'KWD', 'TND', 'CLF'),
});
const shownForm = fc.constantFrom<DecimalForm>('number', 'text');

/** Random JSON with amounts in it. */
const { tree } = fc.letrec((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 5 },
		money,
		fc.array(tie('tree'), { maxLength: 4 }),
		fc.dictionary(fc.string({ minLength: 1 }), tie('tree'), { maxKeys: 4 }),
		fc.jsonValue(),
	),
}));

const withoutAny = (value: unknown) =>
	JSON.stringify(value, (name, inner: unknown) => (name === 'decimal' ? undefined : inner));

describe('decimals beside amounts', () => {
	it('are added at any depth, nothing else changes, and the API’s own form is sent again', () => {
		fc.assert(
			fc.property(tree, shownForm, (value, form) => {
				const before = JSON.stringify(value);
				const shown = withDecimals(value, form);
				expect(withoutAny(shown)).toBe(withoutAny(value));
				expect(JSON.stringify(value)).toBe(before);
				if (!before.includes('decimal')) expect(moneyToSend(shown)).toEqual(value);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each<[DecimalForm, object, object]>([
		['off', { amount: 1990, currency: 'EUR' }, {}],
		['text', { amount: 1990, currency: 'EUR' }, { decimal: '19.90' }],
		['number', { amount: 1990, currency: 'EUR' }, { decimal: 19.9 }],
		['number', { amount: 0, currency: 'EUR' }, { decimal: 0 }],
		['number', { amount: 2000, currency: 'EUR' }, { decimal: 20 }],
		['number', { amount: 2500, currency: 'JPY' }, { decimal: 2500 }],
		['number', { amount: 1234, currency: 'KWD' }, { decimal: 1.234 }],
		['number', { amount: -5, currency: 'EUR' }, { decimal: -0.05 }],
		// Masked and unknown values, and the platform’s own decimal.
		['number', { amount: 'masked', currency: 'EUR' }, {}],
		['number', { amount: 1, currency: 'XBT' }, {}],
		['number', { amount: 1, currency: 'EUR', decimal: '0,01 €' }, {}],
	])('are, as %s, beside %j: %j', (form, total, decimal) => {
		expect(withDecimals([{ total }], form)).toEqual([{ total: { ...total, ...decimal } }]);
	});

	it('stand before the amount, and nothing is copied without need', () => {
		const price = { currency: 'EUR', amount: 1999 };
		expect(JSON.stringify(withDecimals(price, 'number'))).toBe(
			'{"currency":"EUR","decimal":19.99,"amount":1999}',
		);
		const own = { amount: 1, currency: 'EUR', decimal: 5 };
		expect(JSON.stringify(withDecimals(own, 'number'))).toBe(JSON.stringify(own));
		const products = [{ title: 'Shirt', variants: [{ sku: 'A' }] }];
		expect(withDecimals(products, 'number')).toBe(products);
	});

	it('are added two hundred levels deep', () => {
		const price = { amount: 1999, currency: 'EUR' };
		const shown = { ...price, decimal: 19.99 };
		expect(withDecimals(nested(price, 200), 'number')).toEqual(nested(shown, 200));
		expect(withDecimals(nested(price, 201), 'number')).toEqual(nested(price, 201));
	});

	it('are numbers only if they print as the exact decimal, and texts otherwise', () => {
		const large = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
		const decimal = '90071992547409.91';
		expect(withDecimals(large, 'number')).toEqual({ ...large, decimal });
		fc.assert(
			fc.property(money, (one) => {
				const { decimal: shown } = withDecimals(one, 'number') as { decimal?: unknown };
				const text = minorToMajor(one.amount, one.currency);
				const shortest = text?.includes('.') ? text.replace(/\.?0+$/, '') : text;
				if (typeof shown === 'number')
					expect(String(shown)).toBe(shortest === '-0' ? '0' : shortest);
				else expect(shown).toBe(text);
			}),
			{ numRuns: 3000 },
		);
	});
});

describe('what is sent', () => {
	it('is not changed if there is no amount beside a currency, or the decimal is not ours', () => {
		const body = [
			{ decimal: 5 },
			{ amount: '***', decimal: '1' },
			{ amount: 1, currency: 'XBT', decimal: '1' },
			{ amount: 1, currency: 'EUR', decimal: 'one cent' },
			{ amount: 1, currency: 'EUR', decimal: null },
			{ amount: 'a lot', more: [{ amount: 19.99 }, { currency: 'EUR' }] },
		];
		expect(moneyToSend(body)).toEqual(body);
	});

	it.each([
		{ amount: 7990, currency: 'EUR', decimal: 69.9 },
		{ amount: 799000, currency: 'EUR', decimal: '79.90' },
		{ amount: 250_000, currency: 'JPY', decimal: '2500' },
		{ amount: '7990', currency: 'eur', decimal: 79.91 },
	])('is refused if amount and decimal differ: %j', (price) => {
		expect(told(() => moneyToSend({ variants: [{ prices: [price] }] }))).toMatch(
			/'variants\[0\].prices\[0\].decimal' contradicts [^]*leave 'decimal' out/,
		);
	});

	it('loses a decimal that repeats the amount, with blanks and in small letters too', () => {
		const price = { amount: 1999, currency: ' eur ' };
		expect(moneyToSend({ ...price, decimal: ' 19.99 ' })).toEqual(price);
	});

	it('is a price with its currency, in each place of a list of prices', () => {
		const prices = Array.from({ length: 11 }, () => ({ amount: 1, currency: 'EUR' }));
		const without = (index: number) => ({
			prices: prices.map((price, at) => (at === index ? { amount: 1 } : price)),
		});
		expect(told(() => moneyToSend(without(0)))).toContain("'prices[0].currency' is not a currency");
		expect(told(() => moneyToSend(without(10)))).toContain("'prices[10].currency'");
		expect(told(() => moneyToSend({ variants: [without(0)] }))).toContain(
			"'variants[0].prices[0].currency'",
		);
		const priceWithTax = { amount: 1, currency: 'EUR', tax: { rate: 'full' } };
		expect(moneyToSend({ prices: [priceWithTax] })).toEqual({ prices: [priceWithTax] });
		expect(told(() => moneyToSend({ amount: 1, currency: 'Euro' }))).toContain("'currency'");
	});

	it('is read however deep', () => {
		const price = { amount: '5', currency: 'EUR' };
		expect(moneyToSend(nested(price, 500))).toEqual(nested({ ...price, amount: 5 }, 500));
	});

	it('is whole numbers, even if one was entered as text; others are refused by their place', () => {
		const body = (amount: unknown) => [{}, { prices: [{ amount, currency: 'EUR' }] }];
		expect(moneyToSend(body(' -5 '))).toEqual(body(-5));
		for (const amount of [19.99, '20.00', null, '', '***', [5]]) {
			expect(() => moneyToSend({ variants: body(amount) })).toThrow(
				"'variants[1].prices[0].amount'",
			);
			expect(() => moneyToSend({ amount, currency: 'EUR' })).toThrow("'amount'");
		}
	});
});

describe('amounts that the user wants rounded', () => {
	const rounded = (amount: unknown, currency = 'EUR', unit: 'major' | 'minor' = 'major') =>
		told(() => readMoney(NAMES, { amount, currency }, { unit, rounds: true }).amount);

	it.each<[unknown, string, number]>([
		[29.1 * 1.05, 'EUR', 3056],
		[1.005, 'EUR', 101],
		['-1.005001', 'EUR', -101],
		['19.9949', 'EUR', 1999],
		[2500.5, 'JPY', 2501],
		[1.2345, 'KWD', 1235],
		[19.99, 'EUR', 1999],
		[0.999, 'EUR', 100],
		['0.995', 'EUR', 100],
		['1234.567', 'EUR', 123457],
		['0017.991', 'EUR', 1799],
	])('%s %s is %s', (major, currency, minor) => {
		expect(rounded(major, currency)).toBe(minor);
	});

	it('are computed minor units as well; a text that may be a thousand is still refused', () => {
		expect(rounded(2910 * 1.05, 'EUR', 'minor')).toBe(3056);
		for (const amount of ['1.234', '17.991', '999.999'])
			expect(rounded(amount)).toContain('is ambiguous: EUR has 2 decimals');
		expect(rounded('1.000', 'JPY')).toContain('is ambiguous');
	});

	it('are at most half of the smallest unit away', () => {
		fc.assert(
			fc.property(fc.integer({ min: -1e9, max: 1e9 }), anyCurrency, (micros, currency) => {
				const major = micros / 1e6;
				const scale = 10 ** exponentOf(currency)!;
				const difference = Math.abs(Number(rounded(major, currency)) - major * scale);
				expect(difference).toBeLessThanOrEqual(0.5 + 1e-6);
			}),
		);
	});
});

describe('a row for people', () => {
	const money = { amount: 2910, currency: 'EUR' };

	it('has major units under the field’s own name, minor units and the currency beside them', () => {
		const row = { sku: 'A', price: money, total: { ...money, decimal: 29.1 } };
		const both = { sku: 'A', price: 29.1, price_minor: 2910, currency: 'EUR' };
		expect(rowWithMoney(row, 'number')).toEqual({ ...both, total: 29.1, total_minor: 2910 });
		expect(rowWithMoney({ price: money }, 'text')).toMatchObject({ price: '29.10' });
		expect(rowWithMoney({ price: money }, 'off')).toEqual({ price_minor: 2910, currency: 'EUR' });
		expect(rowWithMoney({ ...money }, 'number')).toEqual({
			...{ amount: 29.1, amount_minor: 2910, currency: 'EUR' },
		});
	});

	it('keeps what is in another currency, masked, or more than an amount', () => {
		const usd = { amount: 5, currency: 'USD' };
		const others = { masked: { amount: '***', currency: 'EUR' }, tax: { ...money, rate: 19 } };
		expect(rowWithMoney({ currency: 'EUR', usd, ...others }, 'number')).toEqual({
			...{ currency: 'EUR', usd: { ...usd, decimal: 0.05 }, ...others },
			tax: { ...others.tax, decimal: 29.1 },
		});
		expect(rowWithMoney({ a: { amount: 5, currency: 'XTS' } }, 'number')).toEqual({
			...{ a_minor: 5, currency: 'XTS' },
		});
	});
});
