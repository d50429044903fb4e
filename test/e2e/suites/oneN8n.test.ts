import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { apiClient } from '../../../platform/support/apiClient';
import {
	EXAMPLES,
	RECENT_ORDERS_EXAMPLE,
	SPREADSHEET_EXAMPLE,
	SYNC_EXAMPLE,
} from '../../support/n8n/examples';
import { runExample, withParameters } from '../../support/n8n/exampleRun';
import type { WorkflowFile } from '../../support/n8n/types';
import { strayed } from '../../support/strayed';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { environmentOfSuite } from '../environment';
import { credentialTest } from './credential';
import { manyMerchants } from './merchants';
import { orderPaid } from './orderPaid';
import { assistantRecipe } from './recipes/assistant';
import { catalogueRecipes } from './recipes/catalogue';
import { customerRecipes } from './recipes/customers';
import { orderRecipes } from './recipes/orders';
import { stockRecipes } from './recipes/stock';
import { webhookRecipes } from './recipes/webhooks';
import { secretsStaySecret } from './secrets';

const SHIRT = ['SHEET-1', 'SHEET-L', 'SHEET-XL'].map((sku) => ({
	sku,
	title: sku,
	prices: [
		{ amount: 1000, currency: 'EUR' },
		{ amount: 1100, currency: 'USD' },
	],
}));

/**
 * The suites share one n8n, in this order. The platform is new for the first one, and the last checks what all have
 * left.
 */
describe('a real n8n that logs everything', () => {
	const shop = environmentOfSuite({ n8n: { environment: { N8N_LOG_LEVEL: 'debug' } } });

	describe('a paid order', () => orderPaid(shop));
	describe('the credential test', () => credentialTest(shop));
	describe('many merchants in one workflow', () => manyMerchants(shop));
	describe('the example workflows', () => exampleWorkflows(shop));
	describe('the API key and the signing secret', () => secretsStaySecret(shop));

	it('strayed from the API document nowhere', async () => {
		assert.deepEqual(await strayed(shop.platform), []);
	});
});

