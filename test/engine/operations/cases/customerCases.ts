import { byId } from '../../../support/parameters';
import type { Case } from './case';
import { count, done, identified, prefixed, rows } from './expected';

export const customerCases: Case[] = [
	{
		operation: 'customer.getAll',
		parameters: () => ({ returnAll: true, filters: { updated_since: '2020-01-01T00:00:00Z' } }),
		routes: ['GET /customers'],
		query: () => ({ updated_since: '2020-01-01T00:00:00.000Z', limit: '250' }),
		count: 8,
		gives: prefixed('cust'),
	},
	{
		operation: 'customer.get',
		parameters: ({ customer }) => ({ customerId: byId(customer), simplify: false }),
		routes: ['GET /customers/{id}'],
		item: () => ({ address: expect.anything() }),
		gives: identified(({ customer }) => customer),
	},
	{
		operation: 'customer.create',
		parameters: () => ({
			specifyFields: 'json',
			json: '{ "email": "ada@customer.example", "address": { "city": "Bergen" } }',
		}),
		routes: ['POST /customers'],
		body: () => ({ email: 'ada@customer.example', address: { city: 'Bergen' } }),
		item: () => ({ email: 'ada@customer.example', accepts_email_marketing: false }),
		gives: done(prefixed('cust')),
		changes: { effect: count('customers'), becomes: () => 9 },
		least: { fields: rows },
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
		item: () => ({ phone: null }),
		gives: done(identified(({ customer }) => customer)),
		changes: {
			effect: async (shop, { customer }) => (await shop.record('customers', customer)).phone,
			becomes: () => null,
		},
		least: { fields: rows },
	},
];
