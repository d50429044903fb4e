import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, useBulkShop } from './bulkShop';

const shop = useBulkShop();
let drawn = 0;

beforeEach(() => jest.spyOn(Math, 'random').mockImplementation(() => ++drawn / 1_000));

/** The second row's SKU is different at every reading. */
const FICKLE = {
	specifyProduct: 'defineBelow',
	sku: '={{ $json.sku === "B" ? "B" + Math.random() : $json.sku }}',
	title: 'Mug',
	amount: '5.00',
	currency: 'EUR',
};
const ROWS = ['A', 'B', 'C'].map((sku) => ({ sku, title: sku }));

describe('a row whose SKU is another one when it is read again fails by itself, and the others go through', () => {
	beforeEach(async () => void (await shop.upsert(ROWS)));

	it.each<[string, string, IDataObject, boolean[]]>([
		['in a batch', 'product.upsert', {}, [false, true, false]],
		['compared first', 'product.upsert', { onlyIfChanged: true }, [false, true, false]],
		['in a dry run', 'product.upsert', { dryRun: true }, [false, true, false]],
		['with prices', 'product.setPrices', {}, [false, true, false]],
		['with an import, which gives one item for all', 'product.importCatalog', {}, [false, true]],
		['one by one', 'product.upsert', {}, [false, true, false]],
	])('%s', async (way, operation, options, expected) => {
		await shop.takesBatches(way !== 'one by one');
		const { failures } = await shop.run(
			operation,
			{ ...FICKLE, options },
			{ items: ROWS, ...CONTINUE },
		);
		expect(failures.map((failure) => failure !== undefined)).toEqual(expected);
		expect(failures[1]?.message).toContain('of row 2 was “B');
	});
});
