import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { runExample } from '../../../support/n8n/exampleRun';

const PAGE = 250;

/** Recipes about products and their prices. */
export function catalogueRecipes(shop: () => TestEnvironment): void {
	it('read the whole catalogue page by page', async () => {
		const { count } = await shop().platform.control.records('products');
		assert.ok(count > PAGE);
		const { all, runs } = await runExample(shop(), 'catalogue-by-pages.json');
		assert.equal(runs('Get One Page'), Math.ceil(count / PAGE));
		assert.equal(new Set(all('Your System').map(({ id }) => id)).size, count);
		assert.equal(runs('All Done'), 1);
	});

	it('export one row a variant and price as a file', async () => {
		const { records } = await shop().platform.control.list({ kind: 'products', limit: 500 });
		const { outputs, file } = await runExample(shop(), 'product-export-variants.json');
		const [rows] = outputs('Get All Variants');
		const wanted = records.flatMap(({ variants }) =>
			(variants as Array<{ sku: string; prices?: Money[] }>).flatMap(({ sku, prices = [] }) =>
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

interface Money {
	amount: number;
	currency: string;
}

const amountOf = ({ amount, currency }: Money): string => `${amount} ${currency}`;
