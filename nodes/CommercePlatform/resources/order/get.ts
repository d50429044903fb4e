import type { Operation } from '../../../shared/declarative/operation';
import { includeMetadata, optionsField } from '../../fields/list';
import { conditionalOptions } from '../../fields/options';
import { orderId } from './orderId';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get an order',
		description: 'Get one order with its line items, totals, payment summary and fulfillment state',
		routing: { request: { method: 'GET', url: '/orders/{orderId}' } },
	},
	answer: 'record',
	fields: [orderId, optionsField([...conditionalOptions, includeMetadata])],
};
