import { until } from '../../support/until';
import { INVALID, post, usePlatform } from './usePlatform';

const { control, api } = usePlatform({ inDevelopment: { batch: true } });

const upserts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ op: 'upsert', sku: `N-${n}`, title: `New ${n}` }));

it.each([
	['starter', 100],
	['enterprise', 500],
] as const)('a batch of the plan %s holds %d operations', async (plan, most) => {
	const { apiKey } = await control.createKey({ plan });
	const statusOf = async (operations: object[]) =>
		(await api.send('/products/batch', { ...post({ operations }), apiKey })).status;
	expect(await statusOf(upserts(most))).toBe(200);
	expect(await statusOf(upserts(most + 1))).toBe(400);
});

it('a catalog import runs in the background, tells its progress, and names what failed', async () => {
	await control.reset();
	expect(await api.refusal('/jobs/catalog-import', post({ rows: [] }))).toBe(INVALID);
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
}, 20_000);
