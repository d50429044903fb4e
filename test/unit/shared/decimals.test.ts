import fc from 'fast-check';

import {
	type DecimalForm,
	minorToMajor,
	withDecimals,
	moneyToSend,
} from '../../../nodes/shared/values/money';

const money = fc.record({
	amount: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -100_000, max: 10_000_000 })),
	currency: fc.constantFrom('EUR', 'USD', 'JPY', 'ISK', 'KWD', 'TND', 'CLF'),
});
const shownForm = fc.constantFrom<DecimalForm>('number', 'text');

/** Any JSON with amounts in it. */
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
	it('stand there at any depth, and nothing else changes', () => {
		fc.assert(
			fc.property(tree, shownForm, (value, form) => {
				const before = JSON.stringify(value);
				expect(withoutAny(withDecimals(value, form))).toBe(withoutAny(value));
				expect(JSON.stringify(value)).toBe(before);
			}),
		);
	});

	it.each<[DecimalForm, object]>([
		['off', {}],
		['text', { decimal: '19.90' }],
		['number', { decimal: 19.9 }],
	])('are as %s says', (form, decimal) => {
		const total = { amount: 1990, currency: 'EUR' };
		expect(withDecimals([{ total }], form)).toEqual([{ total: { ...total, ...decimal } }]);
	});

	it.each([
		[0, 'EUR', 0],
		[1234, 'KWD', 1.234],
		[-5, 'EUR', -0.05],
	])('%s %s is the number %s', (amount, currency, decimal) => {
		expect(withDecimals({ amount, currency }, 'number')).toEqual({ amount, currency, decimal });
	});

	it('are numbers only where they print as the exact decimal, and texts otherwise', () => {
		const large = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
		const onInexact = jest.fn();
		expect(withDecimals(large, 'number', onInexact)).toEqual({
			...large,
			decimal: '90071992547409.91',
		});
		expect(onInexact).toHaveBeenCalledTimes(1);
		fc.assert(
			fc.property(money, (one) => {
				const { decimal } = withDecimals(one, 'number') as typeof one & { decimal: unknown };
				const text = minorToMajor(one.amount, one.currency);
				const shortest = text?.includes('.') ? text.replace(/\.?0+$/, '') : text;
				if (typeof decimal === 'number')
					expect(String(decimal)).toBe(shortest === '-0' ? '0' : shortest);
				else expect(decimal).toBe(text);
			}),
			{ numRuns: 3000 },
		);
	});

	it('leave masked and unknown values, and a decimal of the platform’s own', () => {
		for (const value of [
			{ amount: 'masked', currency: 'EUR' },
			{ amount: 1, currency: 'XBT' },
			{ amount: 1, currency: 'EUR', decimal: '0,01 €' },
		])
			expect(withDecimals(value, 'number')).toEqual(value);
	});
});

describe('what was given with decimals', () => {
	it('is the API’s own again without them, in both forms and at any depth', () => {
		const plain = tree.filter((value) => !JSON.stringify(value).includes('decimal'));
		fc.assert(
			fc.property(plain, shownForm, (value, form) => {
				expect(moneyToSend(withDecimals(value, form))).toEqual(value);
			}),
			{ numRuns: 2000 },
		);
	});

	it('is not changed where the decimal is no amount of ours', () => {
		const more = [
			{ decimal: 5 },
			{ amount: '***', decimal: '1' },
			{ amount: 1, currency: 'XBT', decimal: '1' },
			{ amount: 1, currency: 'EUR', decimal: 'one cent' },
			{ amount: 1, currency: 'EUR', decimal: null },
		];
		expect(moneyToSend(more)).toEqual(more);
	});

	it.each([
		[{ amount: 7990, currency: 'EUR', decimal: 69.9 }],
		[{ amount: 799000, currency: 'EUR', decimal: '79.90' }],
		[{ amount: 7990, currency: 'EUR', decimal: '79.901' }],
		[{ amount: 250_000, currency: 'JPY', decimal: '2500' }],
		[{ amount: '7990', currency: 'eur', decimal: 79.91 }],
	])('is refused where amount and decimal are two different amounts: %j', (price) => {
		expect(() => moneyToSend({ variants: [{ prices: [price] }] })).toThrow(
			expect.objectContaining({
				message: expect.stringContaining('“variants[0].prices[0].decimal” is') as string,
				description: expect.stringContaining('leave “decimal” out') as string,
			}) as Error,
		);
	});
});

describe('an amount with a currency, wherever it is sent', () => {
	it.each([[19.99], ['20.00'], [null], [''], ['***'], [[5]]])(
		'that is %j is refused by its place, in whatever JSON it stands',
		(amount) => {
			const price = { amount, currency: 'EUR' };
			expect(() => moneyToSend({ variants: [{}, { prices: [price] }] })).toThrow(
				'“variants[1].prices[0].amount”',
			);
			expect(() => moneyToSend(price)).toThrow('“amount”');
		},
	);

	it('is a whole number there, also where it was entered as text', () => {
		const body = (amount: unknown) => ({ variants: [{ prices: [{ amount, currency: 'EUR' }] }] });
		expect(moneyToSend(body(' -5 '))).toEqual(body(-5));
	});

	it('is the only one that is looked at: an amount alone is no money', () => {
		const body = { amount: 'a lot', more: [{ amount: 19.99 }, { currency: 'EUR' }] };
		expect(moneyToSend(body)).toEqual(body);
	});
});
