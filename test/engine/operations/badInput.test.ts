import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/resources';
import { openShop, type Shop } from './shop';

/** One mistake: the operation's parameters, and the field that the error must name. */
interface Mistake {
	operation: string;
	what: string;
	parameters: IDataObject;
	names: string;
}

const id = (value: unknown) => ({ __rl: true, mode: 'id', value: value as string });

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
	['order.refund', 'orderId', 'Order'],
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

const mistake = (
	operation: string,
	what: string,
	parameters: IDataObject,
	names: string,
): Mistake => ({ operation, what, parameters, names });

const price = (amount: unknown, currency: unknown) =>
	({
		variant: [{ sku: 'A', title: '', prices: { price: [{ amount, currency }] } }],
	}) as IDataObject;

const product = (fields: IDataObject, options: IDataObject = {}): IDataObject => ({
	title: 'Mug',
	additionalFields: fields,
	options,
});

const major = { amountsInMajorUnits: true };

const fulfillment = (item: IDataObject, more: IDataObject = {}): IDataObject => ({
	orderId: id('ord_1'),
	items: { item: [item] },
	...more,
});

const level = (more: IDataObject): IDataObject => ({
	sku: 'A',
	locationId: 'sloc_main',
	quantity: 1,
	delta: 1,
	...more,
});

const hook = (more: IDataObject): IDataObject => ({
	url: 'https://receiver.example/hook',
	events: ['order.paid'],
	...more,
});

const fields = (field: IDataObject[]): IDataObject => ({ fields: { field } });

