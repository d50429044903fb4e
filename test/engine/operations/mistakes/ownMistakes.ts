import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../../support/parameters';
import { mistakesOf, NOTHING, rowsOf, type Mistake } from './mistake';

const ORDER = { orderId: byId('ord_1') };
const OWN_EXTENT = { ...ORDER, extent: 'fields' };
const LINES = { ...ORDER, specifyItems: 'defineBelow' };
const LEVEL = { sku: 'A', locationId: 'sloc_main', quantity: 1 };
const PRICE = { sku: 'A', amount: '1', currency: 'EUR' };
const HOOK = { url: 'https://receiver.example/hook', events: ['order.paid'] };
const EMAIL = { email: 'ada@customer.example' };
const NONE: IDataObject = {};
const MUG = { title: 'Mug' };
const PRODUCT = { productId: byId('prod_1') };
const CUSTOMER = { customerId: byId('cust_1') };
const UPDATES = { ...ORDER, ...PRODUCT, webhookId: byId('wh_1') };
const UNDEFINED = '={{ $json.none }}';
const LEFT_EMPTY = '={{ { phone: null } }}';

const json = (entered: string): IDataObject => ({ specifyFields: 'json', json: entered });
const field = (...rows: IDataObject[]): IDataObject => ({ fields: { field: rows } });
const query = (...parameter: IDataObject[]) => ({ options: { furtherQuery: { parameter } } });
const lines = (...item: IDataObject[]): IDataObject => ({ items: { item } });
const refunded = (amount: unknown) =>
	({ extent: 'amount', amount, currency: 'EUR' }) as IDataObject;
const totals = (more: IDataObject) => ({ options: { output: 'totals', ...more } });
const listed = (variantsJson: string) => ({ ...MUG, additionalFields: { variantsJson } });
const variant = (...price: IDataObject[]): IDataObject => ({
	variants: { variant: [{ sku: 'A', prices: { price } }] },
});
const TWO_PRICES = variant(...['EUR', 'eur'].map((currency) => ({ amount: '1', currency })));

/** What is no whole number of the smallest unit, which is what the API takes. */
const FRACTION = { amount: '19.99', currency: 'EUR' };
const FRACTIONS = [{ sku: 'A', prices: [FRACTION] }];

