import { byId, byMode } from '../../../support/parameters';
import { FIELDS, idOf, SORT, casesOf } from './case';

export const shopCases = casesOf({
	'account.get': {
		item: () => ({ rate_limits: expect.anything() }),
	},
	'category.getAll': {
		parameters: () => ({ returnAll: false, limit: 2, options: { sort: SORT } }),
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
	'customer.getAll': {
		parameters: () => ({ returnAll: true, filters: { updated_since: '2020-01-01T00:00:00Z' } }),
		count: 8,
		item: idOf('cust'),
	},
	'customer.get': {
		parameters: () => ({ simplify: false }),
	},
	'customer.create': {
		parameters: () => ({
			specifyFields: 'json',
			json: '{ "email": "ada@customer.example", "address": { "city": "Bergen" } }',
		}),
		item: idOf('cust'),
		least: { fields: FIELDS },
	},
	'customer.update': {
		parameters: () => ({
			specifyFields: 'defineBelow',
			fields: { field: [{ name: 'phone', type: 'null', value: '' }] },
		}),
		least: { fields: FIELDS },
	},
	'inventory.getAll': {
		parameters: ({ sku }) => ({ returnAll: true, filters: { sku, location_id: 'sloc_main' } }),
		item: ({ sku }) => ({ sku, location_id: 'sloc_main', quantity: expect.any(Number) }),
	},
	'inventory.set': {
		parameters: ({ sku }) => ({
			sku: byMode('sku', sku),
			locationId: byId('sloc_main'),
			quantity: 7,
			options: { ifMatch: '*', updatedAt: '2036-01-01T12:00:00+02:00' },
		}),
		item: ({ sku }) => ({ sku, quantity: 7 }),
		least: {
			sku: byMode('sku', 'A'),
			locationId: byId('sloc_1'),
			quantity: 1,
			options: { updatedAt: '2030-01-01T00:00:00Z' },
		},
	},
	'inventory.adjust': {
		parameters: ({ sku }) => ({
			sku: byMode('sku', sku),
			locationId: byId('sloc_main'),
			delta: -1,
			reason: 'Damaged',
		}),
		item: ({ sku }) => ({ sku }),
		least: { sku: byMode('sku', 'A'), locationId: byId('sloc_1'), delta: 1 },
	},
});
