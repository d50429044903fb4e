import type { EachOperation } from '../../run/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields';
import { changeOrder, ifNotAllowed, orderByNumber, orderId } from './order';

export const cancel: EachOperation = {
	kind: 'each',
	scope: 'orders.write',
	reads: { scope: 'orders.read', when: ['Number', 'Return Current Order'] },
	option: {
		name: 'Cancel',
		value: 'cancel',
		action: 'Cancel an order',
		description: 'Cancel an order, if its state allows it',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/cancel' } },
	},
	run: async (call) => await changeOrder(call, await orderByNumber(call)),
	fields: [
		orderId,
		...freeBody('the cancellation', false),
		...recordOptions('POST', [decimalAmounts, ifNotAllowed]),
	],
};
