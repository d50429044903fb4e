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
		'nothing as the key of one refund': [
			{ extent: 'platform', refundOnceKey: '={{ $json.none }}' },
			'“Refund Only Once (Key)” is empty',
		],
		'two keys': [
			{ extent: 'platform', refundOnceKey: 'RMA-1', options: { idempotencyKey: 'a' } },
			'“Refund Only Once (Key)” stands beside “Idempotency Key”',
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
			'an empty object': [json('{}'), '“JSON” is empty'],
			'fields that are empty': [{}, '“Fields” is empty'],
			'an amount that is not a number': [
				json('={{ { amount: Math.round($json.price * 100), currency: "EUR" } }}'),
				'“JSON: amount”',
			],
			'an amount in quotes from an expression without a value': [
				json('={ "amount": "{{ $json.none }}", "currency": "EUR" }'),
				'“JSON: amount” is missing',
			],
			'rows with only a reason': [
				field({ name: 'reason', type: 'string', value: 'Damaged' }),
				'“Fields” says no amount',
			],
			'a body that says no extent': [json('{"reason":"3"}'), '“JSON” says no amount'],
			'an amount in text': [
				json('{"amount":"500","currency":"EUR"}'),
				`“JSON: amount” ${IN_MINOR_UNITS}`,
			],
			'an amount of which a decimal is written': [
				json('{"amount":1999.00,"currency":"EUR"}'),
				`“JSON: amount” ${IN_MINOR_UNITS}`,
			],
			'such an amount in a row': [
				field(
					{ name: 'amount', type: 'number', value: '10.00' },
					{ name: 'currency', value: 'EUR' },
				),
				`“Fields: amount” ${IN_MINOR_UNITS}`,
			],
			'an expression that gives nothing': [json('={{ $json.none }}'), '“JSON” is empty'],
		},
	),
	...mistakesOf('order.update', ORDER, {
		nothing: [{ updateFields: {} }, 'Update Fields'],
		'what an expression leaves empty': [
			{ updateFields: { otherFieldsJson: '={{ { phone: null } }}' } },
			'“Update Fields” holds nothing to change',
		],
		'a field set and cleared': [
			{ updateFields: { merchant_note: 'x' }, clearFields: ['merchant_note'] },
			'Fields to Clear',
		],
		'a field set twice': [
			{ updateFields: { merchant_note: 'x', otherFieldsJson: '{ "merchant_note": "y" }' } },
			'Other Fields (JSON)',
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
			'no items': [{ items: {} }, 'Items'],
		},
	),
	...mistakesOf(
		'order.getAll',
		{ returnAll: true, options: { output: 'totals' } },
		rowsOf<IDataObject>(
			[
				{ returnAll: false, limit: 50 },
				{ options: { output: 'totals', maxPages: 1 } },
				{ options: { output: 'totals', startCursor: 'eyJ' } },
			],
			(part) => ({
				[`totals of a part of the list, ${JSON.stringify(part)}`]: [
					part,
					'totals of the whole list only',
				],
			}),
		),
	),
	...mistakesOf(
		'order.getAll',
		{},
		{
			'text that is not a date': [
				{ filters: { updated_since: 'soon' } },
				'“Updated Since” is not a date',
			],
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
