import type { Operation } from '../../../shared/declarative/operation';
import { includeMetadata, optionsField } from '../../fields/list';
import { sendingOptions } from '../../fields/options';
import { orderId } from './orderId';

export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update an order',
		description: 'Change an order, e.g. its merchant note',
		routing: { request: { method: 'PATCH', url: '/orders/{orderId}' } },
	},
	answer: 'record',
	fields: [
		orderId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'The fields to change; what is not added here stays as it is',
			options: [
				{
					displayName: 'Merchant Note',
					name: 'merchant_note',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					placeholder: 'e.g. Gift wrap, please',
					description: 'Internal note on the order. Empty text clears it.',
					routing: { send: { type: 'body', property: 'merchant_note' } },
				},
			],
		},
		optionsField([...sendingOptions('PATCH'), includeMetadata]),
	],
};
