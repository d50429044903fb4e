import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { addDecimalAmounts } from '../../fields/money';
import { simplify } from '../../fields/simplify';
import { orderId } from './orderId';
import { simplifyOrder } from './simplify';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get an order',
		description: 'Get one order with its line items, totals, payment summary and fulfillment state',
		routing: { request: { method: 'GET', url: '/orders/{orderId}' } },
	},
	answer: 'record',
	simplify: simplifyOrder,
	fields: [orderId, simplify, recordOptions('GET', [addDecimalAmounts])],
};
