import { LIST_FILTERS, SORT, casesOf } from './case';

export const orderCases = casesOf({
	'order.getAll': {
		parameters: () => ({
			returnAll: false,
			limit: 3,
			filters: { ...LIST_FILTERS, status: 'paid' },
			options: { sort: SORT },
		}),
		count: 3,
		item: () => ({ status: 'paid', total: { decimal: expect.any(Number) } }),
	},
	'order.get': {
		parameters: () => ({ simplify: true }),
	},
	'order.update': {
		parameters: () => ({
			updateFields: {
				merchant_note: 'Gift wrap',
				otherFields: { field: [{ name: 'priority', type: 'number', value: '2' }] },
				otherFieldsJson: '{ "tags": ["vip"] }',
			},
		}),
		least: { updateFields: { otherFieldsJson: '{ "z": 1 }' } },
	},
	'order.cancel': {
		parameters: () => ({
			otherFields: { field: [{ name: 'reason', type: 'string', value: 'Customer asked' }] },
		}),
		item: ({ order }) => ({ id: order, status: 'cancelled' }),
	},
	'order.fulfill': {
		parameters: ({ lineItem }) => ({
			trackingNumber: '00340434161094042557',
			carrier: 'dhl',
			specifyItems: 'defineBelow',
			items: { item: [{ line_item_id: lineItem, quantity: 1 }] },
		}),
		item: ({ order }) => ({ order_id: order }),
		least: {
			specifyItems: 'defineBelow',
			items: { item: [{ line_item_id: 'li_1', quantity: 1 }] },
		},
	},
	'order.fulfill, all open items, which are read first': {
		parameters: () => ({ specifyItems: 'open', carrier: 'DHL' }),
		routes: ['GET /orders/{id}', 'POST /orders/{id}/fulfillments'],
		body: ({ lineItem }) => {
			const line = expect.objectContaining({ line_item_id: lineItem }) as unknown;
			return { carrier: 'dhl', items: expect.arrayContaining([line]) as unknown };
		},
	},
	'order.fulfill, everything that is open': {
		parameters: () => ({ specifyItems: 'everything', carrier: 'dhl' }),
		body: () => ({ carrier: 'dhl' }),
	},
	'order.refund': {
		parameters: () => ({
			extent: 'fields',
			json: '{ "amount": 100, "currency": "USD", "decimal": 1 }',
		}),
		body: () => ({ amount: 100, currency: 'USD' }),
		item: ({ order }) => ({ order_id: order, amount: 100, decimal: 1 }),
		least: { extent: 'platform' },
	},
	'order.refund, of an amount in major units, with a reason': {
		parameters: () => ({ extent: 'amount', amount: '1.5', currency: 'USD', reason: 'Damaged' }),
		body: () => ({ amount: 150, currency: 'USD', reason: 'Damaged' }),
		item: ({ order }) => ({ order_id: order, amount: 150, decimal: 1.5 }),
	},
	'order.refund, of everything': {
		parameters: () => ({ extent: 'platform' }),
		body: () => ({}),
		item: ({ order }) => ({ order_id: order }),
	},
});