const MISTAKES: Mistake[] = [
	...LISTS.flatMap((resource) =>
		[0, -1, 1.5, '={{ "many" }}'].map((limit) =>
			mistake(`${resource}.getAll`, `limit ${limit}`, { returnAll: false, limit }, 'Limit'),
		),
	),
	...BY_ID.flatMap(([operation, locator, label, rest]) => [
		mistake(operation, 'an empty ID', { ...rest, [locator]: id('={{ "" }}') }, label),
		mistake(operation, 'a missing ID', { ...rest, [locator]: id('={{ $json.none }}') }, label),
		mistake(operation, 'an ID of the wrong type', { ...rest, [locator]: id('={{ [1] }}') }, label),
		mistake(operation, 'a climbing ID', { ...rest, [locator]: id('..') }, locator),
	]),
	mistake(
		'account.get',
		'11 at once',
		{ options: { maxRequestsAtOnce: 11 } },
		'Max Requests at Once',
	),
	mistake('category.create', 'nothing', { specifyFields: 'defineBelow', fields: {} }, 'Fields'),
	mistake('category.create', 'malformed JSON', { specifyFields: 'json', json: '{ "a": ' }, 'JSON'),
	mistake('category.create', 'a list', { specifyFields: 'json', json: '[1]' }, 'JSON'),
	mistake('category.create', 'no name', fields([{ name: '', value: 'x' }]), 'Fields: Name'),
	mistake(
		'category.create',
		'a name twice',
		fields([
			{ name: 'a', value: '1' },
			{ name: 'a', value: '2' },
		]),
		'Fields',
	),
	mistake(
		'category.create',
		'a number that is none',
		fields([{ name: 'position', type: 'number', value: 'three' }]),
		'Fields: position',
	),
	mistake(
		'category.create',
		'neither true nor false',
		fields([{ name: 'visible', type: 'boolean', value: 'perhaps' }]),
		'Fields: visible',
	),
	mistake('customer.create', 'nothing', { specifyFields: 'json', json: '{}' }, 'JSON'),
	mistake('customer.create', 'malformed JSON', { specifyFields: 'json', json: 'name' }, 'JSON'),
	mistake(
		'customer.create',
		'malformed JSON in a field',
		fields([{ name: 'address', type: 'json', value: '{' }]),
		'Fields: address',
	),
	mistake('customer.update', 'nothing', { customerId: id('cust_1'), fields: {} }, 'Fields'),
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
		'updated_since',
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
	mistake('inventory.set', 'no SKU', level({ sku: '={{ " " }}' }), 'SKU'),
	mistake('inventory.set', 'no location', level({ locationId: '={{ "" }}' }), 'Location ID'),
	mistake('inventory.set', 'a fractional quantity', level({ quantity: 1.5 }), 'Quantity'),
	mistake('inventory.set', 'a quantity in words', level({ quantity: '={{ "two" }}' }), 'Quantity'),
	mistake('inventory.set', 'no date', level({ updatedAt: 'yesterday' }), 'Updated At'),
	mistake(
		'inventory.set',
		'a version over two lines',
		level({ options: { ifMatch: '1\n2' } }),
		'If-Match',
	),
	mistake('inventory.adjust', 'a fractional delta', level({ delta: 0.5 }), 'Delta'),
	mistake('inventory.adjust', 'no SKU', level({ sku: '={{ $json.none }}' }), 'SKU'),
	mistake('product.create', 'no title', { title: '={{ "" }}' }, 'Title'),
	mistake('product.create', 'a title of the wrong type', { title: '={{ ["a"] }}' }, 'Title'),
	mistake(
		'product.create',
		'an unknown currency',
		product({ variants: price('1', 'EURO') }),
		'Currency',
	),
	mistake('product.create', 'no currency', product({ variants: price('1', '') }), 'Currency'),
	mistake('product.create', 'no amount', product({ variants: price('', 'EUR') }), 'Amount'),
	mistake(
		'product.create',
		'decimals in minor units',
		product({ variants: price('19.99', 'EUR') }),
		'Amount',
	),
	mistake(
		'product.create',
		'a too precise amount',
		product({ variants: price('19.999', 'EUR') }, major),
		'Amount',
	),
	mistake(
		'product.create',
		'decimals of a yen',
		product({ variants: price('1.5', 'JPY') }, major),
		'Amount',
	),
	mistake(
		'product.create',
		'a comma',
		product({ variants: price('19,99', 'EUR') }, major),
		'Amount',
	),
	mistake('product.create', 'malformed JSON', product({ variantsJson: '[{]' }), 'Variants (JSON)'),
	mistake('product.create', 'no JSON list', product({ variantsJson: '{}' }), 'Variants (JSON)'),
	mistake(
		'product.create',
		'variants twice',
		product({ variants: price('1', 'EUR'), variantsJson: '[{ "sku": "A" }]' }),
		'Variants',
	),
	mistake(
		'product.create',
		'a variant without a SKU',
		product({ variantsJson: '[{ "sku": "A" }, { "title": "M" }]' }),
		'Variants (JSON) 2: SKU',
	),
	mistake(
		'product.create',
		'categories of the wrong type',
		product({ categories: '={{ [{ id: 1 }] }}' }),
		'Category',
	),
	mistake(
		'product.create',
		'an own key over two lines',
		product({}, { idempotencyKey: 'a\nb' }),
		'Idempotency Key',
	),
	mistake(
		'product.update',
		'nothing',
		{ productId: id('prod_1'), updateFields: {} },
		'Update Fields',
	),
	mistake(
		'product.update',
		'only what is empty',
		{ productId: id('prod_1'), updateFields: { title: '', description: '', variants: {} } },
		'Update Fields',
	),
	mistake(
		'product.update',
		'an unknown currency',
		{ productId: id('prod_1'), updateFields: { variants: price('1', 'ABC') } },
		'Currency',
	),
	mistake('webhook.create', 'an http URL', hook({ url: 'http://receiver.example/hook' }), 'URL'),
	mistake('webhook.create', 'no URL', hook({ url: '={{ "" }}' }), 'URL'),
	mistake('webhook.create', 'text as URL', hook({ url: 'receiver' }), 'URL'),
	mistake('webhook.create', 'no events', hook({ events: [] }), 'Events'),
	mistake(
		'webhook.create',
		'an event that is none',
		hook({ events: '={{ ["Order paid"] }}' }),
		'Events',
	),
	mistake(
		'webhook.create',
		'another event that is none',
		hook({ additionalFields: { otherEvents: 'paid' } }),
		'Events',
	),
	mistake(
		'webhook.update',
		'nothing',
		{ webhookId: id('wh_1'), updateFields: {} },
		'Update Fields',
	),
	mistake(
		'webhook.update',
		'an http URL',
		{ webhookId: id('wh_1'), updateFields: { url: 'http://a.example' } },
		'URL',
	),
	mistake(
		'webhook.recreate',
		'an http URL',
		{ webhookId: id('wh_1'), updateFields: { url: 'http://a.example' } },
		'URL',
	),
];

let shop: Shop;

beforeAll(async () => {
	shop = await openShop();
});
afterAll(async () => await shop.close());

describe.each([
	['its own engine', false],
	['n8n’s RoutingNode', true],
])('by %s', (_way, routingNode) => {
	it.each(MISTAKES.map((one) => [one.operation, one.what, one] as const))(
		'%s refuses %s, names the field and sends nothing',
		async (_operation, _what, { operation, parameters, names }) => {
			const [resource, name] = operation.split('.');
			await shop.platform.control.resetCounters();
			const { error, items } = await shop.run(
				{ resource, operation: name, ...parameters },
				{ routingNode },
			);
			expect(error?.message).toContain(names);
			expect(items).toEqual([]);
			expect((await shop.platform.control.counters()).total).toBe(0);
		},
	);
});

it('knows a mistake for every operation', () => {
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.map(({ option }) => `${value}.${option.value}`),
	);
	const covered = new Set(MISTAKES.map(({ operation }) => operation));
	const bulk = ['product.upsert', 'product.importCatalog'];
	expect(operations.filter((one) => !covered.has(one) && !bulk.includes(one))).toEqual([]);
});
