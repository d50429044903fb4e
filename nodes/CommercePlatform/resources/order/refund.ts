import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import type { RecordOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { currentOrder, ifNotAllowed } from './ifNotAllowed';
import { orderByNumber, orderId } from './orderId';
import { refundFields } from './refundExtent';

export const refund: RecordOperation = {
	kind: 'record',
	scope: undefined,
	reads: { scope: 'orders.read', when: ['By Number', 'Return Current Order'] },
	remark: 'needs payment permissions and a linked payment provider; card data is never sent',
	option: {
		name: 'Refund',
		value: 'refund',
		action: 'Refund an order',
		description:
			'Create a refund through the linked payment provider. Its extent has to be said. Card data must never be entered.',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/refunds' } },
	},
	permission:
		'Refunds need a key with payment permissions, and a payment provider that is linked to the shop. Their scope names are in the back office (Developers, Advanced mode).',
	prepare: orderByNumber,
	recover: currentOrder,
	fields: [orderId, ...refundFields, recordOptions('POST', [decimalAmounts, ifNotAllowed])],
};
