import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	changesNothing,
	mergedRequest,
	mergeVariants,
} from '../../../../nodes/CommercePlatform/bulk/merge';

const EUR = { amount: 1000, currency: 'EUR', compare_at: 1200 };
const JPY = { amount: 1500, currency: 'JPY' };
const MEDIUM = { sku: 'M', title: 'Medium', barcode: '4006', prices: [EUR, JPY] };
const LARGE = { sku: 'L', title: 'Large', prices: [EUR] };
const variants = [MEDIUM, LARGE];

const merge = (...named: IDataObject[]) => mergeVariants('Variants', variants, named);

describe('variants that are merged', () => {
	it('change in the one price that is named', () => {
		expect(merge({ sku: 'M', prices: [{ amount: 1100, currency: 'EUR' }] })).toEqual([
			{ ...MEDIUM, prices: [{ ...EUR, amount: 1100 }, JPY] },
			LARGE,
		]);
	});

	it('get a price in a currency that they did not have', () => {
		expect(merge({ sku: 'L', prices: [{ amount: 9, currency: 'KWD' }] })).toEqual([
			MEDIUM,
			{ ...LARGE, prices: [EUR, { amount: 9, currency: 'KWD' }] },
		]);
	});

	it('change in the title alone', () => {
		expect(merge({ sku: 'L', title: 'XL' })).toEqual([MEDIUM, { ...LARGE, title: 'XL' }]);
	});

	it('take a new one that has a title', () => {
		const small = { sku: 'S', title: 'Small', prices: [JPY] };
		expect(merge(small)).toEqual([MEDIUM, LARGE, small]);
	});

	it('keep the way in which the platform writes a currency', () => {
		const current = [{ sku: 'A', prices: [{ amount: 1, currency: 'eur' }] }];
		const named = [{ sku: 'A', prices: [{ amount: 2, currency: 'EUR' }] }];
		expect(mergeVariants('Variants', current, named)).toEqual([
			{ sku: 'A', prices: [{ amount: 2, currency: 'eur' }] },
		]);
	});

	it.each<[string, unknown, IDataObject, string]>([
		[
			'a SKU without a title that is not there',
			variants,
			{ sku: 'X' },
			'“Variants” names the SKU “X”',
		],
		['a SKU in other letters', variants, { sku: 'm', title: 'M' }, '“Variants” names the SKU “m”'],
		[
			'a SKU that is there twice',
			[LARGE, LARGE],
			{ sku: 'L' },
			'several variants with the SKU “L”',
		],
		[
			'a currency that is there twice',
			[{ sku: 'A', prices: [EUR, EUR] }],
			{ sku: 'A', prices: [EUR] },
			'several prices in EUR',
		],
		[
			'a currency that is named twice',
			variants,
			{ sku: 'M', prices: [EUR, EUR] },
			'has two prices',
		],
		['a product without variants', undefined, { sku: 'M' }, 'without a list of its variants'],
		['a variant that is a text', [MEDIUM, 'L'], { sku: 'M' }, 'without a list of its variants'],
		['a variant that is null', [null, MEDIUM], { sku: 'M' }, 'without a list of its variants'],
		['variants by SKU', { M: MEDIUM }, { sku: 'M' }, 'without a list of its variants'],
		...[undefined, null, {}, { EUR: 1000 }, 'EUR 10', [null], [10], [{ amount: 1 }]].map(
			(prices): [string, unknown, IDataObject, string] => [
				`prices that are ${JSON.stringify(prices)}`,
				[{ sku: 'A', prices }],
				{ sku: 'A', prices: [EUR] },
				'“Variants: A” cannot be merged: the platform gave the variant without a list of its prices',
			],
		),
		...[null, {}, { EUR: 1 }, 'EUR 10', [1]].map(
			(prices): [string, unknown, IDataObject, string] => [
				`named prices that are ${JSON.stringify(prices)}`,
				variants,
				{ sku: 'M', prices } as IDataObject,
				'“Variants: M: prices” must be a list of objects',
			],
		),
	])('are refused for %s', (_what, current, named, message) => {
		expect(() => mergeVariants('Variants', current, [named])).toThrow(message);
	});

	it.each([EUR.amount, 1])(
		'are refused for two rows with a price in one currency: %d',
		(amount) => {
			const rows = [
				{ sku: 'M', prices: [EUR] },
				{ sku: 'L' },
				{ sku: 'M', prices: [{ ...EUR, amount }] },
			];
			expect(() => merge(...rows)).toThrow('“Variants: M” has two prices in EUR');
			const added = rows.map((row) => ({ ...row, sku: `new ${row.sku}`, title: 'New' }));
			expect(() => merge(...added)).toThrow('“Variants: new M” has two prices in EUR');
		},
	);

	it('are refused for two rows that give a field of one SKU two values', () => {
		const rows = [
			{ sku: 'M', title: 'One' },
			{ sku: 'M', title: 'Two' },
		];
		expect(() => merge(...rows)).toThrow('“Variants: M” has two values of “title”');
	});

	it('take several rows for one SKU that name different prices', () => {
		const rows = [EUR, JPY].map((price) => ({
			sku: 'M',
			title: 'Medium',
			prices: [{ ...price, amount: 7 }],
		}));
		expect(merge(...rows)[0]).toMatchObject({
			prices: [
				{ ...EUR, amount: 7 },
				{ ...JPY, amount: 7 },
			],
		});
	});

	it('are refused by the product’s name where one holds a number that cannot be sent back', () => {
		const request = { method: 'PATCH' as const, path: '/products/p' };
		const merged = (gtin: string | number, inexact: string[]) => {
			const product = { id: 'p', title: 'Shirt', variants: [{ sku: 'M' }, { sku: 'L', gtin }] };
			const named = [{ sku: 'M', title: 'x' }];
			return mergedRequest(request, { product, inexact }, 'Variants', named).body?.variants;
		};
		const digits = '12345678901234567890';
		expect(() => merged(digits, [digits])).toThrow(`“Shirt” holds ${digits}`);
		expect(merged(7, [digits])).toEqual([
			{ sku: 'M', title: 'x' },
			{ sku: 'L', gtin: 7 },
		]);
	});

	const price = fc.record({ amount: fc.nat(), currency: fc.constantFrom('EUR', 'JPY', 'KWD') });
	const prices = fc.uniqueArray(price, { selector: ({ currency }) => currency });
	const variant = fc.record({
		sku: fc.constantFrom('A', 'B', 'C', 'D'),
		title: fc.string(),
		prices,
		more: fc.jsonValue(),
	});
	const list = fc.uniqueArray(variant, { selector: ({ sku }) => sku });

	it('differ in nothing but the amount that is named, whatever else they hold', () => {
		fc.assert(
			fc.property(list, fc.nat(), fc.nat(), fc.nat(), (current, v, p, amount) => {
				const before = JSON.stringify(current);
				const { sku, prices: known } = current[v % Math.max(1, current.length)] ?? { prices: [] };
				if (sku === undefined || known.length === 0) return;
				const { currency } = known[p % known.length];
				const named = [{ sku, prices: [{ amount, currency }] }];
				const merged = mergeVariants('Variants', current, named) as typeof current;
				expect(JSON.stringify(current)).toBe(before);
				const back = merged
					.find((one) => one.sku === sku)!
					.prices.find((one) => one.currency === currency)!;
				expect(back.amount).toBe(amount);
				back.amount = known[p % known.length].amount;
				expect(JSON.stringify(merged)).toBe(before);
			}),
		);
	});

	it('change nothing where they name what is there, and are the same when merged twice', () => {
		fc.assert(
			fc.property(list, (current) => {
				const named = current.map(({ sku, prices: said }) => ({ sku, prices: said }));
				expect(changesNothing(current, named)).toBe(true);
			}),
		);
		expect(changesNothing(variants, [{ sku: 'M', prices: [{ ...EUR, amount: 1 }] }])).toBe(false);
		expect(changesNothing(variants, [{ sku: 'none' }])).toBe(false);
		expect(changesNothing(undefined, [{ sku: 'M' }])).toBe(false);
	});
});
