import { text } from '../../../shared/values/readers';
import type { EachOperation } from '../../run/operation';
import { textField } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { furtherFields } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields';
import { updateFields } from '../../fields/update';
import { changeOrder, ifNotAllowed, orderByNumber, orderId } from './order';

const merchantNote = bodyField(
	textField('Merchant Note', 'merchant_note', 'Internal note on the order', {
		typeOptions: { rows: 3 },
		example: 'Gift wrap, please',
	}),
	text,
);

export const update: EachOperation = {
	kind: 'each',
	scope: 'orders.write',
	reads: { scope: 'orders.read', when: ['Number', 'Return Current Order'] },
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update an order',
		description: 'Change an order, e.g. its merchant note',
		routing: { request: { method: 'PATCH', url: '/orders/{orderId}' } },
	},
	run: async (call) => await changeOrder(call, await orderByNumber(call)),
	fields: [
		orderId,
		...updateFields(
			[merchantNote, ...furtherFields('searchOrderFields')],
			[{ name: 'Merchant Note', value: 'merchant_note', empty: '' }],
		),
		...recordOptions('PATCH', [decimalAmounts, ifNotAllowed]),
	],
};
