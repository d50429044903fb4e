import type { Operation } from '../../../shared/declarative/operation';
import { filters } from '../../fields/filters';
import { listFields } from '../../fields/list';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many stock levels',
		description: 'Get a list of stock levels',
		routing: { request: { method: 'GET', url: '/inventory/levels' } },
	},
	answer: 'list',
	fields: listFields(filters(['location_id', 'sku'])),
};
