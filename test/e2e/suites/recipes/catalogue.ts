import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { Money, Product } from '../../../../platform/shop/product';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { runExample } from '../../../support/n8n/exampleRun';

const PAGE = 250;

/** The prices in the recipe's sample sheet. */
const PRICED = [
	{ sku: 'CHA-000001-1', price: { amount: 2490, currency: 'EUR' } },
	{ sku: 'GLO-000003-1', price: { amount: 9500, currency: 'JPY' } },
];

/** Recipes about products and their prices. */
export function catalogueRecipes(shop: TestEnvironment): void {
	it('read the whole catalogue page by page', async () => {
		const { count } = await shop.platform.control.records('products');
		assert.ok(count > PAGE);
		const { all, runs } = await runExample(shop, 'catalogue-by-pages.json');
		assert.equal(runs('Get One Page'), Math.ceil(count / PAGE));
		assert.equal(new Set(all('Your System').map(({ id }) => id)).size, count);
		assert.equal(runs('All Done'), 1);
	});

	it('change prices from a sheet, and nothing else of the products', async () => {
		const { control } = shop.platform;
		const productOf = async (sku: string) => {
			const { records } = await control.list({ kind: 'products', q: sku });
			return records[0] as unknown as Product;
		};
		const before = await Promise.all(PRICED.map(({ sku }) => productOf(sku)));
		const { outputs } = await runExample(shop, 'price-change-from-sheet.json');
		for (const [n, { sku, price }] of PRICED.entries()) {
			const after = await productOf(sku);
			assert.deepEqual(after, {
				...before[n],
				updated_at: after.updated_at,
				variants: before[n].variants.map((variant) =>
					variant.sku === sku ? { ...variant, prices: withPrice(variant.prices, price) } : variant,
				),
			});
		}
		const [[wrong]] = outputs('Wrong Row');
		assert.equal(wrong.sku, '"CHA-404"');
		assert.match(String(wrong.reason), /\S/);
	});

	it('export one row a variant and price as a file', async () => {
		const { records } = await shop.platform.control.list({ kind: 'products', limit: 500 });
		const { outputs, file } = await runExample(shop, 'product-export-variants.json');
		const [rows] = outputs('Get All Variants');
		const wanted = records.flatMap(({ variants }) =>
			(variants as Product['variants']).flatMap(({ sku, prices }) =>
				prices.length === 0 ? [sku] : prices.map((price) => `${sku} ${amountOf(price)}`),
			),
		);
		const given = rows.map(({ sku, price, price_minor: amount, currency }) => {
			if (price === undefined) return sku;
			assert.equal(price, Number(amount) / unitsOf(String(currency)));
			return `${String(sku)} ${amountOf({ amount, currency } as Money)}`;
		});
		assert.deepEqual(given.sort(), wanted.sort());
		assert.equal(file('CSV File')?.fileName, 'variants.csv');
	});
}

const withPrice = (prices: Money[], price: Money): Money[] =>
	prices.map((present) => (present.currency === price.currency ? price : present));

/** How many minor units one major unit has. */
const unitsOf = (currency: string): number => {
	const format = new Intl.NumberFormat('en', { style: 'currency', currency });
	return 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0);
};

const amountOf = ({ amount, currency }: Money): string => `${amount} ${currency}`;
