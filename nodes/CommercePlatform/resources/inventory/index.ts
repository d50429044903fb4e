import type { ListOperation, Resource } from '../../run/operation';
import { filters } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/options';
import { adjust } from './adjust';
import { set } from './set';

const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: 'inventory.read',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many stock levels',
		description: 'Get a list of stock levels',
		routing: { request: { method: 'GET', url: '/inventory/levels' } },
	},
	fields: listFields(filters(['location_id', 'sku'])),
};

export const inventory: Resource = {
	name: 'Inventory',
	value: 'inventory',
	description: 'Stock levels by SKU and location',
	noun: 'stock level',
	operations: [adjust, getAll, set],
};
