import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistake, type Mistake } from './mistake';

const fulfillment = (item: IDataObject, more: IDataObject = {}): IDataObject => ({
	orderId: byId('ord_1'),
	specifyItems: 'defineBelow',
	items: { item: [item] },
	...more,
});

const json = (entered: string): IDataObject => ({ specifyFields: 'json', json: entered });

const refund = (what: string, parameters: IDataObject, names: string): Mistake =>
	mistake('order.refund', what, { orderId: byId('ord_1'), extent: 'fields', ...parameters }, names);

export const orderMistakes: Mistake[] = [
	...['order.cancel', 'order.refund'].map((operation) =>
		mistake(
			operation,
			'an unknown answer to a state',
			{ orderId: byId('ord_1'), extent: 'platform', options: { ifNotAllowed: '={{ "skip" }}' } },
			'“If Not Allowed in This State” cannot be "skip"',
		),
	),
	mistake(
		'order.cancel',
		'malformed JSON',
		{ orderId: byId('ord_1'), additionalFields: { otherFieldsJson: '{' } },
		'Other Fields (JSON)',
	),
	mistake(
		'order.refund',
		'text as JSON',
		{ orderId: byId('ord_1'), extent: 'fields', ...json('"all"') },
		'JSON',
	),
	mistake('order.refund', 'no extent', { orderId: byId('ord_1') }, '“How Much to Refund” is empty'),
	mistake(
		'order.refund',
		'no extent, but fields',
		{ orderId: byId('ord_1'), ...json('{ "amount": 5, "currency": "EUR" }') },
		'“How Much to Refund” is empty',
	),
	refund('an empty object', json('{}'), '“JSON” is empty'),
	refund('fields that are empty', { extent: 'fields' }, '“Fields” is empty'),
	refund('no amount', { extent: 'amount', currency: 'EUR' }, '“Amount” is empty'),
	refund('no currency', { extent: 'amount', amount: '5' }, '“Currency” is not a currency'),
	refund('an amount of 0', { extent: 'amount', amount: '0', currency: 'EUR' }, '“Amount” must be'),
	refund('less than 0', { extent: 'amount', amount: '-5', currency: 'EUR' }, '“Amount” must be'),
	refund(
		'an amount from an expression without a value',
		{ extent: 'amount', amount: '={{ $json.none }}', currency: 'EUR' },
		'“Amount” is empty',
	),
	refund(
		'an amount finer than cents',
		{ extent: 'amount', amount: '10.005', currency: 'EUR' },
		'“Amount” is too precise for EUR',
	),
	refund(
		'decimals in minor units',
		{ extent: 'amount', amountsAreIn: 'minor', amount: '10.5', currency: 'EUR' },
		'“Amount (Minor Units)” must be a whole number of minor units',
	),
	refund(
		'an unknown unit',
		{ extent: 'amount', amountsAreIn: 'cents', amount: '10', currency: 'EUR' },
		'“Amounts Are In” cannot be',
	),
	refund(
		'an amount that is not a number',
		json('={{ { amount: Math.round($json.price * 100), currency: "EUR" } }}'),
		'“JSON: amount”',
	),
	refund(
		'an amount that is undefined',
		json('={{ { amount: $json.price, currency: "EUR" } }}'),
		'“JSON: amount”',
	),
	refund(
		'an amount that is null, deep inside',
		json('{ "lines": [{ "total": { "amount": null, "currency": "EUR" } }] }'),
		'“JSON: amount” is missing',
	),
	refund(
		'an amount in quotes from an expression without a value',
		json('={ "amount": "{{ $json.none }}", "currency": "EUR" }'),
		'“JSON: amount” is missing',
	),
	refund(
		'an amount that is a word',
		json('{ "amount": "undefined", "currency": "EUR" }'),
		'“JSON: amount” is missing',
	),
	refund('an amount of another name', json('{ "refund_amount": null }'), '“JSON: refund_amount”'),
	refund('an amount beyond all numbers', json('{ "amount": 1e400 }'), '“JSON: amount”'),
	...[
		'{"reason":"Damaged"}',
		'{"reason":"3"}',
		'{"notify_customer":1}',
		'{"cents":null,"vat_rate":19}',
		'{"type":"full"}',
		'{"full":"undefined"}',
		'{"line_items":[]}',
		'{"line_items":[{"line_item_id":"li_1","quantity":0}]}',
		'{"items":[{"line_item_id":null}],"notify":true}',
		'{"amount":0,"currency":"EUR"}',
		'{"refund":{"amount":5,"currency":"EUR"}}',
		'{"reason":"Damaged","order_number":1041,"requestedAt":1763812800}',
		'{"reason":"Damaged","details":{"tags":["broken"],"full":false}}',
	].map((written) =>
		refund(`a body that says no extent, ${written}`, json(written), '“JSON” says no amount'),
	),
	...(
		[
			['{"amount":"0.00","currency":"EUR"}', 'amount” must be a whole number of minor units'],
			['{"amount":"500","currency":"EUR"}', 'amount” must be a whole number of minor units'],
			['{"amount":500}', 'currency” is not a currency'],
		] as const
	).map(([written, problem]) =>
		refund(`an extent that is none, ${written}`, json(written), `“JSON: ${problem}`),
	),
	refund(
		'rows with only a reason',
		{ fields: { field: [{ name: 'reason', type: 'string', value: 'Damaged' }] } },
		'“Fields” says no amount',
	),
	...['10.00', '10.5'].flatMap((written) => [
		refund(
			`the amount ${written} in a row`,
			{
				fields: {
					field: [
						{ name: 'amount', type: 'number', value: written },
						{ name: 'currency', value: 'EUR' },
					],
				},
			},
			'“Fields: amount” must be a whole number of minor units',
		),
		refund(
			`the amount ${written} in JSON`,
			json(`{ "amount": 5, "currency": "EUR", "lines": [{ "amount": ${written} }] }`),
			'“JSON: amount” must be a whole number of minor units',
		),
	]),
	refund('an expression that gives nothing', json('={{ $json.none }}'), '“JSON” is empty'),
	refund('an expression that gives null', json('={{ null }}'), '“JSON” is empty'),
	refund('an expression that gives no text', json('={{ "" }}'), '“JSON” is empty'),
	mistake(
		'order.cancel',
		'an expression that gives nothing',
		{ orderId: byId('ord_1'), additionalFields: { otherFieldsJson: '={{ $json.none }}' } },
		'“Other Fields (JSON)” is undefined',
	),
	mistake(
		'order.cancel',
		'a field without a value',
		{
			orderId: byId('ord_1'),
			additionalFields: {
				otherFields: { field: [{ name: 'reason', value: '={{ $json.none }}' }] },
			},
		},
		'“Other Fields: reason” has no value',
	),
	mistake('order.update', 'nothing', { orderId: byId('ord_1'), updateFields: {} }, 'Update Fields'),
	mistake(
		'order.update',
		'a field set and cleared',
		{
			orderId: byId('ord_1'),
			updateFields: { merchant_note: 'x' },
			clearFields: ['merchant_note'],
		},
		'Fields to Clear',
	),
	mistake(
		'order.update',
		'a field set twice',
		{
			orderId: byId('ord_1'),
			updateFields: { merchant_note: 'x', otherFieldsJson: '{ "merchant_note": "y" }' },
		},
		'Other Fields (JSON)',
	),
	mistake(
		'order.update',
		'a note of the wrong type',
		{ orderId: byId('ord_1'), updateFields: { merchant_note: '={{ { a: 1 } }}' } },
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
	...['', '={{ null }}', '={{ $json.none }}', byId(''), byId('={{ $json.none }}')].map((nothing) =>
		mistake(
			'order.fulfill',
			`the line item ${JSON.stringify(nothing)}`,
			fulfillment({ line_item_id: nothing, quantity: 1 }),
			'“Items 1: Line Item” is empty',
		),
	),
	mistake(
		'order.fulfill',
		'a carrier that is no text',
		fulfillment({ line_item_id: 'li_1', quantity: 1 }, { carrier: "={{ ['dhl'] }}" }),
		'Carrier',
	),
	mistake(
		'order.fulfill',
		'no items',
		{ orderId: byId('ord_1'), specifyItems: 'defineBelow', items: {} },
		'Items',
	),
	mistake(
		'order.fulfill',
		'malformed JSON',
		{ orderId: byId('ord_1'), specifyItems: 'json', itemsJson: '[{' },
		'Items (JSON)',
	),
	mistake(
		'order.getAll',
		'text that is not a date',
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
