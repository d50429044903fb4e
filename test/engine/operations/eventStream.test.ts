import type { IDataObject } from 'n8n-workflow';

import { runOperation, type StubAnswer, stubApi } from '../../support/engine';

const page = (events: number[], next_cursor?: string | null): StubAnswer => {
	const data = events.map((n) => ({ event_id: `evt_${n}` }));
	return [200, next_cursor === undefined ? { data } : { data, pagination: { next_cursor } }];
};
const type = { furtherQuery: { parameter: [{ name: 'type', value: 'x' }] } };

it.each<[string, IDataObject, Array<[query: object, answer: StubAnswer]>, number[]]>([
	[
		'read on behind its last event, until nothing comes',
		{ filters: { after_event_id: 'evt_1' } },
		[
			[{ after_event_id: 'evt_1' }, page([2, 3])],
			[{ after_event_id: 'evt_3' }, page([4])],
			[{ after_event_id: 'evt_4' }, page([])],
		],
		[2, 3, 4],
	],
	[
		'walked by cursor where the platform gives one',
		{},
		[
			[{}, page([1], 'c')],
			[{ cursor: 'c' }, page([2], null)],
		],
		[1, 2],
	],
	[
		'read on behind its last event where the cursor is no parameter of it',
		{ options: type },
		[
			[{ type: 'x' }, page([1], 'c1')],
			[{ type: 'x', cursor: 'c1' }, [400, { error: { code: 'INVALID_PARAMETER' } }]],
			[{ type: 'x', after_event_id: 'evt_1' }, page([2], 'c2')],
			[{ type: 'x', after_event_id: 'evt_2' }, page([3], null)],
		],
		[1, 2, 3],
	],
])('an event stream is %s', async (_how, parameters, exchange, events) => {
	const sent = stubApi({ 'GET /events': exchange.map(([, answer]) => answer) });
	const { json, error } = await runOperation('event.getAll', { returnAll: true, ...parameters });
	expect(error).toBeUndefined();
	expect(json).toEqual(events.map((n) => ({ event_id: `evt_${n}` })));
	expect(sent.map(({ query }) => query)).toEqual(
		exchange.map(([query]) => ({ limit: '250', ...query })),
	);
});
