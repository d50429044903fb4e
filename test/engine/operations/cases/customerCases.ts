import { FIELDS, idOf, casesOf } from './case';

export const customerCases = casesOf({
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
		reads: 'Email',
		parameters: () => ({
			specifyFields: 'defineBelow',
			fields: { field: [{ name: 'phone', type: 'null', value: '' }] },
		}),
		least: { fields: FIELDS },
	},
});
