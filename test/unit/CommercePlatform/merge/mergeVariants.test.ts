import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	changesNothing,
	tellSaidTwice,
} from '../../../../nodes/CommercePlatform/resources/product/changes';
import { writeMerged } from '../../../../nodes/CommercePlatform/resources/product/writeProduct';
import type { PlatformClient } from '../../../../nodes/shared/rest/client';

const EUR = { amount: 1000, currency: 'EUR', compare_at: 1200 };
const JPY = { amount: 1500, currency: 'JPY' };
const MEDIUM = { sku: 'M', title: 'Medium', barcode: '4006', prices: [EUR, JPY] };
const LARGE = { sku: 'L', title: 'Large', prices: [EUR] };
const variants = [MEDIUM, LARGE];

/** The variants that are sent for a product, if some of them are named. */
async function mergeInto(current: unknown, named: IDataObject[]) {
	const record = { id: 'p', title: 'Shirt', variants: current } as IDataObject;
	const answer = { status: 200, headers: {}, body: {}, record };
	const sent: IDataObject[] = [];
	await writeMerged(
		{ method: 'PATCH', path: '/products/{productId}', pathParams: { productId: 'p' } },
		named,
		{ request: async () => await Promise.resolve(answer) } as unknown as PlatformClient,
		async ({ body }) => {
			sent.push(body ?? {});
			return await Promise.resolve(answer);
		},
	);
	return sent[0].variants as IDataObject[];
}

const merge = async (...named: IDataObject[]) => await mergeInto(variants, named);

describe('variants that are merged', () => {
	const SMALL = { sku: 'S', title: 'Small', prices: [JPY] };
	const KWD = { amount: 9, currency: 'KWD' };

	const priced = { ...LARGE, prices: [EUR, KWD] };

	it.each<[string, IDataObject, IDataObject[]]>([
		['get a price in a currency of its own', { sku: 'L', prices: [KWD] }, [MEDIUM, priced]],
		['take a new one that has a title', SMALL, [MEDIUM, LARGE, SMALL]],
	])('%s', async (_what, named, merged) => expect(await merge(named)).toEqual(merged));

	it('keep the platform’s spelling of a currency', async () => {
		const of = (amount: number, currency: string) => [{ sku: 'A', prices: [{ amount, currency }] }];
		expect(await mergeInto(of(1, 'eur'), of(2, 'EUR'))).toEqual(of(2, 'eur'));
	});

	const ONE = { sku: 'A', prices: [EUR] };
	const TWICE = { sku: 'A', prices: [EUR, EUR] };
	const NO_LIST = 'without a list of its variants';
	const NO_PRICES =
		"'Variants: A' cannot be merged: the platform gave the variant without a list of its prices";
	const NO_OBJECTS = "'Variants: M: prices' must be a list of objects";
	const other = { sku: 'L' };
	const of = (sku: string, amount = EUR.amount) => ({
		sku,
		...(sku === 'new' && { title: 'New' }),
		prices: [{ ...EUR, amount }],
	});
	const titled = (...titles: string[]) => titles.map((title) => ({ sku: 'M', title }));

	it.each<[string, current: unknown, named: object[], message: string]>([
		['a SKU without a title', variants, [{ sku: 'X' }], "'Variants' names the SKU “X”"],
		['another case', variants, [{ sku: 'm' }], "'Variants' names the SKU “m”"],
		['a SKU twice', [LARGE, LARGE], [other], 'several variants with the SKU “L”'],
		['a currency twice', [TWICE], [ONE], 'several prices in EUR'],
		['no variants', undefined, [other], NO_LIST],
		['null for a variant', [null, LARGE], [other], NO_LIST],
		['no prices', [{ sku: 'A' }], [ONE], NO_PRICES],
		['a price without a currency', [{ sku: 'A', prices: [{ amount: 1 }] }], [ONE], NO_PRICES],
		['odd prices', variants, [{ sku: 'M', prices: null }], NO_OBJECTS],
	])('are refused for %s: %j', async (_what, current, named, message) => {
		await expect(mergeInto(current, named as IDataObject[])).rejects.toThrow(message);
	});

	it('take the later of two values, and say which these are', async () => {
		const rows = [of('M', 1), other, of('M', 2), of('new', 3), of('new', 3), ...titled('I', 'II')];
		const merged = await merge(...rows);
		expect(merged[0]).toMatchObject({ title: 'II', prices: [{ ...EUR, amount: 2 }, JPY] });
		expect(merged[2]).toEqual(of('new', 3));
		const hints: string[] = [];
		tellSaidTwice(rows, (text) => hints.push(text));
		expect(hints).toEqual([
			'Entered twice, and the later value counts: M: price in EUR, M: title.',
		]);
	});

	it('accept several rows for one SKU with different prices', async () => {
		const prices = [EUR, JPY].map((price) => ({ ...price, amount: 7 }));
		const rows = prices.map((price) => ({ sku: 'M', title: 'Medium', prices: [price] }));
		expect((await merge(...rows))[0]).toMatchObject({ prices });
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

	it('differ only in the named amount, whatever else they contain', async () => {
		await fc.assert(
			fc.asyncProperty(list, fc.nat(), fc.nat(), fc.nat(), async (current, v, p, amount) => {
				const before = JSON.stringify(current);
				const { sku, prices: known } = current[v % Math.max(1, current.length)] ?? { prices: [] };
				if (sku === undefined || known.length === 0) return;
				const { currency } = known[p % known.length];
				const named = [{ sku, prices: [{ amount, currency }] }];
				const merged = (await mergeInto(current, named)) as typeof current;
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

	it('change nothing if they name present values, and are the same when merged twice', () => {
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
