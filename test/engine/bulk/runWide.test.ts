import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, useBulkShop } from './bulkShop';

const shop = useBulkShop({ products: 2 });

/** The fields of every operation with such an option. */
const FIELDS = {
	specifyProduct: 'defineBelow',
	sku: '={{ $json.sku }}',
	title: 'New',
	amount: '1',
	currency: 'EUR',
	locationId: '={{ $json.location_id }}',
	quantity: '={{ $json.quantity }}',
	delta: 1,
};
const ITEMS = [
	{ sku: 'A', location_id: 'sloc_main', quantity: 5, one: false, few: 1, how: 'stop' },
	{ sku: 'B', location_id: 'sloc_main', quantity: 5, one: true, few: 2, how: 'single' },
];

describe('an option that counts for the whole run', () => {
	it.each<[string, string, IDataObject]>([
		['product.upsert', 'Batch Size', { batchSize: '={{ $json.few }}' }],
		['product.upsert', 'If Batch Is Not Available', { ifBatchNotAvailable: '={{ $json.how }}' }],
		['product.setPrices', 'Dry Run', { dryRun: '={{ $json.one }}' }],
		['inventory.set', 'Dry Run', { dryRun: '={{ $json.one }}' }],
		['inventory.adjust', 'Dry Run', { dryRun: '={{ $json.one }}' }],
		['inventory.set', 'Only If Changed', { onlyIfChanged: '={{ $json.one }}' }],
	])('is refused in %s where an item has another: %s', async (operation, name, options) => {
		const { error } = await shop.run(operation, { ...FIELDS, options }, { items: ITEMS });
		expect(error?.message).toBe(`'${name}' is not the same for all items`);
		expect(await shop.requests()).toEqual({});
	});

	it('fails that item alone, with Continue On Fail', async () => {
		const options = { dryRun: '={{ $json.one }}' };
		const { json } = await shop.run(
			'product.upsert',
			{ ...FIELDS, options },
			{ items: ITEMS, ...CONTINUE },
		);
		expect(json.map((item) => 'error' in item)).toEqual([false, true]);
		expect((await shop.batches()).flat().map(({ sku }) => sku)).toEqual(['A']);
	});
});
