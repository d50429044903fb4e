import { idsOf, type Page } from '../support/apiClient';
import { usePlatform } from './usePlatform';

const HOUR_MS = 3_600_000;

const { control, api } = usePlatform({
	products: 61,
	orders: 600,
	customers: 10,
	minuteBudget: 1_000_000,
});
beforeEach(async () => await control.reset());

const page = async (path: string) => (await api.send(path)).json as Page;
const found = async (path: string) => idsOf(await api.walk(path, 250));

describe('a walk', () => {
	it.each([
		['products', 'products'],
		['orders', 'orders'],
		['customers', 'customers'],
		['categories', 'categories'],
		['inventory/levels', 'inventory'],
		['events', 'events'],
	] as const)('yields each record of %s exactly once', async (list, kind) => {
		const records = (await api.walk(`/${list}`, 41)).flatMap(({ data }) => data);
		const { count } = await control.records(kind);
		const texts = new Set(records.map((record) => JSON.stringify(record)));
		expect([records.length, texts.size]).toEqual([count, count]);
	});

	it('of events continues after a given one, from the history into the present', async () => {
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

it('a list of orders can be filtered by the SKU of a line, and omits the fields that only get includes', async () => {
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

it('a chosen updated_at can be the same for many records, and in the past', async () => {
	const at = '2020-01-01T00:00:00.000Z';
	await control.touch('orders', { count: 20, updatedAt: at });
	expect((await page('/orders?sort=updated_at:asc')).data[0].updated_at).toBe(at);
	expect(await found('/orders?updated_since=2020-01-01T00:00:00.001Z')).toHaveLength(580);
});

it.each([HOUR_MS, -HOUR_MS])(
	'the clock of the platform can be %d ms off, in records and headers',
	async (offset) => {
		await control.configure({ clockOffsetMs: offset });
		const { order } = await control.createOrder();
		const { headers } = await api.send('/account');
		const reset = Number(headers['x-ratelimit-reset']) * 1_000 - 60_000;
		for (const time of [order.created_at, order.updated_at, headers.date, reset]) {
			const at = new Date(time as string | number).getTime();
			expect(Math.abs(at - Date.now() - offset)).toBeLessThan(61_000);
		}
	},
);
