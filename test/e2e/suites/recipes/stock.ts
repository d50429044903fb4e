import assert from 'node:assert/strict';
import { it } from 'node:test';

import { apiClient } from '../../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import {
	importExample,
	runExample,
	runImported,
	withParameters,
} from '../../../support/n8n/exampleRun';

const ROWS = 20;
const WRONG = [7, 13];

/** Recipes about stock. */
export function stockRecipes(shop: TestEnvironment): void {
	it('alert of low stock once a change', async () => {
		const { control } = shop.platform;
		const id = await importExample(shop, 'low-stock-alert.json');
		const [[first]] = (await runImported(shop, id)).outputs('Message');
		const lines = String(first.text).split('\n');
		assert.equal(lines.length, first.count);
		assert.ok(lines.length > 1);
		for (const line of lines) assert.match(line, /^\S+ at sloc_\w+: [0-5] left$/);
		assert.equal((await runImported(shop, id)).runs('Message'), 0);
		const [sku, location_id] = lines[0].replace(/:.*/, '').split(' at ');
		await control.setStock({ sku, location_id, quantity: 2 });
		const [[next]] = (await runImported(shop, id)).outputs('Message');
		assert.deepEqual(next, { text: `${sku} at ${location_id}: 2 left`, count: 1 });
	});

	it('set stock from a list of twenty rows, and report the two that are wrong', async () => {
		const { platform } = shop;
		const skus = Array.from({ length: ROWS }, (_, n) => `LIST-${n}`);
		await apiClient(platform).data('/products', {
			method: 'POST',
			body: {
				title: 'Listed',
				variants: skus.filter((_, n) => n !== WRONG[1]).map((sku) => ({ sku })),
			},
		});
		const rows = skus.map((sku, n) => ({
			sku,
			location: 'sloc_main',
			quantity: n === WRONG[0] ? 'a dozen' : String(n),
		}));
		const { outputs } = await runExample(
			shop,
			'stock-from-list.json',
			withParameters(({ name }) => name === 'Sample List', {
				jsonOutput: JSON.stringify({ rows }),
			}),
		);
		const [done] = outputs('Done');
		const [[report]] = outputs('Report');
		assert.equal(done.length, ROWS - WRONG.length);
		assert.equal(report.count, WRONG.length);
		const [text, unknown] = String(report.text).split('\n');
		assert.equal(
			text,
			'Row 9, SKU "LIST-7", quantity "a dozen": \'Quantity\' must be a whole number. It is "a dozen".',
		);
		assert.match(
			unknown,
			/^Row 15, SKU "LIST-13", quantity "13": Stock level with the sku “LIST-13”: There is no SKU LIST-13 \(HTTP 404\)\. .+ The platform says: “NOT_FOUND”/,
		);
		const level = await platform.control.record('inventory', 'LIST-19@sloc_main');
		assert.equal(level?.quantity, 19);
	});
}
