import { FIELDS, idOf, LIST_FILTERS, casesOf } from './case';

export const shopCases = casesOf({
	'account.get': {
		item: () => ({ rate_limits: expect.anything() }),
	},
	'category.getAll': {
		parameters: () => ({ returnAll: false, limit: 2, filters: LIST_FILTERS }),
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
		item: idOf('cat'),
		least: { fields: FIELDS },
	},
	'event.getAll': {
		parameters: ({ event }) => ({ returnAll: false, limit: 5, filters: { after_event_id: event } }),
		count: 5,
		item: () => ({ event_id: expect.stringMatching(/^evt_\d+$/) }),
	},
	'event.getAll, from the beginning': {
		parameters: () => ({ returnAll: false, limit: 1 }),
	},
});
