import { spokenPlatform } from './spoken';

const shop = spokenPlatform();

type Event = Record<string, unknown>;

describe('eventStream', () => {
	it.each([
		['forbidden', 403],
		['notFound', 404],
		['notImplemented', 501],
		['offered', 200],
	] as const)('is %s', async (eventStream, status) => {
		expect((await shop.in({ eventStream }, '/events')).status).toBe(status);
		expect((await shop.in({ eventStream }, '/orders')).status).toBe(200);
	});
});

describe('eventList', () => {
	it('is wrapped, without pagination or bare', async () => {
		const wrapped = await shop.json({}, '/events?limit=2');
		expect(Object.keys(wrapped)).toEqual(['data', 'pagination']);
		expect(await shop.json({ eventList: 'withoutPagination' }, '/events?limit=2')).toEqual({
			data: wrapped.data,
		});
		expect(await shop.json({ eventList: 'bare' }, '/events?limit=2')).toEqual(wrapped.data);
	});
});

describe('eventRecord', () => {
	it('is as a delivery or an envelope', async () => {
		const [event] = (await shop.json<{ data: Event[] }>({}, '/events?limit=1')).data;
		const [envelope] = (
			await shop.json<{ data: Event[] }>({ eventRecord: 'envelope' }, '/events?limit=1')
		).data;
		expect(envelope).toEqual({
			event_id: event.event_id,
			type: event.event,
			created_at: event.timestamp,
			data: event.payload,
		});
	});
});

describe('eventIds', () => {
	it('are padded or plain, and the stream goes on behind either', async () => {
		const list = await shop.json<Event[]>(
			{ eventIds: 'plain', eventList: 'bare' },
			'/events?limit=12',
		);
		const ids = list.map(({ event_id }) => event_id);
		expect(ids.slice(8, 10)).toEqual(['evt_9', 'evt_10']);
		const { data } = (await shop.api.send('/events?after_event_id=evt_9&limit=1')).json as {
			data?: Event[];
		} & Event[];
		expect(data).toBeUndefined();
		const padded = await shop.json<{ data: Event[] }>({}, '/events?limit=1&after_event_id=evt_9');
		expect(padded.data[0].event_id).toBe('evt_000000000010');
	});
});
