import fc from 'fast-check';
import { idsOf, type Page } from '../../support/apiClient';
import type { Product } from '../shop/product';
import { patch, usePlatform } from './usePlatform';

const HOUR_MS = 3_600_000;

const { control, api } = usePlatform({
	products: 61,
	orders: 600,
	customers: 10,
	minuteBudget: 1_000_000,
});
beforeEach(async () => await control.reset());

const page = async (path: string) => (await api.send(path)).json as Page;
const found = async (path: string, limit = 100) => idsOf(await api.walk(path, limit));
const changedSince = async (time: string) =>
	await found(`/orders?updated_since=${encodeURIComponent(time)}&sort=updated_at:asc`, 250);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('a page', () => {
	it('has 25 records unless told otherwise, and says so', async () => {
		const { data, pagination } = await page('/products');
		expect([data.length, pagination.limit, pagination.has_more]).toEqual([25, 25, true]);
	});

	it('goes on by its cursor with another limit, but not with another list or query', async () => {
		const { pagination } = await page('/products?limit=2&status=published');
		const cursor = pagination.next_cursor!;
		const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
		for (const path of [
			`/products?status=published&cursor=${changed}`,
			`/products?status=published&cursor=${cursor.slice(0, -1)}`,
			`/products?cursor=${cursor}`,
			`/orders?status=published&cursor=${cursor}`,
		]) {
			expect((await api.send(path)).status).toBe(400);
		}
		const next = await page(`/products?status=published&limit=9&cursor=${cursor}`);
		expect(next.data).toHaveLength(9);
	});
});

describe('a walk', () => {
	const LISTS = 'products orders customers categories inventory/levels events'.split(' ');

	it('yields each record exactly once for any limit, on every list', async () => {
		const textsOf = (pages: readonly Page[]) =>
			pages.flatMap(({ data }) => data.map((record) => JSON.stringify(record)));
		const whole = new Map<string, string[]>();
		for (const list of LISTS) whole.set(list, textsOf(await api.walk(`/${list}`, 250)));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...LISTS),
				fc.integer({ min: 1, max: 250 }),
				async (list, limit) => {
					const pages = await api.walk(`/${list}`, limit);
					expect(textsOf(pages)).toEqual(whole.get(list));
					expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).toBe(true);
				},
			),
			{ numRuns: 25, seed: 7 },
		);
		expect(new Set(whole.get('products')).size).toBe(61);
		const { count } = await control.records('inventory');
		expect(new Set(whole.get('inventory/levels')).size).toBe(count);
	});

	it('yields the same records in every order', async () => {
		const byDefault = new Set(await found('/products', 10));
		for (const field of ['created_at', 'updated_at', 'title']) {
			const up = await found(`/products?sort=${field}:asc`, 7);
			expect(new Set(up)).toEqual(byDefault);
			expect(await found(`/products?sort=${field}:desc`, 9)).toEqual([...up].reverse());
		}
	});

	it('of events goes on behind a given one, from the history into the present', async () => {
		await control.emit('stock.low', { n: 1 });
		await control.payOrder();
		const events = (await api.walk('/events', 250)).flatMap(({ data }) => data);
		const ids = events.map(({ event_id }) => String(event_id));
		expect([ids.length, new Set(ids).size]).toEqual([602, 602]);
		expect(ids).toEqual([...ids].sort());
		expect(events.slice(-2).map(({ event }) => event)).toEqual(['stock.low', 'order.paid']);
		const rest = await api.walk(`/events?after_event_id=${ids[590]}`, 10);
		expect(rest.flatMap(({ data }) => data)).toEqual(events.slice(591));
		expect(await api.data(`/events?after_event_id=${ids[601]}`)).toEqual([]);
	});
});

