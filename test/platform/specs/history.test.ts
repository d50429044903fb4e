import { setTimeout as pause } from 'node:timers/promises';
import { idsOf, type Page } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

const HOUR_MS = 3_600_000;
/** A machine that is busy needs a while for what must be over before. */
const LATE_MS = 2_000;

const { platform, api } = usePlatform({ products: 20, orders: 2_000, customers: 5 });
beforeEach(async () => await platform.control.reset());

type Order = { id: string; updated_at: string; merchant_note: string };

const changedSince = async (time: string, sort = 'updated_at:asc') =>
	idsOf(await api.walk(`/orders?updated_since=${encodeURIComponent(time)}&sort=${sort}`, 250));
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('updated_since', () => {
	it('is inclusive on products, orders, customers and inventory', async () => {
		const { control } = platform;
		const at = ago(1_000);
		const [product] = await api.data<Order[]>('/products?limit=1');
		const [customer] = await api.data<Order[]>('/customers?limit=1');
		const [order] = await api.data<Order[]>('/orders?limit=1');
		const [level] = await api.data<Array<Record<string, string>>>('/inventory/levels?limit=1');
		await control.writeRecord('products', { id: product.id, updatedAt: at });
		await control.writeRecord('customers', { id: customer.id, updatedAt: at });
		await control.writeRecord('orders', { id: order.id, updatedAt: at });
		const stock = `${level.sku}@${level.location_id}`;
		await control.writeRecord('inventory', { id: stock, updatedAt: at });
		const justAfter = new Date(Date.parse(at) + 1).toISOString();
		for (const path of ['/products', '/customers', '/orders', '/inventory/levels']) {
			expect(await api.data(`${path}?updated_since=${at}`)).toHaveLength(1);
			expect(await api.data(`${path}?updated_since=${justAfter}`)).toEqual([]);
		}
	});

	it('takes offsets from UTC and fractions of a second', async () => {
		const { id } = await platform.control.writeRecord('orders', {
			updatedAt: '2199-01-31T10:00:00.125Z',
		});
		expect(await changedSince('2199-01-31T12:00:00.125+02:00')).toEqual([id]);
		expect(await changedSince('2199-01-31T12:00:00.126+02:00')).toEqual([]);
		expect(await changedSince('2199-01-31T10:00:00Z')).toEqual([id]);
	});
});

describe('a record with an updated_at of its own', () => {
	it('stands in its place in both directions of the sort', async () => {
		const { control } = platform;
		const late = await control.writeRecord('orders', { updatedAt: ago(10) });
		const early = await control.writeRecord('orders', { updatedAt: ago(60_000) });
		const middle = await control.writeRecord('orders', { updatedAt: ago(30_000) });
		const order = [early.id, middle.id, late.id];
		expect(await changedSince(ago(90_000))).toEqual(order);
		expect(await changedSince(ago(90_000), 'updated_at:desc')).toEqual(order.reverse());
		expect((await api.data<Order[]>('/orders?sort=updated_at:desc&limit=1'))[0].id).toBe(late.id);
	});

	it('can be new or known, and emits nothing', async () => {
		const [order] = await api.data<Order[]>('/orders?limit=1');
		const { count } = await platform.control.records('events');
		const written = await platform.control.writeRecord('orders', {
			id: order.id,
			updatedAt: '2199-01-01T00:00:00.000Z',
			fields: { merchant_note: 'Ring twice' },
		});
		expect(written).toEqual({ id: order.id, updated_at: '2199-01-01T00:00:00.000Z' });
		expect(await api.data(`/orders/${order.id}`)).toMatchObject({
			merchant_note: 'Ring twice',
			updated_at: '2199-01-01T00:00:00.000Z',
		});
		expect(await platform.control.records('events')).toEqual({ count });
	});

	it.each([
		['categories', {}, 'times of categories'],
		['orders', { id: 'ord_none' }, 'no ord_none'],
		['orders', { updatedAt: 'now' }, 'now is no time'],
		['inventory', {}, 'names its record'],
	])('is refused for %s %j', async (kind, write, reason) => {
		await expect(platform.control.writeRecord(kind as 'orders', write)).rejects.toThrow(reason);
	});

	it('does not disturb a walk that began before it', async () => {
		await platform.control.touch('orders', { count: 6 });
		const path = '/orders?sort=updated_at:asc&limit=250';
		const walked: string[] = [];
		let cursor: string | null = null;
		do {
			const page: Page = (await api.send(cursor ? `${path}&cursor=${cursor}` : path)).json as Page;
			walked.push(...idsOf([page]));
			cursor = page.pagination.next_cursor;
			if (walked.length === 250)
				await platform.control.writeRecord('orders', { updatedAt: ago(5_000) });
		} while (cursor !== null);
		expect(walked).toHaveLength(2_001);
		expect(new Set(walked).size).toBe(2_001);
	});
});

