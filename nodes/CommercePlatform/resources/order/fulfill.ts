import type { RecordOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { currentOrder, ifNotAllowed } from './ifNotAllowed';
import { fulfillmentFields } from './fulfillment';
import { orderId } from './orderId';
import { orderWithNothingLeft, takesOpenItems, withOpenItems } from './sendOpenItems';

export const fulfill: RecordOperation = {
	kind: 'record',
	scope: 'fulfillments.write',
	reads: { scope: 'orders.read', when: ['By Number', 'All Open Items', 'Return Current Order'] },
	option: {
		name: 'Fulfill',
		value: 'fulfill',
		action: 'Fulfill an order',
		description: 'Create a fulfillment: line items of an order that are on their way',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/fulfillments' } },
	},
	prepare: withOpenItems,
	readsFirst: (planned) =>
		takesOpenItems(planned) ? 'The open items are read from the order first.' : undefined,
	recover: currentOrder,
	recoverPrepare: orderWithNothingLeft,
	fields: [orderId, ...fulfillmentFields, recordOptions('POST', [ifNotAllowed])],
};
