import { startPlatform, type Platform } from '../index';
import { apiClient, type ApiClient } from './apiClient';

type Event = { event_id: string; event: string; payload: Record<string, unknown> };

let platform: Platform;
let api: ApiClient;
beforeAll(async () => {
	platform = await startPlatform({ orders: 40 });
	api = apiClient(platform);
});
beforeEach(async () => await platform.control.reset());
afterAll(async () => await platform.close());

const after = async (id: string, limit = 250) =>
	await api.data<Event[]>(`/events?after_event_id=${id}&limit=${limit}`);

describe('the event stream', () => {
	it('has ids that only rise, from the history into the present', async () => {
		await platform.control.emit('stock.low', { n: 1 });
		await platform.control.payOrder();
		const events = await api.data<Event[]>('/events?limit=250');
		const ids = events.map(({ event_id }) => event_id);
		expect(ids).toEqual([...ids].sort());
		expect(new Set(ids).size).toBe(42);
		expect(events.slice(-2).map(({ event }) => event)).toEqual(['stock.low', 'order.paid']);
	});

	it('goes on behind a given event', async () => {
		const events = await api.data<Event[]>('/events?limit=250');
		expect(await after(events[9].event_id, 5)).toEqual(events.slice(10, 15));
		expect(await after(events[39].event_id)).toEqual([]);
		const { deliveryIds } = await platform.control.emit('stock.low', {});
		expect(deliveryIds).toEqual([]);
		expect(await after(events[39].event_id)).toMatchObject([{ event: 'stock.low' }]);
	});

	it('can be walked by cursor behind a given event', async () => {
		const events = await api.data<Event[]>('/events?limit=250');
		const pages = await api.walk(`/events?after_event_id=${events[4].event_id}`, 10);
		const walked = pages.flatMap(({ data }) => data);
		expect(walked).toEqual(events.slice(5));
	});

	it.each(['evt_', 'evt_x', 'ord_1', '17'])('refuses after_event_id=%s', async (id) => {
		expect(await api.refusal(`/events?after_event_id=${id}`)).toBe('400 INVALID_PARAMETER');
	});

	it('never gives two events the same time', async () => {
		const emits = Array.from({ length: 50 }, async () => await platform.control.emit('a.b', {}));
		await Promise.all(emits);
		const events = await api.data<Array<{ timestamp: string }>>('/events?limit=250');
		expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(90);
	});
});