describe('a late commit', () => {
	it('shows nowhere before its time, and then with its earlier updated_at', async () => {
		const { control } = platform;
		const since = ago(2_000);
		const late = await control.writeRecord('orders', {
			updatedAt: ago(1_000),
			visibleAfterMs: LATE_MS,
		});
		const { order } = await control.createOrder();
		expect(await changedSince(since)).toEqual([order.id]);
		expect((await api.send(`/orders/${late.id}`)).status).toBe(404);
		await pause(LATE_MS + 50);
		expect(await changedSince(since)).toEqual([late.id, order.id]);
		const shown = await api.data<Order>(`/orders/${late.id}`);
		expect(shown.updated_at).toBe(late.updated_at);
		expect(Date.parse(shown.updated_at)).toBeLessThan(Date.parse(String(order.updated_at)));
	});

	it('can change a record that is known already', async () => {
		const [{ id, updated_at }] = await api.data<Order[]>('/orders?limit=1');
		await platform.control.writeRecord('orders', {
			id,
			fields: { merchant_note: 'Late' },
			visibleAfterMs: LATE_MS,
		});
		expect(await api.data(`/orders/${id}`)).toMatchObject({ updated_at, merchant_note: '' });
		await pause(LATE_MS + 50);
		expect(await api.data(`/orders/${id}`)).toMatchObject({ merchant_note: 'Late' });
	});

	it('leaves filters by creation right while its place is kept', async () => {
		const since = ago(0);
		await platform.control.writeRecord('orders', { visibleAfterMs: 60_000 });
		const { order } = await platform.control.createOrder();
		expect(idsOf(await api.walk(`/orders?created_since=${since}`, 10))).toEqual([order.id]);
	});
});

describe('equal timestamps', () => {
	it('are walked whole over many pages, in both directions', async () => {
		const { count, updated_at } = await platform.control.touch('orders', { count: 1_500 });
		expect(count).toBe(1_500);
		const up = await changedSince(updated_at);
		expect(new Set(up).size).toBe(1_500);
		expect(await changedSince(updated_at, 'updated_at:desc')).toEqual([...up].reverse());
		const orders = await api.data<Order[]>(`/orders?updated_since=${updated_at}&limit=250`);
		expect(new Set(orders.map((order) => order.updated_at))).toEqual(new Set([updated_at]));
	});

	it('can lie in the past', async () => {
		const at = '2020-01-01T00:00:00.000Z';
		await platform.control.touch('orders', { count: 300, updatedAt: at });
		const [first] = await api.data<Order[]>('/orders?sort=updated_at:asc&limit=1');
		expect(first.updated_at).toBe(at);
		expect(await changedSince('2020-01-01T00:00:00.001Z')).toHaveLength(1_700);
	});
});

describe('the clock of the platform', () => {
	it.each([HOUR_MS, -HOUR_MS])(
		'can be %d ms off, in records and headers',
		async (clockOffsetMs) => {
			await platform.control.configure({ clockOffsetMs });
			const { order } = await platform.control.createOrder();
			const { headers } = await api.send('/account');
			const expected = Date.now() + clockOffsetMs;
			const times = [order.created_at, order.updated_at, headers.date].map((time) =>
				Date.parse(String(time)),
			);
			times.push(Number(headers['x-ratelimit-reset']) * 1_000 - 60_000);
			for (const time of times) expect(Math.abs(time - expected)).toBeLessThan(61_000);
		},
	);

	it('can be set back, and later changes then have earlier times', async () => {
		const { order: before } = await platform.control.createOrder();
		await platform.control.configure({ clockOffsetMs: -HOUR_MS });
		const { order: after } = await platform.control.createOrder();
		expect(Date.parse(String(after.updated_at))).toBeLessThan(
			Date.parse(String(before.updated_at)),
		);
		expect(await changedSince(ago(2 * HOUR_MS))).toEqual([after.id, before.id]);
	});
});
