import type { Operation } from '../../../shared/declarative/operation';
import { COMMON_FILTERS, filters } from '../../fields/filters';
import { listFields } from '../../fields/list';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many categories',
		description: 'Get a list of categories',
		routing: { request: { method: 'GET', url: '/categories' } },
	},
	answer: 'list',
	fields: listFields(filters(COMMON_FILTERS)),
};
