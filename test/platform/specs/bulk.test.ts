import { until } from '../../support/until';
import { post, usePlatform } from './usePlatform';

type Result = { status: number; error?: { code: string } };

const { control, api } = usePlatform({ inDevelopment: { batch: true } });
let sku: string;
beforeEach(async () => {
	await control.reset();
	const { records } = await control.list({ kind: 'inventory', limit: 1 });
	sku = String(records[0].sku);
});

const upserts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ op: 'upsert', sku: `N-${n}`, title: `New ${n}` }));
const batch = async (operations: unknown[], apiKey?: string) => {
	const answer = await api.send('/products/batch', { ...post({ operations }), apiKey });
	return { status: answer.status, data: (answer.json as { data?: Result[] }).data };
};

describe('a batch', () => {
	it('makes what is new and changes what a SKU knows', async () => {
		const prices = [{ amount: 500, currency: 'JPY' }];
		const { status, data } = await batch([
			{ op: 'upsert', sku, title: 'Changed' },
			{ op: 'upsert', sku: 'N-1', title: 'New', prices },
		]);
		expect([status, ...data!.map((one) => one.status)]).toEqual([200, 200, 201]);
		expect(await api.data(`/products?sku=${sku}`)).toMatchObject([{ title: 'Changed' }]);
		const made = { title: 'New', variants: [{ prices }] };
		expect(await api.data('/products?sku=N-1')).toMatchObject([made]);
	});

	it('with partial success is a 207 with an error for each that failed', async () => {
		const { status, data } = await batch([
			...upserts(1),
			{ op: 'delete', sku },
			{ op: 'upsert', sku: 'N-9' },
			{ op: 'upsert', sku: 'N-8', title: 'x', categories: ['cat_none'] },
		]);
		const invalid = { status: 400, error: { code: 'INVALID_PARAMETER' } };
		expect({ status, data }).toMatchObject({
			status: 207,
			data: [{ status: 201 }, invalid, invalid, invalid],
		});
	});

	it('holds 100 operations on Starter and more on Enterprise', async () => {
		const { apiKey } = await control.createKey({ plan: 'starter' });
		const statuses = [];
		for (const [count, key] of [[100, apiKey], [101, apiKey], [101]] as const) {
			statuses.push((await batch(upserts(count), key)).status);
		}
		expect(statuses).toEqual([200, 400, 200]);
	});
});

describe('a catalog import', () => {
	it('runs in the background, tells its progress, and names what failed', async () => {
		const operations = [...upserts(3_000), { op: 'upsert', sku: '', title: 'none' }];
		const job = await api.data<{ id: string }>('/jobs/catalog-import', post({ operations }));
		expect(job).toMatchObject({ status: 'queued', total: 3_001, processed: 0 });
		const done = await until('the import to end', 10_000, async () => {
			const record = await control.record('jobs', job.id);
			return record?.status === 'completed' ? record : undefined;
		});
		expect(done).toMatchObject({
			processed: 3_001,
			succeeded: 3_000,
			failed: 1,
			errors: [{ index: 3_000, code: 'INVALID_PARAMETER' }],
		});
		expect(await control.records('products')).toEqual({ count: 3_300 });
		expect(await control.records('jobs')).toEqual({ count: 1 });
	}, 20_000);

	it('needs operations', async () => {
		const refusal = await api.refusal('/jobs/catalog-import', post({ rows: [] }));
		expect(refusal).toBe('400 INVALID_PARAMETER');
	});
});
