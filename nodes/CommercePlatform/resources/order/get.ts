import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { simplify } from '../../../shared/fields/simplify';
import { orderByNumber, orderId } from './orderId';
import { simplifyOrder } from '../../../shared/model/simplifyOrder';

export const get: EachOperation = {
	kind: 'each',
	scope: 'orders.read',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get an order',
		description: 'Get one order with its line items, totals, payment summary and fulfillment state',
		routing: { request: { method: 'GET', url: '/orders/{orderId}' } },
	},
	run: async (call) => await call.record(await orderByNumber(call)),
	simplify: simplifyOrder,
	fields: [orderId, simplify, recordOptions('GET', [decimalAmounts])],
};
