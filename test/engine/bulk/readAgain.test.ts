import type { NodeResult } from '../../support/engine/runNode';
import { CONTINUE, useBulkShop } from './bulkShop';

const shop = useBulkShop();
let drawn = 0;

beforeEach(() => jest.spyOn(Math, 'random').mockImplementation(() => ++drawn / 1_000));

/** The second row's SKU is another one whenever it is read. */
const FICKLE = {
	specifyProduct: 'defineBelow',
	sku: '={{ $json.sku === "B" ? "B" + Math.random() : $json.sku }}',
	title: 'Mug',
	amount: '5.00',
	currency: 'EUR',
};
const ROWS = ['A', 'B', 'C'].map((sku) => ({ sku, title: sku }));
const failed = ({ json }: NodeResult) => json.map(({ error }) => error !== undefined);

describe('a row whose SKU is another one when it is read again fails by itself, and the others go through', () => {
	it.each([
		['in a batch', {}],
		['compared first', { onlyIfChanged: true }],
		['in a dry run', { dryRun: true }],
	])('%s', async (_way, options) => {
		const result = await shop.run('product.upsert', ROWS, { ...FICKLE, options }, CONTINUE);
		expect(failed(result)).toEqual([false, true, false]);
		expect(result.json[1].error).toContain('of row 2 was “B');
	});

	it('one by one, where the platform takes no batches', async () => {
		await shop.takesBatches(false);
		const result = await shop.run('product.upsert', ROWS, FICKLE, CONTINUE);
		expect(failed(result)).toEqual([false, true, false]);
	});

	it('with prices', async () => {
		await shop.upsert(ROWS);
		const result = await shop.run('product.setPrices', ROWS, FICKLE, CONTINUE);
		expect(failed(result)).toEqual([false, true, false]);
	});

	it('with an import, which gives one item for all others', async () => {
		const result = await shop.run('product.importCatalog', ROWS, FICKLE, CONTINUE);
		expect(failed(result)).toEqual([false, true]);
	});
});