describe('a list of products', () => {
	let products: Product[];
	beforeEach(async () => (products = await api.data<Product[]>('/products?limit=250')));
	const where = (test: (product: Product) => boolean) => products.filter(test).map(({ id }) => id);

	it('is filtered by status, and by times, both ends included', async () => {
		const drafts = where(({ status }) => status === 'draft');
		expect(drafts.length).toBeGreaterThan(0);
		expect(await found('/products?status=draft')).toEqual(drafts);
		const [from, until] = [products[20].created_at, products[40].created_at];
		const between = where(({ created_at }) => created_at >= from && created_at <= until);
		for (const sort of ['created_at', 'updated_at', 'title']) {
			const query = `created_since=${from}&created_until=${until}&sort=${sort}:asc`;
			expect((await found(`/products?${query}`)).sort()).toEqual([...between].sort());
		}
		const changed = products[50].updated_at;
		const since = where(({ updated_at }) => updated_at >= changed);
		expect(await found(`/products?updated_since=${changed}`)).toEqual(since);
		const backwards = await found(`/products?updated_since=${changed}&sort=updated_at:desc`);
		expect(backwards).toEqual(since.reverse());
	});

	it('is searched by SKU and by text, and shows a change at once', async () => {
		const { id, variants, title } = products[31];
		expect(await found(`/products?sku=${variants[0].sku}`)).toEqual([id]);
		expect(await found('/products?sku=NONE')).toEqual([]);
		expect(await found(`/products?q=${encodeURIComponent(title.toUpperCase())}`)).toEqual(
			where((product) => product.title === title),
		);
		const since = new Date().toISOString();
		expect(await found(`/products?updated_since=${since}`)).toEqual([]);
		await api.data(`/products/${id}`, patch({ title: 'Renamed' }));
		expect(await found(`/products?updated_since=${since}`)).toEqual([id]);
		expect(await found('/products?q=renamed')).toEqual([id]);
	});
});

it('a list of orders is filtered by the SKU of a line, and leaves out what only get includes', async () => {
	const { data } = await page('/orders?status=cancelled&limit=250');
	expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['cancelled']));
	const [{ id }] = data;
	const whole = await api.data<{ line_items: Array<{ sku: string }> }>(`/orders/${String(id)}`);
	expect(await found(`/orders?sku=${whole.line_items[0].sku}`)).toContain(id);
	const extra = Object.keys(whole).filter((field) => !(field in data[0]));
	expect(extra.sort()).toEqual(['fulfillment_state', 'line_items', 'payment_summary', 'totals']);
	const currencies = data.map(({ total }) => (total as { currency: string }).currency);
	expect(new Set(currencies)).toEqual(new Set(['EUR', 'USD', 'JPY', 'KWD']));
});

describe('an updated_at of one’s own', () => {
	it('is found by times with offsets from UTC and with fractions of a second', async () => {
		const { id } = await control.writeRecord('orders', { updatedAt: '2199-01-31T10:00:00.125Z' });
		expect(await changedSince('2199-01-31T12:00:00.125+02:00')).toEqual([id]);
		expect(await changedSince('2199-01-31T12:00:00.126+02:00')).toEqual([]);
		expect(await changedSince('2199-01-31T10:00:00Z')).toEqual([id]);
		await control.writeRecord('orders', { id, updatedAt: '2199-02-01T10:00:00Z' });
		expect(await changedSince('2199-02-01T10:00:00Z')).toEqual([id]);
	});

	it('can be one for many, in the past too', async () => {
		const at = '2020-01-01T00:00:00.000Z';
		await control.touch('orders', { count: 20, updatedAt: at });
		expect((await page('/orders?sort=updated_at:asc')).data[0].updated_at).toBe(at);
		expect(await changedSince('2020-01-01T00:00:00.001Z')).toHaveLength(580);
	});
});

describe('the clock of the platform', () => {
	it.each([HOUR_MS, -HOUR_MS])('can be %d ms off, in records and headers', async (offset) => {
		await control.configure({ clockOffsetMs: offset });
		const { order } = await control.createOrder();
		const { headers } = await api.send('/account');
		const reset = Number(headers['x-ratelimit-reset']) * 1_000 - 60_000;
		for (const time of [order.created_at, order.updated_at, headers.date, reset]) {
			const at = new Date(time as string | number).getTime();
			expect(Math.abs(at - Date.now() - offset)).toBeLessThan(61_000);
		}
	});

	it('can be set back, and later changes then have earlier times', async () => {
		const { order: before } = await control.createOrder();
		await control.configure({ clockOffsetMs: -HOUR_MS });
		const { order: after } = await control.createOrder();
		expect(await changedSince(ago(2 * HOUR_MS))).toEqual([after.id, before.id]);
	});
});
