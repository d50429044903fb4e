import type { IDataObject } from 'n8n-workflow';

import { openBulkShop, type BulkShop } from './bulkShop';

const CONTINUE = { onError: 'continueRegularOutput' as const };
const LEVEL = {
	sku: '={{ $json.sku }}',
	locationId: 'sloc_main',
	quantity: '={{ $json.quantity }}',
};

let shop: BulkShop;
beforeAll(async () => {
	shop = await openBulkShop({ products: 2 });
});
beforeEach(async () => await shop.reset());
afterAll(async () => await shop.close());

const PRODUCT = { specifyProduct: 'defineBelow', sku: '={{ $json.sku }}', title: 'New' };
const PRICE = { sku: '={{ $json.sku }}', amount: '1', currency: 'EUR' };
const ITEMS = [
	{ sku: 'A', one: false, few: 1, how: 'stop' },
	{ sku: 'B', one: true, few: 2, how: 'single' },
];

describe('an option that counts for the whole run', () => {
	it.each<[string, IDataObject, string, IDataObject]>([
		['upsert', PRODUCT, 'Dry Run', { dryRun: '={{ $json.one }}' }],
		['upsert', PRODUCT, 'Only If Changed', { onlyIfChanged: '={{ $json.one }}' }],
		['upsert', PRODUCT, 'Batch Size', { batchSize: '={{ $json.few }}' }],
		['upsert', PRODUCT, 'If Batch Is Not Available', { ifBatchNotAvailable: '={{ $json.how }}' }],
		['setPrices', PRICE, 'Dry Run', { dryRun: '={{ $json.one }}' }],
		['setPrices', PRICE, 'Only If Changed', { onlyIfChanged: '={{ $json.one }}' }],
		['importCatalog', PRODUCT, 'Dry Run', { dryRun: '={{ $json.one }}' }],
		['importCatalog', PRODUCT, 'Wait for the Job (Minutes)', { waitForJob: '={{ $json.few }}' }],
	])('is refused in %s where an item has another: %#', async (operation, fields, name, options) => {
		const { error } = await shop.run(`product.${operation}`, ITEMS, { ...fields, options });
		expect(error?.message).toBe(`“${name}” is not the same for all items`);
		expect(await shop.requests()).toEqual({});
	});

	it('fails that item alone, with Continue On Fail', async () => {
		const options = { dryRun: '={{ $json.one }}' };
		const { items } = await shop.run('product.upsert', ITEMS, { ...PRODUCT, options }, CONTINUE);
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true]);
		expect((await shop.batches()).flat().map(({ sku }) => sku)).toEqual(['A']);
	});

	it('is refused in Set as well', async () => {
		const items = ITEMS.map((item) => ({ ...item, quantity: 5 }));
		const options = { onlyIfChanged: '={{ $json.one }}' };
		const { error } = await shop.run('inventory.set', items, { ...LEVEL, options });
		expect(error?.message).toBe('“Only If Changed” is not the same for all items');
		expect(await shop.requests()).toEqual({});
	});
});

it('Only If Changed compares what is written, whatever of the others is a dry run', async () => {
	const { items: levels } = await shop.run('inventory.getAll', [{}], { returnAll: true });
	await shop.platform.control.resetCounters();
	const items = levels.slice(0, 2).map(({ json }, n) => ({ ...json, dry: n === 0 }));
	const { items: output } = await shop.run('inventory.set', items, {
		...LEVEL,
		locationId: '={{ $json.location_id }}',
		options: { onlyIfChanged: true, dryRun: '={{ $json.dry }}' },
	});
	expect(output.map(({ json }) => [json.dryRun, json.skipped])).toEqual([
		[true, undefined],
		[undefined, true],
	]);
	// One for the row of the dry run, one to compare.
	expect(await shop.requests()).toEqual({ 'GET /inventory/levels': 2 });
});
