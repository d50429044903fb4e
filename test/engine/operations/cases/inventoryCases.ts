import type { Case } from './case';

export const inventoryCases: Case[] = [
	{
		operation: 'inventory.getAll',
		parameters: ({ sku }) => ({ returnAll: true, filters: { sku, location_id: 'sloc_main' } }),
		routes: ['GET /inventory/levels'],
		query: ({ sku }) => ({ sku, location_id: 'sloc_main', limit: '250' }),
		item: ({ sku }) => ({ sku, location_id: 'sloc_main', quantity: expect.any(Number) }),
	},
	{
		operation: 'inventory.set',
		parameters: ({ sku }) => ({
			sku,
			locationId: 'sloc_main',
			quantity: 7,
			options: { ifMatch: '*', updatedAt: '2036-01-01T12:00:00+02:00' },
		}),
		routes: ['PUT /inventory/levels'],
		body: ({ sku }) => ({
			sku,
			location_id: 'sloc_main',
			quantity: 7,
			updated_at: '2036-01-01T10:00:00.000Z',
		}),
		headers: { 'if-match': '*' },
		item: ({ sku }) => ({ sku, quantity: 7 }),
		least: {
			sku: 'A',
			locationId: 'sloc_1',
			quantity: 1,
			options: { updatedAt: '2030-01-01T00:00:00Z' },
		},
	},
	{
		operation: 'inventory.adjust',
		parameters: ({ sku }) => ({ sku, locationId: 'sloc_main', delta: -1, reason: 'Damaged' }),
		routes: ['POST /inventory/levels/adjust'],
		body: ({ sku }) => ({ sku, location_id: 'sloc_main', delta: -1, reason: 'Damaged' }),
		item: ({ sku }) => ({ sku }),
		least: { sku: 'A', locationId: 'sloc_1', delta: 1 },
	},
];
