import type { ListOperation } from '../../engine/operation';
import { filters } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/options';

export const getAll: ListOperation = {
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
