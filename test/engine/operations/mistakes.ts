import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { FIRST_CASES, operationOf } from './cases';

/** The mistake, its parameters, and words of the error. */
type Wrong = [what: string, parameters: IDataObject, names: string];

/** One mistake: the operation's parameters, and the field that the error must name. */
type Mistake = [operation: string, ...Wrong];

/**
 * Mistakes for some operations, e.g. `order.cancel order.refund`. @param right valid parameters beside the wrong ones
 */
const mistakesOf = (operations: string, right: IDataObject, ...all: Wrong[]): Mistake[] =>
	operations
		.split(' ')
		.flatMap((operation) =>
			all.map(([what, wrong, names]): Mistake => [operation, what, { ...right, ...wrong }, names]),
		);

/** The values of an expression that finds nothing. */
const NOTHING = {
	'an empty text': '={{ "" }}',
	blanks: '={{ " " }}',
	null: '={{ null }}',
	'a missing value': '={{ $json.none }}',
};

/** Operations on one record, in which nothing names the record, in every mode. */
const unnamed = FIRST_CASES.flatMap(({ operation, least }) =>
	operationOf(operation)
		.fields.filter(({ type }) => type === 'resourceLocator')
		.flatMap(({ name, displayName, modes = [] }) =>
			modes.flatMap((mode) =>
				Object.entries(NOTHING).map(([what, value]): Mistake => {
					const parameters = { ...least, [name]: byMode(mode.name, value) };
					return [operation, `${what} by ${mode.name}`, parameters, `'${displayName}' is empty`];
				}),
			),
		),
);

const ORDER = { orderId: byId('ord_1') };
const LEVEL = { sku: 'A', locationId: 'sloc_main', quantity: 1 };
const HOOK = { url: 'https://receiver.example/hook', events: ['order.paid'] };
const NONE: IDataObject = {};
const PRODUCT = { productId: byId('prod_1') };
const CUSTOMER = { customerId: byId('cust_1') };
const UPDATES = { ...ORDER, ...PRODUCT, webhookId: byId('wh_1') };
const UNDEFINED = '={{ $json.none }}';
const LEFT_EMPTY = '={{ { phone: null } }}';
const PRICE = { amount: '1', currency: 'EUR' };

const json = (entered: string): IDataObject => ({ specifyFields: 'json', json: entered });
const field = (...rows: IDataObject[]): IDataObject => ({ fields: { field: rows } });
const query = (...parameter: IDataObject[]) => ({ options: { furtherQuery: { parameter } } });
const refunded = (amount: string) => ({ extent: 'amount', amount, currency: 'EUR' });
const totals = (more: IDataObject = {}) => ({ options: { output: 'totals', ...more } });
const listed = (variantsJson: string) => ({ additionalFields: { variantsJson } });
const other = (row: IDataObject) => ({ otherFields: { field: [row] } });
const set = (updateFields: IDataObject, ...clearFields: string[]) => ({
	updateFields,
	clearFields,
});
const variant = (...price: IDataObject[]): IDataObject => ({
	variants: { variant: [{ sku: 'A', prices: { price } }] },
});

/** An amount that is not a whole number of the smallest unit, which the API requires. */
const FRACTION = { amount: '19.99', currency: 'EUR' };
const MINUS = { sku: 'A', prices: { price: [{ amount: '-1', currency: 'EUR' }] } };
const MINUS_IN_API = { sku: 'A', prices: [{ amount: -1, currency: 'EUR' }] };
const FRACTIONS = [{ sku: 'A', prices: [FRACTION] }];
const PRICES_IN_NO_LIST = JSON.stringify([{ sku: 'A', prices: PRICE }]);
const FEE = JSON.stringify({ fee: FRACTION });
const FRACTION_OF_PRODUCT = JSON.stringify({ sku: 'A', variants: FRACTIONS });

/**
 * Mistakes of users that no field’s own description rules out; the others are among the hostile values of each field.
 */
