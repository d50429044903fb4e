import { EventTimes } from '../shop/event';
import { INVALID, usePlatform } from './usePlatform';

type Event = { event_id: string; event: string; timestamp: string };

const { control, api } = usePlatform({ orders: 40 });
beforeEach(async () => await control.reset());

const allEvents = async () => await api.data<Event[]>('/events?limit=250');

describe('the event stream', () => {
	it('has ids that only rise, from the history into the present', async () => {
		await control.emit('stock.low', { n: 1 });
		await control.payOrder();
		const events = await allEvents();
		const ids = events.map(({ event_id }) => event_id);
		expect(ids).toEqual([...ids].sort());
		expect(new Set(ids).size).toBe(42);
		expect(events.slice(-2).map(({ event }) => event)).toEqual(['stock.low', 'order.paid']);
	});

	it('goes on behind a given event, by cursor too', async () => {
		const events = await allEvents();
		const after = (n: number) => `/events?after_event_id=${events[n].event_id}`;
		const pages = await api.walk(after(4), 10);
		expect(pages.flatMap(({ data }) => data)).toEqual(events.slice(5));
		expect(await api.data(after(39))).toEqual([]);
		await control.emit('stock.low', {});
		expect(await api.data(after(39))).toMatchObject([{ event: 'stock.low' }]);
	});

	it.each(['evt_', 'evt_x', 'ord_1', '17'])('refuses after_event_id=%s', async (id) => {
		expect(await api.refusal(`/events?after_event_id=${id}`)).toBe(INVALID);
	});
});

it("times of events are the clock's, unless the same is said twice in one millisecond", () => {
	const times = new EventTimes();
	const said = [
		[1_000, 'a', 1_000],
		[1_000, 'b', 1_000],
		[1_000, 'a', 1_001],
		[1_000, 'a', 1_002],
		[1_001, 'b', 1_002],
		[5_000, 'a', 5_000],
	] as const;
	for (const [now, content, time] of said) expect(times.next(now, content)).toBe(time);
});
