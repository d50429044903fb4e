import type { RecordOperation } from '../../engine/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/list';
import { addDecimalAmounts } from '../../fields/money';
import { orderId } from './orderId';

export const refund: RecordOperation = {
	kind: 'record',
	scope: undefined,
	remark: 'needs payment permissions and a linked payment provider; card data is never sent',
	option: {
		name: 'Refund',
		value: 'refund',
		action: 'Refund an order',
		description:
			'Create a refund through the linked payment provider. Without an amount the platform decides, which may mean all of it. Card data must never be entered.',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/refunds' } },
	},
	permission:
		'Refunds need a key with payment permissions, and a payment provider that is linked to the shop. Their scope names are in the back office (Developers, Advanced mode).',
	fields: [orderId, ...freeBody('the refund', false), recordOptions('POST', [addDecimalAmounts])],
};
