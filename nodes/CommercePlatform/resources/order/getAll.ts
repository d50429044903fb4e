import type { ListOperation } from '../../engine/operation';
import { COMMON_FILTERS, filters } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/list';
import { addDecimalAmounts } from '../../../shared/fields/addDecimalAmounts';
import { simplify } from '../../../shared/fields/simplify';
import { simplifyOrder } from '../../../shared/model/simplifyOrder';

export const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: 'orders.read',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many orders',
		description: 'Get a list of orders',
		routing: { request: { method: 'GET', url: '/orders' } },
	},
	simplify: simplifyOrder,
	fields: listFields(
		filters(COMMON_FILTERS, {
			status: {
				description: 'Only orders with this status. Seen so far: paid, fulfilled, cancelled.',
				placeholder: 'e.g. paid',
			},
		}),
		{ simplify, options: [addDecimalAmounts] },
	),
};