export const MISTAKES: Mistake[] = [
	...unnamed,
	...mistakesOf('product.upsert product.importCatalog', NONE, [
		'a fraction of a cent',
		{ specifyProduct: 'json', productJson: FRACTION_OF_PRODUCT },
		'variants[0].prices[0].amount',
	]),
	...mistakesOf('account.get', NONE, [
		'11 at once',
		{ requestOptions: { maxRequestsAtOnce: 11 } },
		'Max Requests at Once',
	]),
	...mistakesOf(
		'category.create customer.create customer.update',
		CUSTOMER,
		['nothing', { fields: {} }, 'Fields'],
		['an empty object', json('{}'), 'JSON'],
		['what an expression leaves empty', json(LEFT_EMPTY), "'JSON' is empty"],
		['a name twice', field({ name: 'a', value: '1' }, { name: 'a', value: '2' }), 'Fields'],
	),
	...mistakesOf(
		'customer.getAll',
		NONE,
		['a query of its own cursor', query({ name: 'cursor', value: 'x' }), 'cursor'],
		['a query of its own limit', query({ name: 'limit', value: '5' }), 'limit'],
		['a query that is no name', query({ name: '__proto__', value: '1' }), 'cannot be “__proto__”'],
		['a query without a value', query({ name: 'q', value: UNDEFINED }), ": q' has no value"],
		['a query twice', query(...'ab'.split('').map((value) => ({ name: 'q', value }))), 'a second'],
	),
	...mistakesOf(
		'inventory.set',
		LEVEL,
		[
			'an expression without a date',
			{ options: { updatedAt: UNDEFINED } },
			"'Updated At' is empty",
		],
		['a dry run of neither', { options: { dryRun: UNDEFINED } }, "'Dry Run' must be true or false"],
	),
	...mistakesOf(
		'webhook.create',
		HOOK,
		['no events', { events: [] }, 'Events'],
		['an unknown event', { events: '={{ ["Order paid"] }}' }, 'Events'],
		['a pattern of events', { additionalFields: { otherEvents: 'order.*' } }, 'Other Event Names'],
	),
	...mistakesOf(
		'order.update product.update webhook.update',
		UPDATES,
		['nothing', set({}), 'Update Fields'],
		['only what is empty', set({ title: '', variants: {} }), 'Update Fields'],
	),
	...mistakesOf(
		'order.update',
		ORDER,
		['a fraction of a cent', set({ otherFieldsJson: FEE }), 'fee.amount'],
		['what is left empty', set({ otherFieldsJson: LEFT_EMPTY }), 'holds nothing to change'],
		['a field set and cleared', set({ merchant_note: 'x' }, 'merchant_note'), 'Fields to Clear'],
		[
			'a field set twice',
			set({ merchant_note: 'x', otherFieldsJson: '{ "merchant_note": "y" }' }),
			'Other Fields (JSON)',
		],
	),
	...mistakesOf('order.cancel', ORDER, [
		'a field without a value',
		other({ name: 'reason', value: '' }),
		"'Other Fields: reason' has no value",
	]),
	...mistakesOf(
		'order.refund',
		ORDER,
		['no extent, but fields', { json: JSON.stringify(PRICE) }, "'How Much to Refund' is empty"],
		['an amount of 0', refunded('0'), "'Amount' must be"],
		['less than 0', refunded('-5'), "'Amount' must be"],
		[
			'an unknown unit',
			{ ...refunded('10'), options: { amountsAreIn: 'cents' } },
			"'Amounts Are In' cannot be",
		],
	),
	...mistakesOf(
		'order.refund',
		{ ...ORDER, extent: 'fields' },
		['fields that are empty', NONE, "'JSON' is empty"],
		['only a reason', { json: '{ "reason": 3 }' }, "'JSON' does not say how much to refund"],
		[
			'an amount in quotes from an expression without a value',
			{ json: '={ "amount": "{{ $json.none }}", "currency": "EUR" }' },
			"'JSON: amount' is empty",
		],
	),
	...mistakesOf(
		'order.fulfill',
		{ ...ORDER, specifyItems: 'defineBelow' },
		['no items', { items: {} }, 'Items'],
		['0 pieces', { items: { item: [{ line_item_id: 'li_1', quantity: 0 }] } }, 'Quantity'],
	),
	...mistakesOf(
		'order.getAll',
		{ returnAll: true },
		...[{ returnAll: false, limit: 50, ...totals() }, totals({ startCursor: 'eyJ' })].map(
			(part): Wrong => {
				return [
					`totals of a part, ${JSON.stringify(part)}`,
					part,
					'needs the whole list for totals',
				];
			},
		),
		[
			'a sort without a field',
			{ options: { sort: { by: { field: '', direction: 'asc' } } } },
			'Sort',
		],
	),
	...mistakesOf(
		'product.create',
		{ title: 'Mug' },
		['a fraction of a cent', listed(JSON.stringify(FRACTIONS)), 'Variants (JSON)'],
		[
			'variants twice',
			{ additionalFields: { ...variant(PRICE), variantsJson: '[{ "sku": "A" }]' } },
			'Variants',
		],
		['no SKU', listed('[{ "sku": "A" }, { "title": "M" }]'), 'Variants (JSON) 2: SKU'],
		['prices in no list', listed(PRICES_IN_NO_LIST), 'Variants (JSON) 1: Prices'],
	),
	...mistakesOf(
		'product.create',
		{ title: 'Shirt' },
		['a price without its SKU', { price: '5', currency: 'EUR' }, "'SKU' is empty"],
		['a price without a currency', { sku: 'A', price: '5' }, "'Currency' is not a currency"],
		[
			'a price of less than nothing',
			{ additionalFields: { variants: { variant: [MINUS] } } },
			"'Variants 1, Price 1: Amount' must not be less than 0",
		],
		[
			'such a price in JSON',
			{ additionalFields: { variantsJson: JSON.stringify([MINUS_IN_API]) } },
			"'Variants (JSON) 1, Price 1: Amount' must not be less than 0",
		],
	),
	...mistakesOf(
		'product.setPrices',
		{ sku: 'A', ...PRICE },
		['a fraction of a cent', { ...FRACTION, options: { amountsAreIn: 'minor' } }, 'Price (Minor'],
		['less than nothing', { amount: '-1' }, "'Price' must not be less than 0"],
	),
];
