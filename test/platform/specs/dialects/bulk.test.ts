import { setTimeout as pause } from 'node:timers/promises';
import { spokenPlatform, type Switches } from './spoken';

const shop = spokenPlatform();
const RELEASED = { inDevelopment: { batch: true } };

const operations = [
	{ op: 'upsert', sku: 'A', title: 'First' },
	{ op: 'upsert', sku: 'B' },
	{ op: 'upsert', sku: 'C', title: 'Third' },
	{ op: 'upsert', sku: 'D', title: 'Fourth' },
];

async function sent(dialect: Switches, body: unknown = { operations }) {
	await shop.platform.control.configure(RELEASED);
	return await shop.in(dialect, '/products/batch', { method: 'POST', body });
}

type Result = Record<string, unknown>;
const results = async (dialect: Switches) =>
	((await sent(dialect)).json as { data: Result[] }).data;

describe('inDevelopmentError', () => {
	it.each([
		['notImplemented', 501],
		['notFound', 404],
		['forbidden', 403],
		['methodNotAllowed', 405],
		['badRequest', 400],
		['unavailable', 503],
	])('is %s', async (inDevelopmentError, status) => {
		const request = { method: 'POST', body: { operations } };
		expect((await shop.in({ inDevelopmentError }, '/products/batch', request)).status).toBe(status);
	});
});

describe('batchStatus', () => {
	it.each([
		['multiStatusForErrors', 207, 200],
		['ok', 200, 200],
		['multiStatus', 207, 207],
	])('is %s', async (batchStatus, partial, whole) => {
		expect((await sent({ batchStatus })).status).toBe(partial);
		expect((await sent({ batchStatus }, { operations: operations.slice(2) })).status).toBe(whole);
	});
});

describe('batchBody', () => {
	it('holds the results as data, as results, nested or bare', async () => {
		const list = Array(4).fill(expect.anything());
		expect((await sent({ batchBody: 'data' })).json).toEqual({ data: list });
		expect((await sent({ batchBody: 'results' })).json).toEqual({ results: list });
		expect((await sent({ batchBody: 'nested' })).json).toEqual({
			data: { results: list, succeeded: 3, failed: 1 },
		});
		expect((await sent({ batchBody: 'bare' })).json).toEqual(list);
	});
});

describe('batchOrder', () => {
	const skus = async (batchOrder: string) =>
		(await results({ batchOrder })).map(({ sku }) => sku).join('');

	it('is as sent, reversed or mixed', async () => {
		expect(await skus('asSent')).toBe('ABCD');
		expect(await skus('reversed')).toBe('DCBA');
		const mixed = await skus('mixed');
		expect([...mixed].sort().join('')).toBe('ABCD');
		expect(['ABCD', 'DCBA']).not.toContain(mixed);
	});
});

describe('batchItems', () => {
	const skus = async (batchItems: string) =>
		(await results({ batchItems })).map(({ sku }) => sku).join(' ');

	it('are all, the failures, fewer, more or none', async () => {
		expect(await skus('all')).toBe('A B C D');
		expect(await skus('failures')).toBe('B');
		expect(await skus('fewer')).toBe('A B D');
		expect(await skus('more')).toBe('A B C D NOBODY-0 NOBODY-1');
		expect(await skus('none')).toBe('');
	});

	it('come without a body, and are applied all the same', async () => {
		expect(await sent({ batchItems: 'noBody' })).toMatchObject({ status: 207, text: '' });
		expect(await shop.api.data('/products?sku=C')).toHaveLength(1);
	});
});

describe('batchKeys', () => {
	it.each([
		['indexAndSku', { index: 2, sku: 'C' }],
		['sku', { sku: 'C' }],
		['index', { index: 2 }],
		['indexFromOne', { index: 3 }],
		['nothing', {}],
	])('are %s', async (batchKeys, expected) => {
		const { index, sku } = (await results({ batchKeys }))[2];
		expect(JSON.parse(JSON.stringify({ index, sku }))).toEqual(expected);
	});

	it('do not come back in the record where they are missing', async () => {
		expect(JSON.stringify(await results({ batchKeys: 'nothing' }))).not.toContain('"C"');
	});
});

describe('batchResult', () => {
	it('says by number, words or flags what became of an operation', async () => {
		const made = expect.objectContaining({ id: expect.stringMatching(/^prod_/) });
		const error = { code: 'INVALID_PARAMETER', message: expect.any(String) };
		expect((await results({ batchResult: 'status' })).slice(0, 2)).toEqual([
			{ index: 0, sku: 'A', status: 201, data: made },
			{ index: 1, sku: 'B', status: 400, error },
		]);
		expect((await results({ batchResult: 'words' })).slice(0, 2)).toEqual([
			{ index: 0, sku: 'A', status: 'updated', product: made },
			{ index: 1, sku: 'B', status: 'failed', errors: [error] },
		]);
		expect((await results({ batchResult: 'flags' })).slice(0, 2)).toEqual([
			{ index: 0, sku: 'A', success: true, id: expect.stringMatching(/^prod_/) },
			{ index: 1, sku: 'B', success: false, error: expect.stringMatching(/^INVALID_PARAMETER: /) },
		]);
	});
});

