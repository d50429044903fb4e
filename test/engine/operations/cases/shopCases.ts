import { FIELDS, idOf, LIST_FILTERS, LIST_QUERY, type Case } from './case';

export const shopCases: Case[] = [
	{
		operation: 'account.get',
		parameters: () => ({}),
		routes: ['GET /account'],
		item: () => ({ rate_limits: expect.anything() }),
	},
	{
		operation: 'category.getAll',
		parameters: () => ({ returnAll: false, limit: 2, filters: LIST_FILTERS }),
		routes: ['GET /categories'],
		query: () => ({ ...LIST_QUERY, limit: '2' }),
		count: 2,
		item: idOf('cat'),
	},
	{
		operation: 'category.create',
		parameters: () => ({
			specifyFields: 'defineBelow',
			fields: {
				field: [
					{ name: 'name', type: 'string', value: 'Lamps' },
					{ name: 'position', type: 'number', value: '3' },
					{ name: 'visible', type: 'boolean', value: 'true' },
					{ name: 'parent_id', type: 'null', value: '' },
					{ name: 'tags', type: 'json', value: '["light"]' },
				],
			},
		}),
		routes: ['POST /categories'],
		body: () => ({ name: 'Lamps', position: 3, visible: true, parent_id: null, tags: ['light'] }),
		item: idOf('cat'),
		least: { fields: FIELDS },
	},
	{
		operation: 'event.getAll',
		parameters: ({ event }) => ({
			returnAll: false,
			limit: 5,
			filters: { after_event_id: event },
		}),
		routes: ['GET /events'],
		query: ({ event }) => ({ after_event_id: event, limit: '5' }),
		count: 5,
		item: () => ({ event_id: expect.stringMatching(/^evt_\d+$/) }),
	},
	{
		operation: 'event.getAll',
		note: 'from the beginning',
		parameters: () => ({ returnAll: false, limit: 1 }),
		routes: ['GET /events'],
		query: () => ({ limit: '1' }),
	},
];
