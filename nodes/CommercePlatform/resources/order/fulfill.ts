import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { currentOrder, ifNotAllowed } from './ifNotAllowed';
import { fulfillmentFields } from './fulfillment';
import { orderId } from './orderId';

export const fulfill: Operation = {
	option: {
		name: 'Fulfill',
		value: 'fulfill',
		action: 'Fulfill an order',
		description: 'Create a fulfillment: line items of an order that are on their way',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/fulfillments' } },
	},
	answer: 'record',
	recover: currentOrder,
	fields: [orderId, ...fulfillmentFields, recordOptions('POST', [ifNotAllowed])],
};
