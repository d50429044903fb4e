import type { IDataObject } from 'n8n-workflow';

import {
	type NodeRun,
	onlyPage,
	runOperation,
	stubApi,
	type StubRequest,
} from '../../support/engine';
import { CONTINUE, INPUT_ITEM, productItems, useBulkShop } from './bulkShop';

const shop = useBulkShop();

const imported = async (items: IDataObject[], options = {}, more: Partial<NodeRun> = {}) =>
	await shop.run('product.importCatalog', { ...INPUT_ITEM, options }, { items, ...more });
const answerJobs = async (...script: string[]) =>
	await shop.control.setFaults([{ method: 'POST', path: '/jobs/catalog-import', script }]);

describe('Import Catalog', () => {
	it('starts one job for all items, and outputs it as one item that is linked to all of them', async () => {
		const { items, error } = await imported(productItems(1_500));
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { total: 1_500 }, pairedItem: { length: 1_500 } }]);
		expect(await shop.requests()).toEqual({ 'POST /jobs/catalog-import': 1 });
	});

	it('splits items into as few jobs of about equal size as the option allows', async () => {
		const { json } = await imported(productItems(2_500), { batchSize: 1_200 });
		expect(json.map(({ total }) => total)).toEqual([834, 834, 832]);
	});

	it('makes one product of the rows of a SKU, such as those of its own export: a row a currency', async () => {
		const rows = [
			{ sku: 'SKU-0', title: 'Tee', price: '10.00', currency: 'EUR' },
			{ sku: 'SKU-1', title: 'Cap', price: '5.00', currency: 'EUR' },
			{ sku: 'SKU-0', title: 'Tee', price: '11.00', currency: 'USD' },
		];
		const { items } = await shop.run(
			'product.importCatalog',
			{ specifyProduct: 'autoMapInputData' },
			{ items: rows },
		);
		const [{ body }] = await shop.control.requests();
		const { operations } = JSON.parse(body ?? '{}') as { operations: IDataObject[] };
		const priced = (amount: number, currency: string) => ({ amount, currency });
		expect(operations.map(({ sku, variants }) => ({ sku, variants }))).toEqual([
			{
				sku: 'SKU-0',
				variants: [{ sku: 'SKU-0', prices: [priced(1_000, 'EUR'), priced(1_100, 'USD')] }],
			},
			{ sku: 'SKU-1', variants: [{ sku: 'SKU-1', prices: [priced(500, 'EUR')] }] },
		]);
		expect(items).toMatchObject([{ pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }] }]);
	});

	it('lets the later of two rows of a SKU count where they differ, and says so', async () => {
		const items = [...productItems(4), { sku: 'SKU-0', title: 'Again' }];
		const { hint } = await imported(items, { batchSize: 2 });
		const jobs = (await shop.control.requests()).map(({ body }) =>
			(JSON.parse(body ?? '{}') as { operations: IDataObject[] }).operations.map(
				({ sku, title }) => `${String(sku)} ${String(title)}`,
			),
		);
		expect(jobs.map(({ length }) => length)).toEqual([2, 2]);
		expect(jobs.flat()).toContain('SKU-0 Again');
		expect(hint).toContain('rows 1 and 5. Where they differ, the last of them counts.');
	});

	it('takes each field of JSON from the last item of a SKU, as it stands', async () => {
		const priced = (amount: number) => [{ title: 'Red', prices: [{ amount, currency: 'EUR' }] }];
		const items = [1, 2].map((amount) => ({ product: { sku: 'SKU-0', variants: priced(amount) } }));
		await shop.run(
			'product.importCatalog',
			{ specifyProduct: 'json', productJson: '={{ $json.product }}' },
			{ items },
		);
		const [{ body }] = await shop.control.requests();
		expect(JSON.parse(body ?? '{}')).toEqual({
			operations: [{ op: 'upsert', sku: 'SKU-0', variants: priced(2) }],
		});
	});

	it('sends in a further try what an earlier one has not done, and nothing again', async () => {
		let categoryReads = 0;
		let isRefused = true;
		const skusIn = ({ body }: StubRequest) =>
			(body as { operations: IDataObject[] }).operations.map(({ sku }) => sku);
		const sent = stubApi({
			'GET *': () => (categoryReads++ === 0 ? [403, {}] : onlyPage([{ id: 'cat_1', name: 'Men' }])),
			'POST *': (request) => {
				const isFirst = isRefused && skusIn(request).includes('D');
				if (isFirst) isRefused = false;
				return isFirst ? [422, {}] : [202, { data: { id: 'job_1' } }];
			},
		});
		const items = ['A', 'B', 'C', 'D', 'E'].map((sku) => ({
			sku,
			category: sku === 'A' ? 'Men' : '',
		}));
		const { failures } = await runOperation(
			'product.importCatalog',
			{
				specifyProduct: 'defineBelow',
				sku: '={{ $json.sku }}',
				title: 'T',
				additionalFields: { categories: '={{ $json.category }}' },
				options: { batchSize: 2 },
			},
			{ items, ...CONTINUE, retryOnFail: { maxTries: 2 } },
		);
		expect(failures.filter(Boolean)).toEqual([]);
		const jobs = sent.filter(({ route }) => route.startsWith('POST')).map(skusIn);
		expect(jobs).toEqual([['B', 'C'], ['D', 'E'], ['A'], ['D'], ['E']]);
	});

	it('fails if the platform refuses the job, and each of its items gets the error', async () => {
		await answerJobs('422');
		const { items } = await imported(productItems(5), {}, CONTINUE);
		const expected = [0, 1, 2, 3, 4].map((item) => ({
			json: { errorDetails: { status: 422, itemIndex: item, record: { sku: `SKU-${item}` } } },
			pairedItem: { item },
		}));
		expect(items).toMatchObject(expected);
	});

	it('starts a job only once, even if its answer is lost and n8n runs the node again', async () => {
		await answerJobs(...Array<string>(8).fill('lostAnswer'));
		const { items } = await imported(productItems(5), {}, { retryOnFail: { maxTries: 2 } });
		expect(items).toHaveLength(1);
		expect((await shop.control.records('jobs')).count).toBe(1);
	});

	it('sends a whole body as it was entered: names in it are not looked up as those of categories', async () => {
		const body = { categories: ['All of them'], operations: [{ op: 'upsert', sku: 'S-1' }] };
		const parameters = { specifyProduct: 'jobBody', jobBody: body };
		const { error } = await shop.run('product.importCatalog', parameters);
		expect(error).toBeUndefined();
		expect(await shop.requests()).toEqual({ 'POST /jobs/catalog-import': 1 });
		expect(JSON.parse((await shop.control.requests())[0].body ?? '')).toEqual(body);
	});

	it('sends nothing in a dry run', async () => {
		const { json, hint } = await imported(productItems(3_000), { dryRun: true, batchSize: 1_000 });
		expect(await shop.requests()).toEqual({});
		expect(json).toHaveLength(3);
		expect(json[0]).toMatchObject({ dryRun: true, products: 1_000 });
		expect(hint).toContain('nothing was written. It would be 3 requests');
	});
});

