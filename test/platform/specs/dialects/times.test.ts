import { spokenPlatform, type Switches } from './spoken';

const shop = spokenPlatform();

type Record_ = Record<string, unknown>;
const first = async (dialect: Switches, path: string) =>
	(await shop.json<{ data: Record_[] }>(dialect, `${path}?limit=1`)).data[0];

describe('recordTimes', () => {
	it.each([
		['milliseconds', /T\d\d:\d\d:\d\d\.\d{3}Z$/],
		['seconds', /T\d\d:\d\d:\d\dZ$/],
		['microseconds', /T\d\d:\d\d:\d\d\.\d{6}Z$/],
		['offset', /T\d\d:\d\d:\d\d\.\d{3}\+00:00$/],
	] as const)('writes times with %s', async (recordTimes, form) => {
		const order = await first({ recordTimes }, '/orders');
		const level = await first({ recordTimes }, '/inventory/levels');
		expect([order.created_at, order.updated_at, level.updated_at]).toEqual([
			expect.stringMatching(form),
			expect.stringMatching(form),
			expect.stringMatching(form),
		]);
	});
});

describe('updatedAt', () => {
	it.each([
		['snake', { updated_at: expect.any(String) }],
		['camel', { updatedAt: expect.any(String), createdAt: expect.any(String) }],
		['nested', { timestamps: { updated_at: expect.any(String), created_at: expect.any(String) } }],
		['absent', {}],
	] as const)('puts the times of records %s', async (updatedAt, expected) => {
		for (const path of ['/orders', '/products', '/customers']) {
			const record = await first({ updatedAt }, path);
			expect(record).toMatchObject(expected);
			expect('updated_at' in record).toBe(updatedAt === 'snake');
			const { data } = await shop.json<{ data: Record_ }>({ updatedAt }, `${path}/${record.id}`);
			expect(data).toMatchObject(record);
		}
	});

	it('leaves the time of a stock level where the document shows it', async () => {
		expect(await first({ updatedAt: 'absent' }, '/inventory/levels')).toMatchObject({
			updated_at: expect.any(String),
		});
	});
});

describe('dateHeader', () => {
	const HOUR_MS = 3_600_000;

	it.each([
		['right', 0],
		['hourAhead', HOUR_MS],
		['hourBehind', -HOUR_MS],
	] as const)('is %s', async (dateHeader, offset) => {
		const { headers } = await shop.in({ dateHeader }, '/account');
		expect(Math.abs(Date.parse(headers.date) - Date.now() - offset)).toBeLessThan(5_000);
	});

	it('is missing', async () => {
		const { headers } = await shop.in({ dateHeader: 'missing' }, '/account');
		expect(headers.date).toBeUndefined();
	});
});

describe('sort', () => {
	const titles = async (sort: string) => {
		const { data } = await shop.json<{ data: Record_[] }>({ sort }, '/products?sort=title:desc');
		return data.map(({ title }) => String(title));
	};

	it('is taken', async () => {
		const sorted = await titles('taken');
		expect(sorted).toEqual([...sorted].sort().reverse());
	});

	it('is ignored', async () => {
		const { data } = await shop.json<{ data: Record_[] }>({}, '/products');
		expect(await titles('ignored')).toEqual(data.map(({ title }) => title));
	});

	it('is refused', async () => {
		const answer = await shop.in({ sort: 'refused' }, '/orders?sort=updated_at:asc');
		expect(answer).toMatchObject({ status: 400, json: { error: { code: 'INVALID_PARAMETER' } } });
	});
});

describe('inventoryUpdatedSince', () => {
	const LATER = '2199-01-01T00:00:00Z';
	const asked = async (inventoryUpdatedSince: string) =>
		await shop.in({ inventoryUpdatedSince }, `/inventory/levels?updated_since=${LATER}`);

	it('is honoured, ignored or refused', async () => {
		expect((await asked('honoured')).json).toMatchObject({ data: [] });
		expect(((await asked('ignored')).json as { data: unknown[] }).data).toHaveLength(25);
		expect((await asked('refused')).status).toBe(400);
	});
});