/** What no field’s own description rules out; that which one rules out is among the hostile values of each field. */
export const ownMistakes: Mistake[] = [
	...mistakesOf('product.upsert product.importCatalog', NONE, {
		'a fraction of a cent': [
			{ specifyProduct: 'json', productJson: JSON.stringify({ sku: 'A', variants: FRACTIONS }) },
			'variants[0].prices[0].amount',
		],
	}),
	...mistakesOf('account.get', NONE, {
		'11 at once': [{ requests: { maxRequestsAtOnce: 11 } }, 'Max Requests at Once'],
	}),
	...mistakesOf('category.create customer.create customer.update', CUSTOMER, {
		nothing: [{ fields: {} }, 'Fields'],
		'an empty object': [json('{}'), 'JSON'],
		'what an expression leaves empty': [json(LEFT_EMPTY), '“JSON” is empty'],
		'a name twice': [field({ name: 'a', value: '1' }, { name: 'a', value: '2' }), 'Fields'],
	}),
	...mistakesOf(
		'customer.getAll',
		{ filters: EMAIL },
		rowsOf<[label: string, beside: IDataObject]>(
			[
				['Updated Since', { filters: { ...EMAIL, updated_since: '2030-01-01T00:00:00Z' } }],
				['Further Query Parameters', query({ name: 'a', value: 'b' })],
				['Include Response Metadata', { options: { includeMetadata: true } }],
				['Known ETag', { requests: { ifNoneMatch: '"1"' } }],
				['Max Pages', { options: { maxPages: 2 } }],
				['Page Size', { requests: { pageSize: 50 } }],
				['Start Cursor', { options: { startCursor: 'abc' } }],
			],
			([label, beside]) => ({
				[`an email beside ${label}`]: [beside, `“Email” cannot be combined with “${label}”`],
			}),
		),
	),
	...mistakesOf('customer.getAll', NONE, {
		'a query of its own cursor': [query({ name: 'cursor', value: 'x' }), 'cursor'],
		'a query of its own limit': [query({ name: 'limit', value: '5' }), 'limit'],
		'a query that is no name': [query({ name: '__proto__', value: '1' }), 'cannot be “__proto__”'],
		'a query without a value': [query({ name: 'q', value: UNDEFINED }), ': q” has no value'],
		'a query twice': [query({ name: 'q', value: 'a' }, { name: 'q', value: 'b' }), 'a second time'],
	}),
	...mistakesOf(
		'product.getAll',
		{},
		rowsOf(Object.entries(NOTHING), ([what, category]) => ({
			[`${what} as the category`]: [{ filters: { category } }, '“Category Name or ID” is empty'],
		})),
	),
	...mistakesOf('inventory.set', LEVEL, {
		'no quantity': [{ quantity: '' }, '“Quantity” must be a whole number'],
		'an expression that gives no date': [
			{ options: { updatedAt: UNDEFINED } },
			'“Updated At” is empty',
		],
		'a dry run that is neither on nor off': [
			{ options: { dryRun: UNDEFINED } },
			'“Dry Run” must be true or false',
		],
	}),
	...mistakesOf('inventory.adjust', LEVEL, {
		'no delta': [{}, '“Change By” must be a whole number'],
	}),
	...mistakesOf('webhook.create', HOOK, {
		'no events': [{ events: [] }, 'Events'],
		'an unknown event': [{ events: '={{ ["Order paid"] }}' }, 'Events'],
		'a pattern of events': [{ additionalFields: { otherEvents: 'order.*' } }, 'Other Event Names'],
	}),
	...mistakesOf('order.update product.update webhook.update', UPDATES, {
		nothing: [{ updateFields: {} }, 'Update Fields'],
		'only what is empty': [{ updateFields: { title: '', variants: {} } }, 'Update Fields'],
	}),
	...mistakesOf('order.update', ORDER, {
		'a fraction of a cent': [
			{ updateFields: { otherFieldsJson: JSON.stringify({ fee: FRACTION }) } },
			'fee.amount',
		],
		'what an expression leaves empty': [
			{ updateFields: { otherFieldsJson: LEFT_EMPTY } },
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
	...mistakesOf('order.cancel', ORDER, {
		'an expression that gives nothing': [
			{ additionalFields: { otherFieldsJson: UNDEFINED } },
			'“Other Fields (JSON)” is undefined',
		],
		'a field without a value': [
			{ additionalFields: { otherFields: { field: [{ name: 'reason', value: UNDEFINED }] } } },
			'“Other Fields: reason” has no value',
		],
	}),
	...mistakesOf('order.refund', ORDER, {
		'no extent, but fields': [
			json('{ "amount": 5, "currency": "EUR" }'),
			'“How Much to Refund” is empty',
		],
		'an amount of 0': [refunded('0'), '“Amount” must be'],
		'less than 0': [refunded('-5'), '“Amount” must be'],
		'an unknown unit': [{ ...refunded('10'), amountsAreIn: 'cents' }, '“Amounts Are In” cannot be'],
	}),
	...mistakesOf('order.refund', OWN_EXTENT, {
		'fields that are empty': [{}, '“Fields” is empty'],
		'rows with only a reason': [field({ name: 'reason', value: '3' }), '“Fields” says no amount'],
		'an amount in quotes from an expression without a value': [
			json('={ "amount": "{{ $json.none }}", "currency": "EUR" }'),
			'“JSON: amount” is missing',
		],
		'an amount of which a decimal is written': [
			json('{"amount":1999.00,"currency":"EUR"}'),
			'“JSON: amount” must be a whole number of minor units',
		],
		'such an amount in a row': [
			field({ name: 'amount', type: 'number', value: '10.00' }, { name: 'currency', value: 'EUR' }),
			'“Fields: amount” must be a whole number of minor units',
		],
	}),
	...mistakesOf('order.fulfill', LINES, {
		'no items': [{ items: {} }, 'Items'],
		...rowsOf([0, -1], (quantity) => ({
			[`${quantity} pieces`]: [lines({ line_item_id: 'li_1', quantity }), 'Quantity'],
		})),
	}),
	...mistakesOf(
		'order.getAll',
		{ returnAll: true },
		rowsOf<IDataObject>(
			[
				{ returnAll: false, limit: 50, ...totals({}) },
				totals({ maxPages: 1 }),
				totals({ startCursor: 'eyJ' }),
			],
			(part) => ({
				[`totals of a part, ${JSON.stringify(part)}`]: [part, 'totals of the whole list only'],
			}),
		),
	),
	...mistakesOf('order.getAll', NONE, {
		'a sort without a field': [
			{ filters: { sort: { by: { field: '', direction: 'asc' } } } },
			'Sort',
		],
	}),
	...mistakesOf('product.create', MUG, {
		'a fraction of a cent': [listed(JSON.stringify(FRACTIONS)), 'Variants (JSON)'],
		'variants twice': [
			{
				additionalFields: {
					...variant({ amount: '1', currency: 'EUR' }),
					variantsJson: '[{ "sku": "A" }]',
				},
			},
			'Variants',
		],
		'a variant without a SKU': [
			listed('[{ "sku": "A" }, { "title": "M" }]'),
			'Variants (JSON) 2: SKU',
		],
		'prices that are no list': [
			listed('[{ "sku": "A", "prices": { "amount": 5, "currency": "EUR" } }]'),
			'Variants (JSON) 1: Prices',
		],
	}),
	...mistakesOf(
		'product.update',
		{ productId: byId('prod_1'), updateFields: TWO_PRICES },
		rowsOf<IDataObject>(
			[{}, { options: { onlyIfChanged: true } }, { productId: byMode('handle', 'shirt') }],
			(more) => ({
				[`two prices in one currency, with ${JSON.stringify(more)}`]: [
					more,
					'“Variants: A” has two prices in EUR',
				],
			}),
		),
	),
	...mistakesOf('product.setPrices', PRICE, {
		'a fraction of a cent': [{ ...FRACTION, amountsAreIn: 'minor' }, 'Amount'],
		'less than nothing': [{ amount: '-1' }, '“Amount” must not be less than 0'],
	}),
];
