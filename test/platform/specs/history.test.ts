import { idsOf, type Page } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

const HOUR_MS = 3_600_000;
const FUTURE = '2199-01-01T00:00:00.000Z';

const { control, api } = usePlatform({ products: 20, orders: 2_000, customers: 5 });
beforeEach(async () => await control.reset());

type Order = { id: string; updated_at: string; merchant_note: string };

const changedSince = async (time: string, sort = 'updated_at:asc') =>
	idsOf(await api.walk(`/orders?updated_since=${encodeURIComponent(time)}&sort=${sort}`, 250));
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('updated_since', () => {
	it('is inclusive on products, orders, customers and inventory', async () => {
		const at = ago(1_000);
		const justAfter = new Date(Date.parse(at) + 1).toISOString();
		for (const kind of ['products', 'customers', 'orders', 'inventory'] as const) {
			const [{ id, sku, location_id }] = (await control.list({ kind, limit: 1 })).records;
			await control.writeRecord(kind, {
				id: kind === 'inventory' ? `${String(sku)}@${String(location_id)}` : String(id),
				updatedAt: at,
			});
			const path = kind === 'inventory' ? '/inventory/levels' : `/${kind}`;
			expect(await api.data(`${path}?updated_since=${at}`)).toHaveLength(1);
			expect(await api.data(`${path}?updated_since=${justAfter}`)).toEqual([]);
		}
	});

	it('takes offsets from UTC and fractions of a second', async () => {
		const updatedAt = '2199-01-31T10:00:00.125Z';
		const { id } = await control.writeRecord('orders', { updatedAt });
		expect(await changedSince('2199-01-31T12:00:00.125+02:00')).toEqual([id]);
		expect(await changedSince('2199-01-31T12:00:00.126+02:00')).toEqual([]);
		expect(await changedSince('2199-01-31T10:00:00Z')).toEqual([id]);
	});
});

describe('a record with an updated_at of its own', () => {
	it('stands in its place in both directions of the sort, and in that of its creation', async () => {
		const since = ago(0);
		const written = [];
		for (const ms of [10, 60_000, 30_000]) {
			written.push((await control.writeRecord('orders', { updatedAt: ago(ms) })).id);
		}
		const [late, early, middle] = written;
		expect(await changedSince(ago(90_000))).toEqual([early, middle, late]);
		expect(await changedSince(ago(90_000), 'updated_at:desc')).toEqual([late, middle, early]);
		expect(idsOf(await api.walk(`/orders?created_since=${since}`, 10))).toEqual(written);
	});

	it('can be new or known, and emits nothing', async () => {
		const [{ id }] = await api.data<Order[]>('/orders?limit=1');
		const { count } = await control.records('events');
		const fields = { merchant_note: 'Ring twice' };
		const written = await control.writeRecord('orders', { id, updatedAt: FUTURE, fields });
		expect(written).toEqual({ id, updated_at: FUTURE });
		expect(await api.data(`/orders/${id}`)).toMatchObject({ ...fields, updated_at: FUTURE });
		expect(await control.records('events')).toEqual({ count });
	});

	it.each([
		['categories', {}, 'times of categories'],
		['orders', { id: 'ord_none' }, 'no ord_none'],
		['orders', { updatedAt: 'now' }, 'now is no time'],
		['inventory', {}, 'names its record'],
	])('is refused for %s %j', async (kind, write, reason) => {
		await expect(control.writeRecord(kind as 'orders', write)).rejects.toThrow(reason);
	});

	it('does not disturb a walk that began before it', async () => {
		await control.touch('orders', { count: 6 });
		const path = '/orders?sort=updated_at:asc&limit=250';
		const first = (await api.send(path)).json as Page;
		await control.writeRecord('orders', { updatedAt: ago(5_000) });
		const walked = idsOf([first]);
		for (let cursor = first.pagination.next_cursor; cursor !== null;) {
			const page: Page = (await api.send(`${path}&cursor=${cursor}`)).json as Page;
			walked.push(...idsOf([page]));
			cursor = page.pagination.next_cursor;
		}
		expect([walked.length, new Set(walked).size]).toEqual([2_001, 2_001]);
	});
});

describe('equal timestamps', () => {
	it('are walked whole over many pages, in both directions', async () => {
		const { count, updated_at } = await control.touch('orders', { count: 1_500 });
		expect(count).toBe(1_500);
		const up = await changedSince(updated_at);
		expect(new Set(up).size).toBe(1_500);
		expect(await changedSince(updated_at, 'updated_at:desc')).toEqual([...up].reverse());
	});

	it('can lie in the past', async () => {
		const at = '2020-01-01T00:00:00.000Z';
		await control.touch('orders', { count: 300, updatedAt: at });
		const [first] = await api.data<Order[]>('/orders?sort=updated_at:asc&limit=1');
		expect(first.updated_at).toBe(at);
		expect(await changedSince('2020-01-01T00:00:00.001Z')).toHaveLength(1_700);
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
