import { FIELDS, idOf, LIST_FILTERS, LIST_QUERY, casesOf } from './case';

export const shopCases = casesOf({
	'account.get': {
		item: () => ({ rate_limits: expect.anything() }),
	},
	'category.getAll': {
		parameters: () => ({ returnAll: false, limit: 2, filters: LIST_FILTERS }),
		query: () => ({ ...LIST_QUERY, limit: '2' }),
		count: 2,
		item: idOf('cat'),
	},
	'category.create': {
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
		body: () => ({ name: 'Lamps', position: 3, visible: true, parent_id: null, tags: ['light'] }),
		item: idOf('cat'),
		least: { fields: FIELDS },
	},
	'event.getAll': {
		parameters: ({ event }) => ({ returnAll: false, limit: 5, filters: { after_event_id: event } }),
		query: ({ event }) => ({ after_event_id: event, limit: '5' }),
		count: 5,
		item: () => ({ event_id: expect.stringMatching(/^evt_\d+$/) }),
	},
	'event.getAll, from the beginning': {
		parameters: () => ({ returnAll: false, limit: 1 }),
		query: () => ({ limit: '1' }),
	},
});