describe('a batch whose answer is lost', () => {
	it('is applied once, and answered alike under its key', async () => {
		await shop.platform.control.configure(RELEASED);
		const request = {
			method: 'POST',
			body: { operations },
			headers: { 'idempotency-key': 'batch-1' },
		};
		const { count } = await shop.platform.control.records('products');
		await shop.platform.control.setFaults([{ fault: 'lostAnswer', times: 1 }]);
		await expect(shop.api.send('/products/batch', request)).rejects.toThrow();
		expect((await shop.api.send('/products/batch', request)).status).toBe(207);
		expect(await shop.platform.control.records('products')).toEqual({ count: count + 3 });
		expect(await shop.platform.control.counters()).toMatchObject({
			replays: 1,
			writesByIdempotencyKey: { 'batch-1': 1 },
		});
	});
});

describe('an import', () => {
	const many = Array.from({ length: 600 }, (_, n) => ({ op: 'upsert', sku: `N${n}`, title: 'N' }));
	const started = async (dialect: Switches, headers = {}) =>
		(
			await shop.json<{ data: Result }>(dialect, '/jobs/catalog-import', {
				method: 'POST',
				body: { operations: [...many, { op: 'upsert' }] },
				headers,
			})
		).data;

	/** The job as GET /jobs/{id} shows it, once `isOver` holds. */
	async function followed(id: unknown, isOver: (job: Result) => boolean): Promise<Result> {
		for (;;) {
			const job = await shop.api.data(`/jobs/${String(id)}`);
			if (isOver(job)) return job;
			await pause(5);
		}
	}

	it('has a path for its state, or none', async () => {
		const { id } = await started({ jobPath: 'hidden' });
		expect((await shop.api.send(`/jobs/${String(id)}`)).status).toBe(404);
		expect((await shop.in({ jobPath: 'shown' }, `/jobs/${String(id)}`)).status).toBe(200);
		expect((await shop.api.send('/jobs/job_none')).status).toBe(404);
	});

	it('is slow where it is told to be, and shows its progress', async () => {
		await shop.platform.control.configure({ importTurnMs: 60 });
		const { id } = await started({ jobPath: 'shown' });
		const running = await followed(id, ({ status }) => status === 'running');
		expect(running).toMatchObject({ processed: 250, total: 601, finished_at: null });
		const done = await followed(id, ({ status }) => status === 'completed');
		expect(done).toMatchObject({ processed: 601, succeeded: 600, failed: 1 });
	});

	it('can fail on its way, with what it did until then', async () => {
		await shop.platform.control.configure({ importsFailAfter: 300 });
		const { id } = await started({ jobPath: 'shown' });
		const job = await followed(id, ({ finished_at }) => finished_at !== null);
		expect(job).toMatchObject({ status: 'failed', processed: 300, total: 601 });
	});

	it.each([
		['status', { status: 'completed' }],
		['state', { state: 'SUCCEEDED' }],
		['nested', { job: { phase: 'done' } }],
	])('tells its state as %s', async (jobStates, expected) => {
		const job = await started({ jobPath: 'shown', jobStates });
		const id = job.id ?? (job.job as Result).id;
		const done = await followed(id, ({ finished_at }) => finished_at !== null);
		expect(done).toMatchObject(expected);
	});

	it.each([
		['listed', { failed: 1, errors: [{ index: 600, code: 'INVALID_PARAMETER' }] }, []],
		['counted', { failed: 1 }, ['errors']],
		['absent', {}, ['errors', 'failed', 'succeeded']],
	])('tells of its errors what is %s', async (jobErrors, expected, missing) => {
		const { id } = await started({ jobPath: 'shown', jobErrors });
		const done = await followed(id, ({ finished_at }) => finished_at !== null);
		expect(done).toMatchObject(expected);
		expect(missing.filter((name) => name in done)).toEqual([]);
	});

	it('whose answer is lost is started once under its key', async () => {
		await shop.platform.control.setFaults([{ fault: 'lostAnswer', times: 1 }]);
		const key = { 'idempotency-key': 'import-1' };
		await expect(started({}, key)).rejects.toThrow();
		await started({}, key);
		expect(await shop.platform.control.records('jobs')).toEqual({ count: 1 });
	});
});
