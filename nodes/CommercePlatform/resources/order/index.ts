import { decimalAmounts } from '../../../shared/fields';
import { simplifyOrder } from '../../../shared/model/records';
import { jsonObject, text } from '../../../shared/values/readers';
import type { Resource } from '../../run/operation';
import { collection, textField } from '../../fields/build';
import { bodyField, type Field } from '../../fields/field';
import { furtherFields } from '../../fields/freeBody';
import { updateFields } from '../../fields/update';
import { each, getOne, update } from '../operation';
import { fulfill } from './fulfill';
import { getAll } from './getAll';
import { CHANGE, ORDERS } from './order';
import { refund } from './refund';

/** JSON as it was entered: of a cancellation it is not known what a part that is left out would say. */
const asEntered = (field: Field): Field =>
	field.type === 'json'
		? { ...field, hint: undefined, send: { in: 'body', read: jsonObject } }
		: field;

const cancel = each({
	...CHANGE,
	request: 'POST /orders/{orderId}/cancel',
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel an order',
	description: 'Cancel an order, if its state allows it',
	fields: [
		collection(
			'Additional Fields',
			'additionalFields',
			'Add Field',
			'What your platform takes with a cancellation, e.g. a reason',
			furtherFields().map(asEntered),
		),
	],
});

const merchantNote = bodyField(
	textField('Merchant Note', 'merchant_note', 'Internal note on the order', {
		typeOptions: { rows: 3 },
		example: 'Gift wrap, please',
	}),
	text,
);

export const order: Resource = {
	name: 'Order',
	value: 'order',
	description: 'Orders with their line items, totals and state',
	noun: 'order',
	operations: [
		cancel,
		fulfill,
		getOne(ORDERS, {
			description:
				'Get one order with its line items, totals, payment summary and fulfillment state',
			simplify: simplifyOrder,
			options: [decimalAmounts],
		}),
		getAll,
		refund,
		update(ORDERS, {
			...CHANGE,
			description: 'Change an order, e.g. its merchant note',
			fields: updateFields(
				[merchantNote, ...furtherFields('searchOrderFields')],
				[{ name: 'Merchant Note', value: 'merchant_note', empty: '' }],
			),
		}),
	],
};
