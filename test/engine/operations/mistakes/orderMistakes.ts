import type { IDataObject } from 'n8n-workflow';

import { id, mistake, type Mistake } from './mistake';

const fulfillment = (item: IDataObject, more: IDataObject = {}): IDataObject => ({
	orderId: id('ord_1'),
	items: { item: [item] },
	...more,
});

export const orderMistakes: Mistake[] = [
	mistake(
		'order.cancel',
		'malformed JSON',
		{ orderId: id('ord_1'), specifyFields: 'json', json: '{' },
		'JSON',
	),
	mistake(
		'order.refund',
		'text as JSON',
		{ orderId: id('ord_1'), specifyFields: 'json', json: '"all"' },
		'JSON',
	),
	mistake('order.update', 'nothing', { orderId: id('ord_1'), updateFields: {} }, 'Update Fields'),
	mistake(
		'order.update',
		'a field set and cleared',
		{ orderId: id('ord_1'), updateFields: { merchant_note: 'x' }, clearFields: ['merchant_note'] },
		'Fields to Clear',
	),
	mistake(
		'order.update',
		'a field set twice',
		{
			orderId: id('ord_1'),
			updateFields: { merchant_note: 'x', otherFieldsJson: '{ "merchant_note": "y" }' },
		},
		'Other Fields (JSON)',
	),
	mistake(
		'order.update',
		'a note of the wrong type',
		{ orderId: id('ord_1'), updateFields: { merchant_note: '={{ { a: 1 } }}' } },
		'Merchant Note',
	),
	mistake(
		'order.fulfill',
		'0 pieces',
		fulfillment({ line_item_id: 'li_1', quantity: 0 }),
		'Quantity',
	),
	mistake(
		'order.fulfill',
		'-1 pieces',
		fulfillment({ line_item_id: 'li_1', quantity: -1 }),
		'Quantity',
	),
	mistake(
		'order.fulfill',
		'half a piece',
		fulfillment({ line_item_id: 'li_1', quantity: 1.5 }),
		'Quantity',
	),
	mistake(
		'order.fulfill',
		'no line item',
		fulfillment({ line_item_id: '', quantity: 1 }),
		'Line Item ID',
	),
	mistake(
		'order.fulfill',
		'an upper-case carrier',
		fulfillment({ line_item_id: 'li_1', quantity: 1 }, { carrier: 'DHL' }),
		'Carrier',
	),
	mistake('order.fulfill', 'no items', { orderId: id('ord_1'), items: {} }, 'Items'),
	mistake(
		'order.fulfill',
		'malformed JSON',
		{ orderId: id('ord_1'), specifyItems: 'json', itemsJson: '[{' },
		'Items (JSON)',
	),
	mistake(
		'order.getAll',
		'a date that is none',
		{ filters: { updated_since: 'soon' } },
		'“Updated Since” is not a date',
	),
	mistake(
		'order.getAll',
		'a status of the wrong type',
		{ filters: { status: '={{ { a: 1 } }}' } },
		'Status',
	),
	mistake(
		'order.getAll',
		'a sort without a field',
		{ filters: { sort: { by: { field: '', direction: 'asc' } } } },
		'Sort',
	),
	mistake(
		'order.getAll',
		'a sort in no direction',
		{ filters: { sort: { by: { field: 'updated_at', direction: '={{ "up" }}' } } } },
		'Sort',
	),
];
