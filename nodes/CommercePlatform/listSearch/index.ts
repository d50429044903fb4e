import { join, nameOf, orderLabel } from './labels';
import { searchFieldNames } from './searchFieldNames';
import { searchOpenItems } from './searchOpenItems';
import { searchRecords } from './searchRecords';

/** The searches behind "From List". */
export const listSearch = {
	searchCategoryFields: searchFieldNames({ path: '/categories', noun: 'category' }),
	searchCustomerFields: searchFieldNames({
		path: '/customers',
		noun: 'customer',
		locator: 'customerId',
	}),
	searchCustomers: searchRecords({
		path: '/customers',
		noun: 'customer',
		takes: 'limit',
		stoppedHint: 'Use By Email or By ID.',
		label: (customer) => join(nameOf(customer), customer.email, customer.id),
	}),
	searchOpenItems,
	searchOrderFields: searchFieldNames({
		path: '/orders',
		noun: 'order',
		locator: 'orderId',
		own: ['merchant_note'],
	}),
	searchOrders: searchRecords({
		path: '/orders',
		noun: 'order',
		takes: 'q',
		newestFirst: true,
		label: orderLabel,
	}),
	searchProducts: searchRecords({
		path: '/products',
		noun: 'product',
		takes: 'q',
		label: ({ id, title, status }) => join(title, status, id),
	}),
	searchWebhookFields: searchFieldNames({
		path: '/webhooks',
		noun: 'webhook endpoint',
		takesQuery: false,
		locator: 'webhookId',
		own: ['description', 'events', 'secret', 'url'],
	}),
	searchWebhooks: searchRecords({
		path: '/webhooks',
		noun: 'webhook endpoint',
		takes: 'nothing',
		label: ({ id, url, status, description }) => join(url, description, status, id),
	}),
};
