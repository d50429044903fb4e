import type { IDataObject } from 'n8n-workflow';

import { WEBHOOK_URL, type Fixtures } from './shop';

/** One operation as a user would set it up, what must be on the wire, and what must come out. */
export interface Case {
	/** e.g. `order.cancel` */
	operation: string;
	/** What is special about it, where an operation has several cases. */
	note?: string;
	parameters(fixtures: Fixtures): IDataObject;
	/** Routes in the order in which they are sent. */
	routes: string[];
	/** Of the request that does the work: the last but for `recreate`. */
	query?(fixtures: Fixtures): Record<string, string>;
	body?(fixtures: Fixtures): unknown;
	headers?: Record<string, string>;
	/** The first output item holds this. */
	item?(fixtures: Fixtures): IDataObject;
	/** Output items; 1 if absent. */
	count?: number;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const LIST_QUERY = {
	created_since: '2020-01-01T00:00:00.000Z',
	created_until: '2036-01-01T00:00:00.000Z',
	updated_since: '2020-01-01T00:00:00.000Z',
	sort: 'updated_at:desc',
};

const LIST_FILTERS = {
	created_since: '2020-01-01T00:00:00Z',
	created_until: '2036-01-01T01:00:00+01:00',
	updated_since: '2020-01-01T00:00:00.000Z',
	sort: { by: { field: 'updated_at', direction: 'desc' } },
};

const PRICES = {
	price: [
		{ amount: '19.99', currency: 'EUR' },
		{ amount: '2500', currency: 'JPY' },
	],
};

export const CASES: Case[] = [
	{
		operation: 'account.get',
		parameters: () => ({}),
		routes: ['GET /account'],
		item: () => ({ rate_limits: expect.anything() }),
	},
	{
		operation: 'category.getAll',
		parameters: () => ({ returnAll: false, limit: 2, filters: LIST_FILTERS }),
		routes: ['GET /categories'],
		query: () => ({ ...LIST_QUERY, limit: '2' }),
		item: () => ({ id: expect.stringMatching(/^cat_/) }),
		count: 2,
	},
	{
		operation: 'category.create',
		parameters: () => ({
			specifyFields: 'defineBelow',
			fields: {
				field: [
					{ name: 'name', type: 'string', value: 'Lamps' },
					{ name: 'position', type: 'number', value: '3' },
					{ name: 'visible', type: 'boolean', value: 'true' },
					{ name: 'parent_id', type: 'null', value: '' },
					{ name: 'tags', type: 'json', value: '["light"]' },
				],
			},
		}),
		routes: ['POST /categories'],
		body: () => ({ name: 'Lamps', position: 3, visible: true, parent_id: null, tags: ['light'] }),
		item: () => ({ id: expect.stringMatching(/^cat_/), name: 'Lamps' }),
	},
	{
		operation: 'customer.getAll',
		parameters: () => ({ returnAll: true, filters: { updated_since: '2020-01-01T00:00:00Z' } }),
		routes: ['GET /customers'],
		query: () => ({ updated_since: '2020-01-01T00:00:00.000Z', limit: '250' }),
		item: () => ({ id: expect.stringMatching(/^cust_/) }),
		count: 8,
	},
	{
		operation: 'customer.get',
		parameters: ({ customer }) => ({ customerId: byId(customer), simplify: false }),
		routes: ['GET /customers/{id}'],
		item: ({ customer }) => ({ id: customer, address: expect.anything() }),
	},
	{
		operation: 'customer.create',
		parameters: () => ({
			specifyFields: 'json',
			json: '{ "email": "ada@customer.example", "address": { "city": "Bergen" } }',
		}),
		routes: ['POST /customers'],
		body: () => ({ email: 'ada@customer.example', address: { city: 'Bergen' } }),
		item: () => ({ email: 'ada@customer.example', accepts_email_marketing: false }),
	},
	{
		operation: 'customer.update',
		parameters: ({ customer }) => ({
			customerId: byId(customer),
			specifyFields: 'defineBelow',
			fields: { field: [{ name: 'phone', type: 'null', value: '' }] },
		}),
		routes: ['PATCH /customers/{id}'],
		body: () => ({ phone: null }),
		item: ({ customer }) => ({ id: customer, phone: null }),
	},
	{
		operation: 'event.getAll',
		parameters: ({ event }) => ({
			returnAll: false,
			limit: 5,
			filters: { after_event_id: event },
		}),
		routes: ['GET /events'],
		query: ({ event }) => ({ after_event_id: event, limit: '5' }),
		item: () => ({ event_id: expect.stringMatching(/^evt_/) }),
		count: 5,
	},
	{
		operation: 'event.getAll',
		note: 'from the beginning',
		parameters: () => ({ returnAll: false, limit: 1 }),
		routes: ['GET /events'],
		query: () => ({ limit: '1' }),
		item: ({ event }) => ({ event_id: event }),
	},
	{
		operation: 'inventory.getAll',
		parameters: ({ sku }) => ({ returnAll: true, filters: { sku, location_id: 'sloc_main' } }),
		routes: ['GET /inventory/levels'],
		query: ({ sku }) => ({ sku, location_id: 'sloc_main', limit: '250' }),
		item: ({ sku }) => ({ sku, location_id: 'sloc_main', quantity: expect.any(Number) }),
	},
	{
		operation: 'inventory.set',
		parameters: ({ sku }) => ({
			sku,
			locationId: 'sloc_main',
			quantity: 7,
			updatedAt: '2036-01-01T12:00:00+02:00',
			options: { ifMatch: '*' },
		}),
		routes: ['PUT /inventory/levels'],
		body: ({ sku }) => ({
			sku,
			location_id: 'sloc_main',
			quantity: 7,
			updated_at: '2036-01-01T10:00:00.000Z',
		}),
		headers: { 'if-match': '*' },
		item: ({ sku }) => ({ sku, quantity: 7 }),
	},
	{
		operation: 'inventory.adjust',
		parameters: ({ sku }) => ({ sku, locationId: 'sloc_main', delta: -1, reason: 'Damaged' }),
		routes: ['POST /inventory/levels/adjust'],
		body: ({ sku }) => ({ sku, location_id: 'sloc_main', delta: -1, reason: 'Damaged' }),
		item: ({ sku }) => ({ sku, quantity: expect.any(Number) }),
	},
	{
		operation: 'order.getAll',
		parameters: () => ({
			returnAll: false,
			limit: 3,
			filters: { ...LIST_FILTERS, status: 'paid' },
			options: { addDecimalAmounts: true },
		}),
		routes: ['GET /orders'],
		query: () => ({ ...LIST_QUERY, status: 'paid', limit: '3' }),
		item: () => ({ status: 'paid', total: { decimal: expect.stringMatching(/^\d+(\.\d+)?$/) } }),
		count: 3,
	},
	{
		operation: 'order.get',
		parameters: ({ order }) => ({ orderId: byId(order), simplify: true }),
		routes: ['GET /orders/{id}'],
		item: ({ order }) => ({ id: order, line_items: expect.any(Array) }),
	},
	{
		operation: 'order.update',
		parameters: ({ order }) => ({
			orderId: byId(order),
			updateFields: {
				merchant_note: 'Gift wrap',
				otherFields: { field: [{ name: 'priority', type: 'number', value: '2' }] },
				otherFieldsJson: '{ "tags": ["vip"] }',
			},
		}),
		routes: ['PATCH /orders/{id}'],
		body: () => ({ merchant_note: 'Gift wrap', priority: 2, tags: ['vip'] }),
		item: ({ order }) => ({ id: order, merchant_note: 'Gift wrap', priority: 2 }),
	},
	{
		operation: 'order.cancel',
		parameters: ({ order }) => ({
			orderId: byId(order),
			specifyFields: 'defineBelow',
			fields: { field: [{ name: 'reason', type: 'string', value: 'Customer asked' }] },
		}),
		routes: ['POST /orders/{id}/cancel'],
		body: () => ({ reason: 'Customer asked' }),
		item: ({ order }) => ({ id: order, status: 'cancelled' }),
	},
	{
		operation: 'order.fulfill',
		parameters: ({ order, lineItem }) => ({
			orderId: byId(order),
			trackingNumber: '00340434161094042557',
			carrier: 'dhl',
			specifyItems: 'defineBelow',
			items: { item: [{ line_item_id: lineItem, quantity: 1 }] },
		}),
		routes: ['POST /orders/{id}/fulfillments'],
		body: ({ lineItem }) => ({
			tracking_number: '00340434161094042557',
			carrier: 'dhl',
			items: [{ line_item_id: lineItem, quantity: 1 }],
		}),
		item: ({ order }) => ({ order_id: order, carrier: 'dhl' }),
	},
	{
		operation: 'order.fulfill',
		note: 'with the line items of an order, as they are',
		parameters: ({ order, lineItem }) => ({
			orderId: byId(order),
			specifyItems: 'json',
			itemsJson: JSON.stringify([{ line_item_id: lineItem, quantity: 1, title: 'Shirt' }]),
		}),
		routes: ['POST /orders/{id}/fulfillments'],
		body: ({ lineItem }) => ({ items: [{ line_item_id: lineItem, quantity: 1 }] }),
		item: ({ order }) => ({ order_id: order }),
	},
	{
		operation: 'order.refund',
		parameters: ({ order }) => ({
			orderId: byId(order),
			specifyFields: 'json',
			json: '{ "amount": 100 }',
			options: { addDecimalAmounts: true },
		}),
		routes: ['POST /orders/{id}/refunds'],
		body: () => ({ amount: 100 }),
		item: ({ order }) => ({ order_id: order, amount: 100, decimal: expect.any(String) }),
	},
	{
		operation: 'product.getAll',
		parameters: ({ sku }) => ({
			returnAll: true,
			filters: { ...LIST_FILTERS, status: 'published', q: sku, sku },
		}),
		routes: ['GET /products'],
		query: ({ sku }) => ({ ...LIST_QUERY, status: 'published', q: sku, sku, limit: '250' }),
		item: () => ({ id: expect.stringMatching(/^prod_/), status: 'published' }),
	},
	{
		operation: 'product.get',
		parameters: ({ product }) => ({
			productId: byId(product),
			options: { addDecimalAmounts: true },
		}),
		routes: ['GET /products/{id}'],
		item: ({ product }) => ({ id: product }),
	},
	{
		operation: 'product.get',
		note: 'by its handle',
		parameters: ({ handle }) => ({ productId: { __rl: true, mode: 'handle', value: handle } }),
		routes: ['GET /products', 'GET /products/{id}'],
		item: ({ product, handle }) => ({ id: product, handle }),
	},
	{
		operation: 'product.create',
		parameters: ({ category }) => ({
			title: 'Linen shirt',
			additionalFields: {
				handle: 'linen-shirt',
				status: 'published',
				description: 'Light',
				categories: [category],
				variants: {
					variant: [
						{ sku: 'LS-M', title: 'M', prices: PRICES },
						{ sku: 'LS-L', title: '', prices: { price: [{ amount: '21', currency: 'eur' }] } },
					],
				},
			},
			options: { amountsInMajorUnits: true, addDecimalAmounts: true },
		}),
		routes: ['POST /products'],
		body: ({ category }) => ({
			title: 'Linen shirt',
			handle: 'linen-shirt',
			status: 'published',
			description: 'Light',
			categories: [category],
			variants: [
				{
					sku: 'LS-M',
					title: 'M',
					prices: [
						{ amount: 1999, currency: 'EUR' },
						{ amount: 2500, currency: 'JPY' },
					],
				},
				{ sku: 'LS-L', prices: [{ amount: 2100, currency: 'EUR' }] },
			],
		}),
		item: () => ({
			title: 'Linen shirt',
			variants: [
				{ sku: 'LS-M', prices: [{ amount: 1999, decimal: '19.99' }, { decimal: '2500' }] },
				{ sku: 'LS-L', prices: [{ amount: 2100, decimal: '21.00' }] },
			],
		}),
	},
	{
		operation: 'product.create',
		note: 'with variants from JSON in minor units',
		parameters: () => ({
			title: 'Mug',
			additionalFields: {
				description: '',
				variantsJson: '[{ "sku": "MUG", "prices": [{ "amount": 1250, "currency": "KWD" }] }]',
			},
		}),
		routes: ['POST /products'],
		body: () => ({
			title: 'Mug',
			variants: [{ sku: 'MUG', prices: [{ amount: 1250, currency: 'KWD' }] }],
		}),
		item: () => ({ title: 'Mug' }),
	},
	{
		operation: 'product.update',
		parameters: ({ product }) => ({
			productId: byId(product),
			updateFields: { title: 'New title', handle: '', categories: [] },
			clearFields: ['description'],
		}),
		routes: ['PATCH /products/{id}'],
		body: () => ({ title: 'New title', description: '' }),
		item: ({ product }) => ({ id: product, title: 'New title', description: '' }),
	},
	{
		operation: 'product.delete',
		parameters: ({ product }) => ({ productId: byId(product) }),
		routes: ['DELETE /products/{id}'],
		item: ({ product }) => ({ deleted: true, id: product }),
	},
	{
		operation: 'webhook.getAll',
		parameters: () => ({ returnAll: true }),
		routes: ['GET /webhooks'],
		query: () => ({}),
		item: ({ webhook }) => ({ id: webhook, url: WEBHOOK_URL }),
	},
	{
		operation: 'webhook.get',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['GET /webhooks/{id}'],
		item: ({ webhook }) => ({ id: webhook, url: WEBHOOK_URL }),
	},
	{
		operation: 'webhook.get',
		note: 'by its URL',
		parameters: () => ({ webhookId: { __rl: true, mode: 'url', value: WEBHOOK_URL } }),
		routes: ['GET /webhooks', 'GET /webhooks/{id}'],
		item: ({ webhook }) => ({ id: webhook }),
	},
	{
		operation: 'webhook.create',
		parameters: () => ({
			url: 'https://other.example/hook',
			events: ['order.paid', 'product.deleted'],
			additionalFields: { description: 'Mine', otherEvents: 'order.refunded, order.paid' },
		}),
		routes: ['POST /webhooks'],
		body: () => ({
			url: 'https://other.example/hook',
			events: ['order.paid', 'product.deleted', 'order.refunded'],
			description: 'Mine',
		}),
		item: () => ({ url: 'https://other.example/hook', secret: expect.any(String) }),
	},
	{
		operation: 'webhook.delete',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['DELETE /webhooks/{id}'],
		item: ({ webhook }) => ({ deleted: true, id: webhook }),
	},
	{
		operation: 'webhook.update',
		parameters: ({ webhook }) => ({
			webhookId: byId(webhook),
			updateFields: { events: ['order.created'], otherEvents: 'order.returned' },
			clearFields: ['description'],
		}),
		routes: ['PATCH /webhooks/{id}'],
		body: () => ({ events: ['order.created', 'order.returned'], description: '' }),
		item: ({ webhook }) => ({ id: webhook, events: ['order.created', 'order.returned'] }),
	},
	{
		operation: 'webhook.rotateSecret',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/rotate_secret'],
		item: ({ webhook }) => ({ id: webhook, secret: expect.any(String) }),
	},
	{
		operation: 'webhook.test',
		parameters: ({ webhook }) => ({ webhookId: byId(webhook) }),
		routes: ['POST /webhooks/{id}/test'],
		item: () => ({ delivery_id: expect.stringMatching(/^del_/) }),
	},
	{
		operation: 'webhook.recreate',
		parameters: ({ webhook }) => ({
			webhookId: byId(webhook),
			updateFields: { description: 'Second' },
		}),
		routes: ['GET /webhooks/{id}', 'POST /webhooks', 'DELETE /webhooks/{id}'],
		item: ({ webhook }) => ({
			url: WEBHOOK_URL,
			events: ['order.paid'],
			description: 'Second',
			secret: expect.any(String),
			replaced: { id: webhook, deleted: true },
		}),
	},
];
