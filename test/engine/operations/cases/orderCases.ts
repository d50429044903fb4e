import { byId } from '../../../support/parameters';
import { LIST_FILTERS, LIST_QUERY, type Case } from './case';

export const orderCases: Case[] = [
	{
		operation: 'order.getAll',
		parameters: () => ({
			returnAll: false,
			limit: 3,
			filters: { ...LIST_FILTERS, status: 'paid' },
		}),
		routes: ['GET /orders'],
		query: () => ({ ...LIST_QUERY, status: 'paid', limit: '3' }),
		count: 3,
		item: () => ({ status: 'paid', total: { decimal: expect.any(Number) } }),
	},
	{
		operation: 'order.get',
		parameters: ({ order }) => ({ orderId: byId(order), simplify: true }),
		routes: ['GET /orders/{id}'],
		item: ({ order }) => ({ id: order }),
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
		item: ({ order }) => ({ id: order }),
		least: { updateFields: { otherFieldsJson: '{ "z": 1 }' } },
	},
	{
		operation: 'order.cancel',
		parameters: ({ order }) => ({
			orderId: byId(order),
			additionalFields: {
				otherFields: { field: [{ name: 'reason', type: 'string', value: 'Customer asked' }] },
			},
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
		item: ({ order }) => ({ order_id: order }),
		least: {
			specifyItems: 'defineBelow',
			items: { item: [{ line_item_id: 'li_1', quantity: 1 }] },
		},
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
	},
	{
		operation: 'order.fulfill',
		note: 'all open items, which are read first',
		parameters: ({ order }) => ({
			orderId: byId(order),
			specifyItems: 'open',
			carrier: 'DHL',
		}),
		routes: ['GET /orders/{id}', 'POST /orders/{id}/fulfillments'],
		body: ({ lineItem }) => {
			const line = expect.objectContaining({ line_item_id: lineItem }) as unknown;
			return { carrier: 'dhl', items: expect.arrayContaining([line]) as unknown };
		},
	},
	{
		operation: 'order.fulfill',
		note: 'everything that is open',
		parameters: ({ order }) => ({
			orderId: byId(order),
			specifyItems: 'everything',
			carrier: 'dhl',
		}),
		routes: ['POST /orders/{id}/fulfillments'],
		body: () => ({ carrier: 'dhl' }),
	},
	{
		operation: 'order.refund',
		parameters: ({ order }) => ({
			orderId: byId(order),
			extent: 'fields',
			specifyFields: 'json',
			json: '{ "amount": 100, "currency": "USD", "decimal": 1 }',
			options: { decimalAmounts: 'text' },
		}),
		routes: ['POST /orders/{id}/refunds'],
		body: () => ({ amount: 100, currency: 'USD' }),
		item: ({ order }) => ({ order_id: order, amount: 100, decimal: expect.any(String) }),
		// An amount beside the row that is tried, since without one nothing is refunded.
		least: {
			extent: 'platform',
			fields: {
				field: [
					{},
					{ name: 'amount', type: 'number', value: '1' },
					{ name: 'currency', type: 'string', value: 'EUR' },
				],
			},
		},
	},
	{
		operation: 'order.refund',
		note: 'of an amount in major units, with a reason',
		parameters: ({ order }) => ({
			orderId: byId(order),
			extent: 'amount',
			amount: '1.5',
			currency: 'USD',
			reason: 'Damaged',
		}),
		routes: ['POST /orders/{id}/refunds'],
		body: () => ({ amount: 150, currency: 'USD', reason: 'Damaged' }),
		item: ({ order }) => ({ order_id: order, amount: 150, decimal: 1.5 }),
	},
	{
		operation: 'order.refund',
		note: 'of an amount in minor units',
		parameters: ({ order }) => ({
			orderId: byId(order),
			extent: 'amount',
			amountsAreIn: 'minor',
			amount: '150',
			currency: 'USD',
		}),
		routes: ['POST /orders/{id}/refunds'],
		body: () => ({ amount: 150, currency: 'USD' }),
		item: ({ order }) => ({ order_id: order, amount: 150 }),
	},
	{
		operation: 'order.refund',
		note: 'of everything',
		parameters: ({ order }) => ({ orderId: byId(order), extent: 'platform' }),
		routes: ['POST /orders/{id}/refunds'],
		body: () => ({}),
		item: ({ order }) => ({ order_id: order }),
	},
];
