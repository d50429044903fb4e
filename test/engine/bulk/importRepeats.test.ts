import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';
import { INPUT_ITEM, productItems } from './bulkShop';

const JOBS = '/jobs/catalog-import';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/**
 * A platform that answers each job with the next status, the last one again and again, and a key that it knows as it
 * did before. Gives the keys that arrive.
 */
function answerJobs(...statuses: number[]): string[] {
	const keys: string[] = [];
	const answers = new Map<string, [number, object]>();
	nock(BASE_URL)
		.persist()
		.post(JOBS)
		.reply(function () {
			const key = String(this.req.headers['idempotency-key']);
			keys.push(key);
			const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 202;
			const id = `job_${answers.size + 1}`;
			const answer = answers.get(key) ?? [status, status < 300 ? { data: { id } } : {}];
			answers.set(key, answer);
			return answer;
		});
	return keys;
}

const importItems = async (count: number, maxTries = 1, options = {}) =>
	await runNode({
		items: productItems(count),
		...(maxTries > 1 && { retryOnFail: { maxTries } }),
		parameters: { resource: 'product', operation: 'importCatalog', ...INPUT_ITEM, options },
	});

describe('a job that the platform refuses', () => {
	it('leaves all of its items undone', async () => {
		answerJobs(422);
		const { error } = await importItems(2_000);
		expect(error?.description).toContain('2000 items failed');
		expect(error?.description).toContain('0 of 2000 items were done before it stopped.');
	});

	it('is asked for again under a key of its own, with all of its items', async () => {
		const keys = answerJobs(422, 202);
		const { items, error } = await importItems(5, 2);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual(['job_2']);
		expect(items[0].pairedItem).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
		expect(new Set(keys).size).toBe(2);
	});

	it('leaves jobs before it done', async () => {
		const keys = answerJobs(202, 422, 202);
		const { items } = await importItems(4, 2, { batchSize: 2 });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }],
			[{ item: 2 }, { item: 3 }],
		]);
		expect(keys).toHaveLength(3);
	});
});

it('asks for another job after one that failed', async () => {
	const keys = answerJobs(202);
	for (const [id, status] of Object.entries({ job_1: 'failed', job_2: 'completed' }))
		nock(BASE_URL).persist().get(`/jobs/${id}`).reply(200, { data: { id, status } });
	const { items, error } = await importItems(4, 2, { waitForJob: 1 });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(['job_2']);
	expect(new Set(keys).size).toBe(2);
});

it('starts no second job where the platform knows the key of the first', async () => {
	const keys = answerJobs(409, 409, 202);
	const { error } = await importItems(4, 2);
	expect(error?.description).toContain('may have done it all the same');
	expect(new Set(keys).size).toBe(1);
});
