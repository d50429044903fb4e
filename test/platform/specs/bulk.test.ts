import { setTimeout as pause } from 'node:timers/promises';
import { usePlatform } from './usePlatform';

type Result = { index: number; status: number; data?: { id: string }; error?: { code: string } };

const { platform, api } = usePlatform({ inDevelopment: { batch: true } });
let sku: string;
beforeEach(async () => {
	await platform.control.reset();
	const [first] = await api.data<Array<{ variants: Array<{ sku: string }> }>>('/products?limit=1');
	sku = first.variants[0].sku;
});

const batch = (operations: unknown[]) => ({ method: 'POST', body: { operations } });
const upserts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ op: 'upsert', sku: `N-${n}`, title: `New ${n}` }));

describe('a batch', () => {
	it('is refused until it is released', async () => {
		await platform.control.configure({ inDevelopment: { batch: false } });
		expect(await api.refusal('/products/batch', batch(upserts(1)))).toBe('501 IN_DEVELOPMENT');
	});

	it('makes what is new and changes what a SKU knows', async () => {
		const answer = await api.send(
			'/products/batch',
			batch([
				{ op: 'upsert', sku, title: 'Changed' },
				{ op: 'upsert', sku: 'N-1', title: 'New', prices: [{ amount: 500, currency: 'JPY' }] },
			]),
		);
		expect(answer.status).toBe(200);
		const { data } = answer.json as { data: Result[] };
		expect(data.map(({ status }) => status)).toEqual([200, 201]);
		expect(await api.data(`/products?sku=${sku}`)).toMatchObject([{ title: 'Changed' }]);
		expect(await api.data('/products?sku=N-1')).toMatchObject([
			{ title: 'New', variants: [{ prices: [{ amount: 500, currency: 'JPY' }] }] },
		]);
	});

	it('with partial success is a 207 with an error for each that failed', async () => {
		const answer = await api.send(
			'/products/batch',
			batch([
				...upserts(1),
				{ op: 'delete', sku },
				{ op: 'upsert', sku: 'N-9' },
				{ op: 'upsert', sku: 'N-8', title: 'x', categories: ['cat_none'] },
			]),
		);
		expect(answer.status).toBe(207);
		const { data } = answer.json as { data: Result[] };
		expect(data.map(({ status, error }) => `${status} ${error?.code}`)).toEqual([
			'201 undefined',
			'400 INVALID_PARAMETER',
			'400 INVALID_PARAMETER',
			'400 INVALID_PARAMETER',
		]);
	});

	it('holds 100 operations on Starter and more on Enterprise', async () => {
		const { apiKey } = await platform.control.createKey({ plan: 'starter' });
		const send = async (count: number, key?: string) =>
			(await api.send('/products/batch', { ...batch(upserts(count)), apiKey: key })).status;
		expect(await send(100, apiKey)).toBe(200);
		expect(await send(101, apiKey)).toBe(400);
		expect(await send(101)).toBe(200);
	});
});

describe('a catalog import', () => {
	it('runs in the background, tells its progress, and names what failed', async () => {
		const operations = [...upserts(3_000), { op: 'upsert', sku: '', title: 'none' }];
		const job = await api.data<{ id: string }>('/jobs/catalog-import', batch(operations));
		expect(job).toMatchObject({ status: 'queued', total: 3_001, processed: 0 });
		let record = await platform.control.record('jobs', job.id);
		for (let n = 0; n < 500 && record?.status !== 'completed'; n++) {
			await pause(10);
			record = await platform.control.record('jobs', job.id);
		}
		expect(record).toMatchObject({
			status: 'completed',
			processed: 3_001,
			succeeded: 3_000,
			failed: 1,
			errors: [{ index: 3_000, code: 'INVALID_PARAMETER' }],
		});
		expect(await platform.control.records('products')).toEqual({ count: 3_300 });
		expect(await platform.control.records('jobs')).toEqual({ count: 1 });
	}, 20_000);

	it('needs operations', async () => {
		const request = { method: 'POST', body: { rows: [] } };
		expect(await api.refusal('/jobs/catalog-import', request)).toBe('400 INVALID_PARAMETER');
	});
});
