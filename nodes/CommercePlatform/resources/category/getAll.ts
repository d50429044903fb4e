import type { ListOperation } from '../../engine/operation';
import { COMMON_FILTERS, filters } from '../../fields/filters';
import { listFields } from '../../fields/options';

export const getAll: ListOperation = {
	kind: 'list',
	scope: undefined,
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many categories',
		description: 'Get a list of categories',
		routing: { request: { method: 'GET', url: '/categories' } },
	},
	fields: listFields(filters(COMMON_FILTERS)),
};
