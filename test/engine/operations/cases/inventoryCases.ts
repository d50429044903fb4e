import { casesOf } from './case';

export const inventoryCases = casesOf({
	'inventory.getAll': {
		parameters: ({ sku }) => ({ returnAll: true, filters: { sku, location_id: 'sloc_main' } }),
		item: ({ sku }) => ({ sku, location_id: 'sloc_main', quantity: expect.any(Number) }),
	},
	'inventory.set': {
		reads: 'Overwrite, Return Current Level, Only If Changed, Dry Run',
		parameters: ({ sku }) => ({
			sku,
			locationId: 'sloc_main',
			quantity: 7,
			options: { ifMatch: '*', updatedAt: '2036-01-01T12:00:00+02:00' },
		}),
		item: ({ sku }) => ({ sku, quantity: 7 }),
		least: {
			sku: 'A',
			locationId: 'sloc_1',
			quantity: 1,
			options: { updatedAt: '2030-01-01T00:00:00Z' },
		},
	},
	'inventory.adjust': {
		reads: 'Return Current Level, Dry Run',
		parameters: ({ sku }) => ({ sku, locationId: 'sloc_main', delta: -1, reason: 'Damaged' }),
		item: ({ sku }) => ({ sku }),
		least: { sku: 'A', locationId: 'sloc_1', delta: 1 },
	},
});
