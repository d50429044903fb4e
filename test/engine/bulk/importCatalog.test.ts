import type { IDataObject } from 'n8n-workflow';

import { type NodeRun, runOperation, stubApi } from '../../support/engine';
import { CONTINUE, INPUT_ITEM, productItems, useBulkShop } from './bulkShop';

const shop = useBulkShop();

const imported = async (items: IDataObject[], options = {}, more: Partial<NodeRun> = {}) =>
	await shop.run('product.importCatalog', items, { ...INPUT_ITEM, options }, more);
const answerJobs = async (...script: string[]) =>
	await shop.control.setFaults([{ method: 'POST', path: '/jobs/catalog-import', script }]);

describe('Import Catalog', () => {
	it('starts one job for all items, and gives it as one item that is linked to all', async () => {
		const { items, error } = await imported(productItems(1_500));
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { total: 1_500 }, pairedItem: { length: 1_500 } }]);
		expect(await shop.requests()).toEqual({ 'POST /jobs/catalog-import': 1 });
	});

	it('splits items over as few jobs of about the same size as the option allows', async () => {
		const { json } = await imported(productItems(2_500), { batchSize: 1_200 });
		expect(json.map(({ total }) => total)).toEqual([834, 834, 832]);
	});

	it('keeps items of one SKU in one job, and says that their order is the platform’s', async () => {
		const items = [...productItems(4), { sku: 'SKU-0', title: 'Again' }];
		const { hint } = await imported(items, { batchSize: 2 });
		const skus = (await shop.control.requests()).map(({ body }) =>
			(JSON.parse(body ?? '{}') as { operations: IDataObject[] }).operations.map(({ sku }) => sku),
		);
		expect(skus).toContainEqual(['SKU-0', 'SKU-1', 'SKU-0']);
		expect(hint).toContain('SKUs that an earlier item has: 1');
	});

	it('gives the job as it is where the platform does not show its state', async () => {
		await shop.control.configure({ dialect: { jobPath: 'hidden' } });
		const { json, hint } = await imported(productItems(50), { waitForJob: 1 });
		expect(json).toMatchObject([{ total: 50 }]);
		expect(hint).toContain('does not show the state of its jobs');
	});

	it('fails where the platform refuses the job, and links the error to its items', async () => {
		await answerJobs('422');
		const { items } = await imported(productItems(5), {}, CONTINUE);
		const json = { status: 422, itemIndexes: [0, 1, 2, 3, 4] };
		expect(items).toMatchObject([{ json, pairedItem: { length: 5 } }]);
		expect(items[0].json).not.toHaveProperty('sku');
	});

	it('starts a job once although its answer is lost and n8n runs the node again', async () => {
		await answerJobs(...Array<string>(8).fill('lostAnswer'));
		const { items } = await imported(productItems(5), {}, { retryOnFail: { maxTries: 2 } });
		expect(items).toHaveLength(1);
		expect((await shop.control.records('jobs')).count).toBe(1);
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
	/** Answers each job with the next status, and a key that it knows as it did before. Gives the keys that arrive. */
	const run = async (statuses: number[], count: number, maxTries: number, options = {}) => {
		const left = [...statuses];
		const answers = new Map<string, [number, object?]>();
		const sent = stubApi({
			'POST /jobs/catalog-import': ({ headers }) => {
				const key = String(headers['idempotency-key']);
				const status = (left.length > 1 ? left.shift() : left[0]) ?? 202;
				const data = { id: `job_${answers.size + 1}` };
				const answer = answers.get(key) ?? [status, status < 300 ? { data } : {}];
				answers.set(key, answer);
				return answer;
			},
			'GET /jobs/job_1': [[200, { data: { id: 'job_1', status: 'failed' } }]],
			'GET /jobs/job_2': [[200, { data: { id: 'job_2', status: 'completed' } }]],
		});
		const retryOnFail = { retryOnFail: { maxTries } };
		const { error, items } = await runOperation(
			'product.importCatalog',
			{ ...INPUT_ITEM, options },
			{ items: productItems(count), ...(maxTries > 1 && retryOnFail) },
		);
		const posts = sent.filter(({ route }) => route.startsWith('POST'));
		const keys = posts.map(({ headers }) => headers['idempotency-key']);
		const jobs = items.map(({ json, pairedItem }) => [
			json.id,
			(pairedItem as Array<{ item: number }>).map(({ item }) => item),
		]);
		return { error, jobs, sent: keys.length, keys: new Set(keys).size };
	};

	it.each<[string, number[], number, object, unknown[], number]>([
		['with all of its items', [422, 202], 5, {}, [['job_2', [0, 1, 2, 3, 4]]], 2],
		[
			'and jobs before it stay done',
			[202, 422, 202],
			4,
			{ batchSize: 2 },
			[
				['job_1', [0, 1]],
				['job_3', [2, 3]],
			],
			3,
		],
		['as is one that failed', [202], 4, { waitForJob: 1 }, [['job_2', [0, 1, 2, 3]]], 2],
	])(
		'is asked for again under a key of its own, %s',
		async (_what, statuses, count, options, jobs, keys) => {
			const result = await run(statuses, count, 2, options);
			expect(result).toEqual({ error: undefined, jobs, sent: keys, keys });
		},
	);

	it('is no second one where the platform knows the key of the first', async () => {
		const { error, keys } = await run([409, 409, 202], 4, 2);
		expect(error?.description).toContain('may have done it all the same');
		expect(keys).toBe(1);
	});
});
