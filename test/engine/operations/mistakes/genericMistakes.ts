import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../../support/parameters';
import { mistake, type Mistake } from './mistake';

const LISTS = ['category', 'customer', 'event', 'inventory', 'order', 'product', 'webhook'];

/** Operations on one record: the locator, its display name, and what else they need. */
const BY_ID: Array<[operation: string, locator: string, label: string, rest?: IDataObject]> = [
	['customer.get', 'customerId', 'Customer'],
	['customer.update', 'customerId', 'Customer', { specifyFields: 'json', json: '{ "a": 1 }' }],
	['order.cancel', 'orderId', 'Order'],
	[
		'order.fulfill',
		'orderId',
		'Order',
		{ items: { item: [{ line_item_id: 'li_1', quantity: 1 }] } },
	],
	['order.get', 'orderId', 'Order'],
	['order.refund', 'orderId', 'Order', { extent: 'platform' }],
	['order.update', 'orderId', 'Order', { updateFields: { merchant_note: 'x' } }],
	['product.delete', 'productId', 'Product'],
	['product.get', 'productId', 'Product'],
	['product.update', 'productId', 'Product', { updateFields: { title: 'x' } }],
	['webhook.delete', 'webhookId', 'Webhook'],
	['webhook.get', 'webhookId', 'Webhook'],
	['webhook.recreate', 'webhookId', 'Webhook'],
	['webhook.rotateSecret', 'webhookId', 'Webhook'],
	['webhook.test', 'webhookId', 'Webhook'],
	['webhook.update', 'webhookId', 'Webhook', { updateFields: { description: 'x' } }],
];

/** The ways to name a record. */
const MODES: Record<string, string[]> = {
	customerId: ['list', 'id', 'email'],
	orderId: ['list', 'id', 'number'],
	productId: ['list', 'id', 'handle'],
	webhookId: ['list', 'id', 'url'],
};

/** What an expression that finds nothing gives. */
const NOTHING: Record<string, string> = {
	'an empty text': '={{ "" }}',
	blanks: '={{ " " }}',
	null: '={{ null }}',
	'a missing value': '={{ $json.none }}',
};

/** Filters that name records, by list: without its filter a list gives all of them. */
const FILTERS: Array<[list: string, filters: Record<string, string>]> = [
	['customer', { email: 'Email', updated_since: 'Updated Since' }],
	['inventory', { location_id: 'Location ID', sku: 'SKU' }],
	['order', { created_until: 'Created Until', q: 'Search', status: 'Status' }],
	['product', { created_since: 'Created Since', sku: 'SKU', status: 'Status' }],
];

/** Of a character that takes three in a web address. */
const TOO_MANY = 5_001;

export const genericMistakes: Mistake[] = [
	...LISTS.flatMap((resource) =>
		[0, -1, 1.5, '={{ "many" }}'].map((limit) =>
			mistake(`${resource}.getAll`, `limit ${limit}`, { returnAll: false, limit }, 'Limit'),
		),
	),
	...LISTS.flatMap((resource) => [
		mistake(
			`${resource}.getAll`,
			'an unknown output',
			{ options: { output: '={{ "page" }}' } },
			'“Output” cannot be "page"',
		),
		mistake(
			`${resource}.getAll`,
			'a query that no server takes',
			{
				options: {
					furtherQuery: { parameter: [{ name: '[', value: `={{ "[".repeat(${TOO_MANY}) }}` }] },
				},
			},
			'“Further Query Parameters” is too long',
		),
		mistake(
			`${resource}.getAll`,
			'a cursor that no server takes',
			{ options: { startCursor: `={{ "[".repeat(${TOO_MANY}) }}` } },
			'“Start Cursor” is too long',
		),
	]),
	...['order', 'product'].flatMap((resource) => [
		mistake(
			`${resource}.getAll`,
			'a search that no server takes',
			{ filters: { q: `={{ "[".repeat(${TOO_MANY}) }}` } },
			'“Search” is too long',
		),
	]),
	...FILTERS.flatMap(([list, filters]) =>
		Object.entries(filters).flatMap(([name, label]) =>
			Object.entries(NOTHING).map(([what, value]) =>
				mistake(
					`${list}.getAll`,
					`${what} as the filter ${label}`,
					{ filters: { [name]: value } },
					`“${label}” is empty`,
				),
			),
		),
	),
	...BY_ID.flatMap(([operation, locator, label, rest]) => [
		...MODES[locator].flatMap((mode) =>
			Object.entries(NOTHING).map(([what, value]) =>
				mistake(
					operation,
					`${what} by ${mode}`,
					{ ...rest, [locator]: byMode(mode, value) },
					`“${label}” is empty`,
				),
			),
		),
		mistake(
			operation,
			'nothing in place of a locator',
			{ ...rest, [locator]: '={{ $json.none }}' },
			`“${label}” is empty`,
		),
		mistake(
			operation,
			'an ID of the wrong type',
			{ ...rest, [locator]: byId('={{ [1] }}') },
			label,
		),
		mistake(
			operation,
			'a climbing ID',
			{ ...rest, [locator]: byId('..') },
			`“${label}” is not an id`,
		),
	]),
];