function exampleWorkflows(shop: TestEnvironment): void {
	it('can all be imported, and bring no credential of whoever made them', async () => {
		const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.json'));
		for (const file of files) {
			const workflow = JSON.parse(await readFile(join(EXAMPLES, file), 'utf8')) as WorkflowFile;
			assert.ok(
				workflow.nodes.every(({ credentials }) => credentials === undefined),
				file,
			);
			const { id } = await shop.client.createWorkflow(workflow);
			await shop.client.deleteWorkflow(id);
		}
	});

	it('list paid orders of the last day and fetch each with its line items', async () => {
		const { order } = await shop.platform.control.payOrder();
		const [orders] = (await runExample(shop, RECENT_ORDERS_EXAMPLE)).outputs('Get Line Items');
		assert.ok(orders.some(({ id }) => id === order.id));
		assert.ok(orders.every(({ status }) => status === 'paid'));
		assert.ok(orders.every(({ line_items: items }) => Array.isArray(items) && items.length > 0));
	});

	for (const batch of [true, false]) {
		it(`write stock and prices of a spreadsheet, ${batch ? 'with' : 'without'} batches`, async () => {
			const { platform } = shop;
			await platform.control.configure({ inDevelopment: { batch } });
			const { id } = await apiClient(platform).data<{ id: string }>('/products', {
				method: 'POST',
				body: { title: 'Shirt', variants: SHIRT },
			});
			const { outputs } = await runExample(shop, SPREADSHEET_EXAMPLE);
			const [levels] = outputs('Set Stock');
			assert.deepEqual(levels.map(({ sku, quantity }) => [sku, quantity]).sort(), [
				['SHEET-1', 12],
				['SHEET-2', 0],
				['SHEET-3', 5],
			]);
			const [prices] = outputs('Set Prices');
			assert.deepEqual(prices.map(({ sku, price }) => [sku, price]).sort(), [
				['SHEET-1', 19.99],
				['SHEET-2', 17.5],
				['SHEET-3', 34],
			]);
			// The first row has one variant of three, and one price of two. Its title is not the product's.
			const { variants, title } = (await platform.control.record('products', id)) ?? {};
			assert.equal(title, 'Shirt');
			const [{ prices: euro, ...first }, ...others] = SHIRT;
			assert.deepEqual(variants, [
				{ ...first, prices: [{ amount: 1999, currency: 'EUR' }, euro[1]] },
				...others,
			]);
			await apiClient(platform).send(`/products/${id}`, { method: 'DELETE' });
			const [[report]] = outputs('Report');
			assert.deepEqual([report.wrongRows, report.text], [0, 'Blank rows that were skipped: 1']);
		});
	}

	it('write the right rows of a spreadsheet, and report the wrong ones as a person reads them', async () => {
		const { platform } = shop;
		const row = { title: 'Sheet', price: '5.00', currency: 'EUR', stock: '50' };
		const rows = [
			{ ...row, sku: 'REPORT-1' },
			{ ...row, sku: 'REPORT-2', stock: 'a dozen' },
			{ ...row, sku: 'REPORT-3 ', price: '5,00' },
			{ ...row, sku: '8.72E+12' },
			{},
			{ ...row, sku: 'REPORT-6', counted_at: '2020-01-01T00:00:00Z' },
		];
		await apiClient(platform).data('/products', {
			method: 'POST',
			body: { title: 'Counted', variants: [{ sku: 'REPORT-6', title: 'Counted' }] },
		});
		const level = { location_id: 'sloc_main', quantity: 9 };
		await platform.control.setStock({ sku: 'REPORT-6', ...level });
		const { outputs } = await runExample(
			shop,
			SPREADSHEET_EXAMPLE,
			withParameters(({ name }) => name === 'Sample Spreadsheet', {
				jsonOutput: JSON.stringify({ rows }),
			}),
		);
		const [[report]] = outputs('Report');
		const lines = String(report.text).split('\n');
		const expected = [
			/^Row 3, SKU "REPORT-2", stock "a dozen": 'Quantity' must be a whole number\. It is "a dozen"\.$/,
			/^Row 4, SKU "REPORT-3 ", price "5,00", currency "EUR": 'Price' is not an amount\. It is "5,00"\./,
			/^Row 5, SKU "8\.72E\+12", title "Sheet": 'SKU' is "8\.72E\+12": a spreadsheet has shortened/,
			/^Row 7, SKU "REPORT-6", stock "50": Stock level with the sku “REPORT-6”: 2020-01-01T\S+ is older .+ The stock level was changed .+ The platform says: “CONFLICT”/,
			/^Blank rows that were skipped: 1$/,
		];
		assert.equal(lines.length, expected.length);
		for (const [n, line] of lines.entries()) assert.match(line, expected[n]);
		// The valid fields of a wrong row are written all the same.
		const stock = async (sku: string) =>
			(await platform.control.record('inventory', `${sku}@sloc_main`))?.quantity;
		assert.deepEqual(
			[await stock('REPORT-1'), await stock('REPORT-3'), await stock('REPORT-6')],
			[50, 50, 9],
		);
		for (const { id } of outputs('Write Products')[0])
			await apiClient(platform).send(`/products/${String(id)}`, { method: 'DELETE' });
	});

	it('sync a catalogue, and send nothing the second time', async () => {
		const { control } = shop.platform;
		await control.configure({ inDevelopment: { batch: true } });
		const first = await runExample(shop, SYNC_EXAMPLE);
		const [written, refused] = first.outputs('Sync Products');
		assert.deepEqual(
			written.map(({ title }) => title),
			['Linen shirt', 'Cotton shirt', 'Wool scarf'],
		);
		assert.deepEqual(refused ?? [], []);
		await control.resetCounters();
		const [again] = (await runExample(shop, SYNC_EXAMPLE)).outputs('Sync Products');
		assert.ok(again.every(({ skipped }) => skipped === true));
		const { byRoute } = await control.counters();
		assert.ok(byRoute.every(({ method }) => method === 'GET'));
	});

	stockRecipes(shop);
	catalogueRecipes(shop);
	customerRecipes(shop);
	orderRecipes(shop);
	webhookRecipes(shop);
	assistantRecipe(shop);
}
