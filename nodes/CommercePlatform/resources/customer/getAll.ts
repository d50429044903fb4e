import type { ListOperation } from '../../engine/operation';
import { filters } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/list';
import { simplify } from '../../../shared/fields/simplify';
import { simplifyCustomer } from '../../../shared/model/simplifyCustomer';

export const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: 'customers.read',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many customers',
		description: 'Get a list of customers',
		routing: { request: { method: 'GET', url: '/customers' } },
	},
	simplify: simplifyCustomer,
	fields: listFields(filters(['updated_since']), { simplify }),
};
