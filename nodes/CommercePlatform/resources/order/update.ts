import { text } from '../../../shared/values/readers';
import type { RecordOperation } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { furtherFields } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { updateFields } from '../../fields/update';
import { currentOrder, ifNotAllowed } from './ifNotAllowed';
import { orderByNumber, orderId } from './orderId';

const merchantNote = bodyField(
	{
		displayName: 'Merchant Note',
		name: 'merchant_note',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. Gift wrap, please',
		description: 'Internal note on the order',
	},
	text,
);

export const update: RecordOperation = {
	kind: 'record',
	scope: 'orders.write',
	reads: { scope: 'orders.read', when: ['By Number', 'Return Current Order'] },
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update an order',
		description: 'Change an order, e.g. its merchant note',
		routing: { request: { method: 'PATCH', url: '/orders/{orderId}' } },
	},
	prepare: orderByNumber,
	recover: currentOrder,
	fields: [
		orderId,
		...updateFields(
			[merchantNote, ...furtherFields('searchOrderFields')],
			[{ name: 'Merchant Note', value: 'merchant_note', empty: '' }],
		),
		recordOptions('PATCH', [decimalAmounts, ifNotAllowed]),
	],
};
