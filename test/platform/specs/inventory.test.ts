import { usePlatform } from './usePlatform';

type Level = {
	sku: string;
	location_id: string;
	quantity: number;
	updated_at: string;
	version: number;
};

const PATH = '/inventory/levels';

const { platform, api } = usePlatform({ products: 30 });
let level: Level;
beforeEach(async () => {
	await platform.control.reset();
	[level] = await api.data<Level[]>(`${PATH}?limit=1`);
});

const put = (change: Partial<Level> = {}, headers: Record<string, string> = {}) => {
	const { sku, location_id, quantity, updated_at } = {
		...level,
		updated_at: new Date().toISOString(),
		...change,
	};
	return { method: 'PUT', headers, body: { sku, location_id, quantity, updated_at } };
};

describe('a stock level', () => {
	it('is found by SKU and location', async () => {
		const levels = await api.data<Level[]>(`${PATH}?sku=${level.sku}`);
		expect(levels.map(({ location_id }) => location_id)).toEqual(['sloc_main', 'sloc_outlet']);
		const path = `${PATH}?sku=${level.sku}&location_id=sloc_outlet`;
		expect(await api.data<Level[]>(path)).toEqual([levels[1]]);
		expect(await api.data<Level[]>(`${PATH}?location_id=sloc_none`)).toEqual([]);
	});

	it('is set absolutely, and the later writer wins', async () => {
		const set = await api.data<Level>(PATH, put({ quantity: 77 }));
		expect(set).toMatchObject({ quantity: 77, version: level.version + 1 });
		expect(await api.refusal(PATH, put({ quantity: 5, updated_at: level.updated_at }))).toBe(
			'409 CONFLICT',
		);
		expect(await platform.control.record('inventory', `${level.sku}@${level.location_id}`)).toEqual(
			set,
		);
	});

	it('takes the same time again, in any offset of the clock', async () => {
		const updated_at = '2030-01-01T12:00:00+02:00';
		expect(await api.data<Level>(PATH, put({ quantity: 1, updated_at }))).toMatchObject({
			updated_at: '2030-01-01T10:00:00.000Z',
		});
		const same = put({ quantity: 2, updated_at: '2030-01-01T10:00:00Z' });
		expect(await api.data<Level>(PATH, same)).toMatchObject({ quantity: 2 });
		const older = put({ quantity: 3, updated_at: '2030-01-01T09:59:59Z' });
		expect(await api.refusal(PATH, older)).toBe('409 CONFLICT');
	});

	it('is guarded by If-Match on its version', async () => {
		const tag = `"${level.version}"`;
		const first = await api.send(PATH, put({ quantity: 1 }, { 'if-match': tag }));
		expect(first.status).toBe(200);
		expect(first.headers.etag).toBe(`"${level.version + 1}"`);
		expect(await api.refusal(PATH, put({ quantity: 2 }, { 'if-match': tag }))).toBe('409 CONFLICT');
		const any = await api.send(PATH, put({ quantity: 3 }, { 'if-match': '*' }));
		expect(any.status).toBe(200);
	});

	it('is adjusted by a difference, but not below zero', async () => {
		const { sku, location_id } = level;
		const adjust = (delta: number) => ({
			method: 'POST',
			body: { sku, location_id, delta, reason: 'count' },
		});
		const path = `${PATH}/adjust`;
		expect(await api.data<Level>(path, adjust(3))).toMatchObject({
			quantity: level.quantity + 3,
		});
		expect(await api.data<Level>(path, adjust(-(level.quantity + 3)))).toMatchObject({
			quantity: 0,
		});
		expect(await api.refusal(path, adjust(-1))).toBe('400 INVALID_PARAMETER');
	});

	it.each([
		[{ quantity: -1 }, '400 INVALID_PARAMETER'],
		[{ quantity: 1.5 }, '400 INVALID_PARAMETER'],
		[{ updated_at: 'now' }, '400 INVALID_PARAMETER'],
		[{ sku: 'NONE' }, '404 NOT_FOUND'],
		[{ location_id: 'sloc_none' }, '404 NOT_FOUND'],
	])('refuses %j', async (change, refusal) => {
		expect(await api.refusal(PATH, put(change))).toBe(refusal);
	});

	it('exists for the SKUs of a new product, and goes with it', async () => {
		const variants = [{ sku: 'KITE-1', prices: [{ amount: 1, currency: 'KWD' }] }];
		const product = await api.data('/products', {
			method: 'POST',
			body: { title: 'Kite', variants },
		});
		expect(await api.data<Level[]>(`${PATH}?sku=KITE-1`)).toHaveLength(2);
		const old = put({ sku: 'KITE-1', quantity: 4, updated_at: '2020-01-01T00:00:00Z' });
		expect(await api.data<Level>(PATH, old)).toMatchObject({ quantity: 4 });
		await api.send(`/products/${String(product.id)}`, { method: 'DELETE' });
		expect(await api.data<Level[]>(`${PATH}?sku=KITE-1`)).toEqual([]);
	});

	it('changed by the shop itself is an event', async () => {
		const { level: changed } = await platform.control.setStock({
			sku: level.sku,
			location_id: level.location_id,
			quantity: 9,
		});
		expect(changed).toMatchObject({ quantity: 9 });
		const { count } = await platform.control.records('events');
		const id = `evt_${String(count).padStart(12, '0')}`;
		expect(await platform.control.record('events', id)).toMatchObject({
			event: 'inventory.changed',
			payload: { sku: level.sku, quantity: 9 },
		});
	});
});
