import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { Money, Product } from '../../../../platform/shop/product';
import { apiClient } from '../../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { runExample } from '../../../support/n8n/exampleRun';

const PAGE = 250;

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
		const { platform } = shop;
		const variants = [
			{ sku: 'PRICE-1', title: 'One', prices: [money(1999, 'EUR'), money(3000, 'JPY')] },
			{ sku: 'PRICE-2', title: 'Two', prices: [money(3000, 'JPY')] },
		];
		const { id } = await apiClient(platform).data<{ id: string }>('/products', {
			method: 'POST',
			body: { title: 'Priced', description: 'As it was', variants },
		});
		const before = await platform.control.record('products', id);
		const { outputs } = await runExample(shop, 'price-change-from-sheet.json');
		const after = await platform.control.record('products', id);
		assert.deepEqual(after, {
			...before,
			updated_at: after?.updated_at,
			variants: [
				{ ...variants[0], prices: [money(2490, 'EUR'), money(3000, 'JPY')] },
				{ ...variants[1], prices: [money(3200, 'JPY')] },
			],
		});
		const [[wrong]] = outputs('Wrong Row');
		assert.equal(wrong.sku, '"PRICE-404"');
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
		const given = rows.map((row) =>
			row.amount === undefined
				? row.sku
				: `${String(row.sku)} ${amountOf(row as unknown as Money)}`,
		);
		assert.deepEqual(given.sort(), wanted.sort());
		assert.equal(file('CSV File')?.fileName, 'variants.csv');
	});
}

const money = (amount: number, currency: string): Money => ({ amount, currency });

const amountOf = ({ amount, currency }: Money): string => `${amount} ${currency}`;
