import type { RecordOperation } from '../../engine/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { currentOrder, ifNotAllowed } from './ifNotAllowed';
import { orderByNumber, orderId } from './orderId';

export const cancel: RecordOperation = {
	kind: 'record',
	scope: 'orders.write',
	reads: { scope: 'orders.read', when: ['By Number', 'Return Current Order'] },
	option: {
		name: 'Cancel',
		value: 'cancel',
		action: 'Cancel an order',
		description: 'Cancel an order, if its state allows it',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/cancel' } },
	},
	prepare: orderByNumber,
	recover: currentOrder,
	fields: [
		orderId,
		...freeBody('the cancellation', false),
		recordOptions('POST', [decimalAmounts, ifNotAllowed]),
	],
};
