import { useBulkShop, type BulkShop } from './bulkShop';

let shop: BulkShop;

useBulkShop((opened) => {
	shop = opened;
});

let drawn = 0;
beforeEach(() => jest.spyOn(Math, 'random').mockImplementation(() => ++drawn / 1_000));
afterEach(() => jest.restoreAllMocks());

/** The second row's SKU is another one whenever it is read. */
const FICKLE = { sku: '={{ $json.sku === "B" ? "B" + Math.random() : $json.sku }}' };
const CONTINUE = { onError: 'continueRegularOutput' as const };
const ROWS = ['A', 'B', 'C'].map((sku) => ({ sku }));

describe.each([
	['in a batch', {}],
	['compared first', { onlyIfChanged: true }],
	['in a dry run', { dryRun: true }],
])('a row whose SKU is another one when it is read again, %s', (_way, options) => {
	it('fails by itself, and the others go through', async () => {
		const parameters = { ...FICKLE, specifyProduct: 'defineBelow', title: 'Mug', options };
		const { items, error } = await shop.run('product.upsert', ROWS, parameters, CONTINUE);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.error !== undefined)).toEqual([false, true, false]);
		expect(items[1].json.error).toContain('of row 2 was “B');
	});
});

it('so it is one by one, where the platform takes no batches', async () => {
	await shop.platform.control.configure({ inDevelopment: { batch: false } });
	const parameters = { ...FICKLE, specifyProduct: 'defineBelow', title: 'Mug' };
	const { items } = await shop.run('product.upsert', ROWS, parameters, CONTINUE);
	expect(items.map(({ json }) => json.error !== undefined)).toEqual([false, true, false]);
});

it('so it is with prices', async () => {
	await shop.run(
		'product.upsert',
		ROWS.map(({ sku }) => ({ sku, title: sku })),
		{
			specifyProduct: 'autoMapInputData',
		},
	);
	const parameters = { ...FICKLE, amount: '5.00', currency: 'EUR' };
	const { items } = await shop.run('product.setPrices', ROWS, parameters, CONTINUE);
	expect(items.map(({ json }) => json.error !== undefined)).toEqual([false, true, false]);
});

it('so it is with an import', async () => {
	const parameters = { ...FICKLE, specifyProduct: 'defineBelow', title: 'Mug' };
	const { items } = await shop.run('product.importCatalog', ROWS, parameters, CONTINUE);
	expect(items.map(({ json }) => json.error !== undefined)).toEqual([false, true]);
});
