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
}
