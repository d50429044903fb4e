import type { RecordOperation } from '../../engine/operation';

/** Stock levels by SKU and location. Only the quantity is compared: the time of a count changes nothing by itself. */
export const levelChanges: NonNullable<RecordOperation['changes']> = {
	source: {
		list: { method: 'GET', path: '/inventory/levels' },
		one: (key) => {
			const [sku, location_id] = JSON.parse(key) as [string, string];
			return { method: 'GET', path: '/inventory/levels', query: { sku, location_id } };
		},
		keysOf: ({ sku, location_id }) => [JSON.stringify([sku, location_id])],
		// API document, "Inventory level": a level is one SKU at one location.
		isUnique: () => true,
	},
	keyOf: ({ fields }) => JSON.stringify([fields.sku, fields.location_id]),
	isUnchanged: ({ fields }, level) => level.quantity === fields.quantity,
};