describe('a job that the platform refuses', () => {
	/** Answers the jobs by the script, and lets n8n run the node twice. @returns the keys that arrive */
	const again = async (script: string[], count: number, batchSize?: number) => {
		await answerJobs(...script);
		const retryOnFail = { maxTries: 2 };
		const { error, items } = await imported(productItems(count), { batchSize }, { retryOnFail });
		const sent = await shop.control.requests();
		return {
			error,
			items: items.map(({ pairedItem }) =>
				(pairedItem as Array<{ item: number }>).map(({ item }) => item).join(),
			),
			keys: sent.map(({ headers }) => headers['idempotency-key']),
		};
	};

	it.each([
		['with all of its items', ['422'], undefined, ['0,1,2,3'], 2],
		['and jobs before it stay done', ['ok', '422'], 2, ['0,1', '2,3'], 3],
	])('is sent again under a new key, %s', async (_what, script, batchSize, expected, jobs) => {
		const { error, items, keys } = await again(script, 4, batchSize);
		expect([error, items]).toEqual([undefined, expected]);
		expect([keys.length, new Set(keys).size]).toEqual([jobs, jobs]);
	});

	it('is not started twice if the platform knows the first key', async () => {
		const { error, keys } = await again(['409', '409'], 4);
		expect(error?.description).toContain('may have done it all the same');
		expect(new Set(keys).size).toBe(1);
	});
});
