import type { ListOperation } from '../../engine/operation';
import { COMMON_FILTERS, filters, knownStates } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { simplify } from '../../../shared/fields/simplify';
import { simplifyOrder } from '../../../shared/model/simplifyOrder';
import { lineItemRows, lineItemsOutput } from './lineItemRows';

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
	newestFirst: true,
	rows: lineItemRows,
	fields: listFields(
		filters(COMMON_FILTERS, {
			status: knownStates('orders', ['cancelled', 'fulfilled', 'paid']),
			sort: {
				description:
					'The order of the records; it stays the same through all pages. Without it, a Limit gives the orders that changed last. Return All, the output Pages and a Start Cursor keep the platform’s order.',
			},
		}),
		{ simplify, options: [decimalAmounts], outputs: [lineItemsOutput] },
	),
};
