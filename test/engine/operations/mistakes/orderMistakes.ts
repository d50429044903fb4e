import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistakesOf, rowsOf, type Mistake } from './mistake';

const ORDER = { orderId: byId('ord_1') };
const LINE = { line_item_id: 'li_1', quantity: 1 };

const json = (entered: string): IDataObject => ({ specifyFields: 'json', json: entered });
const amount = (more: IDataObject): IDataObject => ({ extent: 'amount', currency: 'EUR', ...more });
const field = (...rows: IDataObject[]): IDataObject => ({ fields: { field: rows } });
const line = (more: IDataObject): IDataObject => ({ items: { item: [{ ...LINE, ...more }] } });

const IN_MINOR_UNITS = 'must be a whole number of minor units';

export const orderMistakes: Mistake[] = [
	...mistakesOf(
		'order.cancel order.refund',
		{ ...ORDER, extent: 'platform' },
		{
			'an unknown answer to a state': [
				{ options: { ifNotAllowed: '={{ "skip" }}' } },
				'“If Not Allowed in This State” cannot be "skip"',
			],
		},
	),
	...mistakesOf('order.cancel', ORDER, {
		'malformed JSON': [{ additionalFields: { otherFieldsJson: '{' } }, 'Other Fields (JSON)'],
		'an expression that gives nothing': [
			{ additionalFields: { otherFieldsJson: '={{ $json.none }}' } },
			'“Other Fields (JSON)” is undefined',
		],
		'a field without a value': [
			{
				additionalFields: {
					otherFields: { field: [{ name: 'reason', value: '={{ $json.none }}' }] },
				},
			},
			'“Other Fields: reason” has no value',
		],
	}),
	...mistakesOf('order.refund', ORDER, {
		'no extent': [{}, '“How Much to Refund” is empty'],
		'no extent, but fields': [
			json('{ "amount": 5, "currency": "EUR" }'),
			'“How Much to Refund” is empty',
		],
		'no amount': [amount({}), '“Amount” is empty'],
		'no currency': [{ extent: 'amount', amount: '5' }, '“Currency” is not a currency'],
		'an amount of 0': [amount({ amount: '0' }), '“Amount” must be'],
		'less than 0': [amount({ amount: '-5' }), '“Amount” must be'],
		'an amount from an expression without a value': [
			amount({ amount: '={{ $json.none }}' }),
			'“Amount” is empty',
		],
		'an amount finer than cents': [amount({ amount: '10.005' }), '“Amount” is too precise for EUR'],
		'decimals in minor units': [
			amount({ amountsAreIn: 'minor', amount: '10.5' }),
			`“Amount (Minor Units)” ${IN_MINOR_UNITS}`,
		],
		'an unknown unit': [
			amount({ amountsAreIn: 'cents', amount: '10' }),
			'“Amounts Are In” cannot be',
		],
	}),
	...mistakesOf(
		'order.refund',
		{ ...ORDER, extent: 'fields' },
		{
			'text as JSON': [json('"all"'), 'JSON'],
			'an empty object': [json('{}'), '“JSON” is empty'],
			'fields that are empty': [{}, '“Fields” is empty'],
			'an amount that is not a number': [
				json('={{ { amount: Math.round($json.price * 100), currency: "EUR" } }}'),
				'“JSON: amount”',
			],
			'an amount that is undefined': [
				json('={{ { amount: $json.price, currency: "EUR" } }}'),
				'“JSON: amount”',
			],
			'an amount that is null, deep inside': [
				json('{ "lines": [{ "total": { "amount": null, "currency": "EUR" } }] }'),
				'“JSON: amount” is missing',
			],
			'an amount in quotes from an expression without a value': [
				json('={ "amount": "{{ $json.none }}", "currency": "EUR" }'),
				'“JSON: amount” is missing',
			],
			'an amount that is a word': [
				json('{ "amount": "undefined", "currency": "EUR" }'),
				'“JSON: amount” is missing',
			],
			'an amount of another name': [json('{ "refund_amount": null }'), '“JSON: refund_amount”'],
			'an amount beyond all numbers': [json('{ "amount": 1e400 }'), '“JSON: amount”'],
			'rows with only a reason': [
				field({ name: 'reason', type: 'string', value: 'Damaged' }),
				'“Fields” says no amount',
			],
			...rowsOf(
				[
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
				],
				(said) => ({
					[`a body that says no extent, ${said}`]: [json(said), '“JSON” says no amount'],
				}),
			),
			...rowsOf(
				[
					['{"amount":"0.00","currency":"EUR"}', `amount” ${IN_MINOR_UNITS}`],
					['{"amount":"500","currency":"EUR"}', `amount” ${IN_MINOR_UNITS}`],
					['{"amount":500}', 'currency” is not a currency'],
					['{"amount":1999.00}', `amount” ${IN_MINOR_UNITS}`],
				],
				([said, problem]) => ({
					[`an extent that is none, ${said}`]: [json(said), `“JSON: ${problem}`],
				}),
			),
			...rowsOf(['10.00', '10.5'], (value) => ({
				[`the amount ${value} in a row`]: [
					field({ name: 'amount', type: 'number', value }, { name: 'currency', value: 'EUR' }),
					`“Fields: amount” ${IN_MINOR_UNITS}`,
				],
				[`the amount ${value} in JSON`]: [
					json(`{ "amount": 5, "currency": "EUR", "lines": [{ "amount": ${value} }] }`),
					`“JSON: amount” ${IN_MINOR_UNITS}`,
				],
			})),
			...rowsOf(['={{ $json.none }}', '={{ null }}', '={{ "" }}'], (nothing) => ({
				[`the expression ${nothing}`]: [json(nothing), '“JSON” is empty'],
			})),
		},
	),
	...mistakesOf('order.update', ORDER, {
		nothing: [{ updateFields: {} }, 'Update Fields'],
		'a field set and cleared': [
			{ updateFields: { merchant_note: 'x' }, clearFields: ['merchant_note'] },
			'Fields to Clear',
		],
		'a field set twice': [
			{ updateFields: { merchant_note: 'x', otherFieldsJson: '{ "merchant_note": "y" }' } },
			'Other Fields (JSON)',
		],
		'a note of the wrong type': [
			{ updateFields: { merchant_note: '={{ { a: 1 } }}' } },
			'Merchant Note',
		],
	}),
	...mistakesOf(
		'order.fulfill',
		{ ...ORDER, specifyItems: 'defineBelow' },
		{
			...rowsOf([0, -1, 1.5], (quantity) => ({
				[`${quantity} pieces`]: [line({ quantity }), 'Quantity'],
			})),
			...rowsOf(
				['', '={{ null }}', '={{ $json.none }}', byId(''), byId('={{ $json.none }}')],
				(nothing) => ({
					[`the line item ${JSON.stringify(nothing)}`]: [
						line({ line_item_id: nothing }),
						'“Items 1: Line Item” is empty',
					],
				}),
			),
			'a carrier that is no text': [{ ...line({}), carrier: "={{ ['dhl'] }}" }, 'Carrier'],
			'no items': [{ items: {} }, 'Items'],
			'malformed JSON': [{ specifyItems: 'json', itemsJson: '[{' }, 'Items (JSON)'],
		},
	),
	...mistakesOf(
		'order.getAll',
		{},
		{
			'text that is not a date': [
				{ filters: { updated_since: 'soon' } },
				'“Updated Since” is not a date',
			],
			'a status of the wrong type': [{ filters: { status: '={{ { a: 1 } }}' } }, 'Status'],
			'a sort without a field': [
				{ filters: { sort: { by: { field: '', direction: 'asc' } } } },
				'Sort',
			],
			'a sort in no direction': [
				{ filters: { sort: { by: { field: 'updated_at', direction: '={{ "up" }}' } } } },
				'Sort',
			],
		},
	),
];
