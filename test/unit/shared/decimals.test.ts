import fc from 'fast-check';

import {
	type DecimalForm,
	minorToMajor,
	withDecimals,
	moneyToSend,
} from '../../../nodes/shared/values/money';
import { told } from '../../support/told';

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
	it('stand there at any depth, nothing else changes, and what is sent is the API’s own again', () => {
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
		['number', { amount: 1234, currency: 'KWD' }, { decimal: 1.234 }],
		['number', { amount: -5, currency: 'EUR' }, { decimal: -0.05 }],
		// Masked and unknown values, and a decimal of the platform’s own.
		['number', { amount: 'masked', currency: 'EUR' }, {}],
		['number', { amount: 1, currency: 'XBT' }, {}],
		['number', { amount: 1, currency: 'EUR', decimal: '0,01 €' }, {}],
	])('are, as %s, beside %j: %j', (form, total, decimal) => {
		expect(withDecimals([{ total }], form)).toEqual([{ total: { ...total, ...decimal } }]);
	});

	it('are numbers only where they print as the exact decimal, and texts otherwise', () => {
		const large = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
		const onInexact = jest.fn();
		const decimal = '90071992547409.91';
		expect(withDecimals(large, 'number', onInexact)).toEqual({ ...large, decimal });
		expect(onInexact).toHaveBeenCalledTimes(1);
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
	it('is not changed where there is no amount beside a currency, or the decimal is none of ours', () => {
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
	])('is refused where amount and decimal are two different amounts: %j', (price) => {
		expect(told(() => moneyToSend({ variants: [{ prices: [price] }] }))).toMatch(
			/“variants\[0\].prices\[0\].decimal” is [^]*leave “decimal” out/,
		);
	});

	it('is whole numbers, also where one was entered as text; others are refused by their place', () => {
		const body = (amount: unknown) => [{}, { prices: [{ amount, currency: 'EUR' }] }];
		expect(moneyToSend(body(' -5 '))).toEqual(body(-5));
		for (const amount of [19.99, '20.00', null, '', '***', [5]]) {
			expect(() => moneyToSend({ variants: body(amount) })).toThrow(
				'“variants[1].prices[0].amount”',
			);
			expect(() => moneyToSend({ amount, currency: 'EUR' })).toThrow('“amount”');
		}
	});
});
