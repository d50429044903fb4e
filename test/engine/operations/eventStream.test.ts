import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { ORIGIN } from '../../support/testShop';

const parameters = { resource: 'event', operation: 'getAll', returnAll: true };
const event = (n: number) => ({ event_id: `evt_${n}` });

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => {
	nock.enableNetConnect();
	nock.restore();
});

describe('an event stream without cursors', () => {
	it('is read on behind its last event, until nothing comes', async () => {
		nock(ORIGIN)
			.get('/v1/events')
			.query({ limit: 250, after_event_id: 'evt_1' })
			.reply(200, { data: [event(2), event(3)] })
			.get('/v1/events')
			.query({ limit: 250, after_event_id: 'evt_3' })
			.reply(200, { data: [event(4)] })
			.get('/v1/events')
			.query({ limit: 250, after_event_id: 'evt_4' })
			.reply(200, { data: [] });
		const { items, error } = await runNode({
			parameters: { ...parameters, filters: { after_event_id: 'evt_1' } },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.event_id)).toEqual(['evt_2', 'evt_3', 'evt_4']);
		expect(nock.pendingMocks()).toEqual([]);
	});

	it('does not turn for ever on a platform that leads nowhere', async () => {
		nock(ORIGIN)
			.get('/v1/events')
			.query(true)
			.times(5)
			.reply(200, { data: [event(1)] });
		const { error } = await runNode({ parameters });
		expect(error?.message).toBe('The list could not be read to its end');
		expect(error?.description).toContain('set the filter “after_event_id” to “evt_1”');
	});

	it('is walked by cursor where the platform gives one', async () => {
		nock(ORIGIN)
			.get('/v1/events')
			.query({ limit: 250 })
			.reply(200, { data: [event(1)], pagination: { next_cursor: 'c', has_more: true } })
			.get('/v1/events')
			.query({ limit: 250, cursor: 'c' })
			.reply(200, { data: [event(2)], pagination: { next_cursor: null, has_more: false } });
		const { items } = await runNode({ parameters });
		expect(items).toHaveLength(2);
	});

	it('is read on behind its last event where the cursor is no parameter of it', async () => {
		const page = (n: number, next_cursor: string | null) => ({
			data: [event(n)],
			pagination: { next_cursor },
		});
		nock(ORIGIN)
			.get('/v1/events')
			.query({ limit: 250, type: 'x' })
			.reply(200, page(1, 'c1'))
			.get('/v1/events')
			.query({ limit: 250, type: 'x', cursor: 'c1' })
			.reply(400, { error: { code: 'INVALID_PARAMETER', message: 'cursor is no parameter' } })
			.get('/v1/events')
			.query({ limit: 250, type: 'x', after_event_id: 'evt_1' })
			.reply(200, page(2, 'c2'))
			.get('/v1/events')
			.query({ limit: 250, type: 'x', after_event_id: 'evt_2' })
			.reply(200, page(3, null));
		const { items, error } = await runNode({
			parameters: {
				...parameters,
				options: { furtherQuery: { parameter: [{ name: 'type', value: 'x' }] } },
			},
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.event_id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
		expect(nock.pendingMocks()).toEqual([]);
	});
});
