import { INPUT_ITEM, productItems, useBulkShop, type BulkShop } from './bulkShop';

let shop: BulkShop;

useBulkShop((opened) => {
	shop = opened;
});

const options = (values: object) => ({ ...INPUT_ITEM, options: { ...values } });
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message).join(' ');

describe('Import Catalog', () => {
	it('starts one job for all items, and gives it as one item that is linked to all', async () => {
		const { items, error } = await shop.run(
			'product.importCatalog',
			productItems(1_500),
			INPUT_ITEM,
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ total: 1_500 });
		expect(items[0].pairedItem).toHaveLength(1_500);
		expect(await shop.requests()).toEqual({ 'POST /jobs/catalog-import': 1 });
	});

	it('splits items over as few jobs of about the same size as the option allows', async () => {
		const result = await shop.run(
			'product.importCatalog',
			productItems(2_500),
			options({ batchSize: 1_200 }),
		);
		expect(result.items.map(({ json }) => json.total)).toEqual([834, 834, 832]);
		expect(hintsOf(result)).toContain('split over 3 jobs');
	});

	it('keeps items of one SKU in one job, and says that their order is the platform’s', async () => {
		const items = [...productItems(4), { sku: 'SKU-0', title: 'Again' }];
		const result = await shop.run('product.importCatalog', items, options({ batchSize: 2 }));
		const bodies = (await shop.platform.control.requests()).map(
			({ body }) => JSON.parse(body ?? '{}') as { operations: Array<{ sku: string }> },
		);
		const first = bodies.find(({ operations }) => operations[0].sku === 'SKU-0');
		expect(first?.operations.map(({ sku }) => sku)).toEqual(['SKU-0', 'SKU-1', 'SKU-0']);
		expect(hintsOf(result)).toContain('SKUs that an earlier item has: 1');
	});

	it('says of few items that Create or Update tells more', async () => {
		const result = await shop.run('product.importCatalog', productItems(10), INPUT_ITEM);
		expect(hintsOf(result)).toContain('meant for more than 1000 products');
	});

	it('waits for the job where the platform shows its state', async () => {
		await shop.platform.control.configure({ dialect: { jobPath: 'shown' } });
		const { items } = await shop.run(
			'product.importCatalog',
			productItems(50),
			options({ waitForJob: 1 }),
		);
		expect(items[0].json).toMatchObject({ status: 'completed', succeeded: 50, failed: 0 });
	}, 20_000);

	it('gives the job as it is where the platform does not show its state', async () => {
		await shop.platform.control.configure({ dialect: { jobPath: 'hidden' } });
		const result = await shop.run(
			'product.importCatalog',
			productItems(50),
			options({ waitForJob: 1 }),
		);
		expect(result.error).toBeUndefined();
		expect(result.items[0].json).toMatchObject({ total: 50 });
		expect(hintsOf(result)).toContain('does not show the state of its jobs');
	}, 20_000);

	it('fails where the platform refuses the job, and links the error to its items', async () => {
		await shop.platform.control.setFaults([
			{ method: 'POST', path: '/jobs/catalog-import', script: ['422'] },
		]);
		const { items } = await shop.run('product.importCatalog', productItems(5), INPUT_ITEM, {
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ status: 422, itemIndexes: [0, 1, 2, 3, 4] });
		expect(items[0].json).not.toHaveProperty('sku');
		expect(items[0].pairedItem).toHaveLength(5);
	});

	it('starts a job once although its answer is lost and n8n runs the node again', async () => {
		await shop.platform.control.setFaults([
			{ method: 'POST', path: '/jobs/catalog-import', script: Array<string>(8).fill('lostAnswer') },
		]);
		const { items, error } = await shop.run('product.importCatalog', productItems(5), INPUT_ITEM, {
			retryOnFail: { maxTries: 2 },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect((await shop.platform.control.records('jobs')).count).toBe(1);
	});

	it('sends nothing in a dry run', async () => {
		const result = await shop.run(
			'product.importCatalog',
			productItems(3_000),
			options({ dryRun: true, batchSize: 1_000 }),
		);
		expect(await shop.requests()).toEqual({});
		expect(result.items).toHaveLength(3);
		expect(result.items[0].json).toMatchObject({ dryRun: true, products: 1_000 });
		expect(hintsOf(result)).toContain('nothing was sent. It would be 3 requests');
	});
});
