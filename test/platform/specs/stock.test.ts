import { INVALID, post, put, usePlatform } from './usePlatform';

type Level = {
	sku: string;
	location_id: string;
	quantity: number;
	updated_at: string;
	version: number;
};

const PATH = '/inventory/levels';
const CONFLICT = '409 CONFLICT';

const { control, api } = usePlatform();
let level: Level;
beforeEach(async () => {
	await control.reset();
	[level] = await api.data<Level[]>(`${PATH}?limit=1`);
});

/** Sets the level now, to another quantity if that is said. */
const set = (change: Partial<Level> = {}, ifMatch?: string) => {
	const { sku, location_id, quantity } = level;
	const body = { sku, location_id, quantity, updated_at: new Date().toISOString(), ...change };
	return put(body, ifMatch === undefined ? {} : { 'if-match': ifMatch });
};

describe('a stock level', () => {
	it('is found by SKU and location', async () => {
		const of = `${PATH}?sku=${level.sku}`;
		const levels = await api.data<Level[]>(of);
		expect(levels.map(({ location_id }) => location_id)).toEqual(['sloc_main', 'sloc_outlet']);
		expect(await api.data(`${of}&location_id=sloc_outlet`)).toEqual([levels[1]]);
		expect(await api.data(`${of}&location_id=sloc_none`)).toEqual([]);
	});

	it('is set absolutely, and the later writer wins, in any offset of the clock', async () => {
		const written = await api.data<Level>(PATH, set({ quantity: 77 }));
		expect(written).toMatchObject({ quantity: 77, version: level.version + 1 });
		expect(await api.refusal(PATH, set({ updated_at: level.updated_at }))).toBe(CONFLICT);
		const noon = await api.data(PATH, set({ updated_at: '2030-01-01T12:00:00+02:00' }));
		expect(noon).toMatchObject({ updated_at: '2030-01-01T10:00:00.000Z' });
		const same = set({ quantity: 2, updated_at: '2030-01-01T10:00:00Z' });
		expect(await api.data(PATH, same)).toMatchObject({ quantity: 2 });
		expect(await api.refusal(PATH, set({ updated_at: '2030-01-01T09:59:59Z' }))).toBe(CONFLICT);
	});

	it('is guarded by If-Match on its version', async () => {
		const tag = `"${level.version}"`;
		expect((await api.send(PATH, set({}, tag))).headers.etag).toBe(`"${level.version + 1}"`);
		expect(await api.refusal(PATH, set({}, tag))).toBe(CONFLICT);
		expect((await api.send(PATH, set({}, '*'))).status).toBe(200);
	});

	it('is adjusted by a difference, but not below zero', async () => {
		const { sku, location_id, quantity } = level;
		const adjust = (delta: number) => post({ sku, location_id, delta, reason: 'count' });
		const path = `${PATH}/adjust`;
		expect(await api.data(path, adjust(3))).toMatchObject({ quantity: quantity + 3 });
		expect(await api.data(path, adjust(-quantity - 3))).toMatchObject({ quantity: 0 });
		expect(await api.refusal(path, adjust(-1))).toBe(INVALID);
	});

	it.each([
		[{ quantity: -1 }, INVALID],
		[{ quantity: 1.5 }, INVALID],
		[{ updated_at: 'now' }, INVALID],
		[{ sku: 'NONE' }, '404 NOT_FOUND'],
		[{ location_id: 'sloc_none' }, '404 NOT_FOUND'],
	])('is not set to %j', async (change, refusal) => {
		expect(await api.refusal(PATH, set(change))).toBe(refusal);
	});

	it('exists for the SKUs of a new product, and goes with it', async () => {
		const variants = [{ sku: 'KITE-1', prices: [{ amount: 1, currency: 'KWD' }] }];
		const product = await api.data('/products', post({ title: 'Kite', variants }));
		expect(await api.data(`${PATH}?sku=KITE-1`)).toHaveLength(2);
		const old = set({ sku: 'KITE-1', quantity: 4, updated_at: '2020-01-01T00:00:00Z' });
		expect(await api.data(PATH, old)).toMatchObject({ quantity: 4 });
		await api.send(`/products/${String(product.id)}`, { method: 'DELETE' });
		expect(await api.data(`${PATH}?sku=KITE-1`)).toEqual([]);
	});
});
