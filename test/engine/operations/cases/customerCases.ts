import { byId } from '../../../support/parameters';
import { FIELDS, idOf, type Case } from './case';

export const customerCases: Case[] = [
	{
		operation: 'customer.getAll',
		parameters: () => ({ returnAll: true, filters: { updated_since: '2020-01-01T00:00:00Z' } }),
		routes: ['GET /customers'],
		query: () => ({ updated_since: '2020-01-01T00:00:00.000Z', limit: '250' }),
		count: 8,
		item: idOf('cust'),
	},
	{
		operation: 'customer.get',
		parameters: ({ customer }) => ({ customerId: byId(customer), simplify: false }),
		routes: ['GET /customers/{id}'],
		item: ({ customer }) => ({ id: customer }),
	},
	{
		operation: 'customer.create',
		parameters: () => ({
			specifyFields: 'json',
			json: '{ "email": "ada@customer.example", "address": { "city": "Bergen" } }',
		}),
		routes: ['POST /customers'],
		body: () => ({ email: 'ada@customer.example', address: { city: 'Bergen' } }),
		item: idOf('cust'),
		least: { fields: FIELDS },
	},
	{
		operation: 'customer.update',
		parameters: ({ customer }) => ({
			customerId: byId(customer),
			specifyFields: 'defineBelow',
			fields: { field: [{ name: 'phone', type: 'null', value: '' }] },
		}),
		routes: ['PATCH /customers/{id}'],
		body: () => ({ phone: null }),
		item: ({ customer }) => ({ id: customer }),
		least: { fields: FIELDS },
	},
];
