import type { Operation } from '../../../shared/declarative/operation';
import { filters } from '../../fields/filters';
import { listFields } from '../../fields/list';
import { simplify } from '../../fields/simplify';
import { simplifyCustomer } from './simplify';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many customers',
		description: 'Get a list of customers',
		routing: { request: { method: 'GET', url: '/customers' } },
	},
	answer: 'list',
	simplify: simplifyCustomer,
	fields: listFields(filters(['updated_since']), { simplify }),
};
