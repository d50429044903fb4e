import { EventTimes } from '../shop/event';
import { usePlatform } from './usePlatform';

type Event = { event_id: string; event: string; payload: Record<string, unknown> };

const { control, api } = usePlatform({ orders: 40 });
beforeEach(async () => await control.reset());

const after = async (id: string, limit = 250) =>
	await api.data<Event[]>(`/events?after_event_id=${id}&limit=${limit}`);

describe('the event stream', () => {
	it('has ids that only rise, from the history into the present', async () => {
		await control.emit('stock.low', { n: 1 });
		await control.payOrder();
		const events = await api.data<Event[]>('/events?limit=250');
		const ids = events.map(({ event_id }) => event_id);
		expect(ids).toEqual([...ids].sort());
		expect(new Set(ids).size).toBe(42);
		expect(events.slice(-2).map(({ event }) => event)).toEqual(['stock.low', 'order.paid']);
	});

	it('goes on behind a given event, by cursor too', async () => {
		const events = await api.data<Event[]>('/events?limit=250');
		expect(await after(events[9].event_id, 5)).toEqual(events.slice(10, 15));
		expect(await after(events[39].event_id)).toEqual([]);
		const pages = await api.walk(`/events?after_event_id=${events[4].event_id}`, 10);
		expect(pages.flatMap(({ data }) => data)).toEqual(events.slice(5));
		expect(await control.emit('stock.low', {})).toEqual({ deliveryIds: [] });
		expect(await after(events[39].event_id)).toMatchObject([{ event: 'stock.low' }]);
	});

	it.each(['evt_', 'evt_x', 'ord_1', '17'])('refuses after_event_id=%s', async (id) => {
		expect(await api.refusal(`/events?after_event_id=${id}`)).toBe('400 INVALID_PARAMETER');
	});

	it('never gives two events that say the same the same time', async () => {
		const emit = async () => await control.emit('a.b', { n: 1 });
		await Promise.all(Array.from({ length: 50 }, emit));
		const events = await api.data<Array<{ event: string; timestamp: string }>>('/events?limit=250');
		const times = events.filter(({ event }) => event === 'a.b').map(({ timestamp }) => timestamp);
		expect(new Set(times).size).toBe(50);
		expect(times).toEqual([...times].sort());
	});
});

describe('times of events', () => {
	it("are the clock's, unless the same is said twice in one millisecond", () => {
		const times = new EventTimes();
		const said = [
			[1_000, 'a'],
			[1_000, 'b'],
			[1_000, 'a'],
			[1_000, 'a'],
			[1_001, 'b'],
			[5_000, 'a'],
		] as const;
		expect(said.map(([now, content]) => times.next(now, content))).toEqual([
			1_000, 1_000, 1_001, 1_002, 1_002, 5_000,
		]);
	});
});
