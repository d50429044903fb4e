import { join, nameOf, orderLabel } from './labels';
import { searchRecords } from './searchRecords';

/** The searches behind "From List". */
export const listSearch = {
	searchCustomers: searchRecords({
		path: '/customers',
		noun: 'customer',
		takes: 'limit',
		stoppedHint: 'Use By Email or By ID.',
		label: (customer) => join(nameOf(customer), customer.email, customer.id),
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
	searchWebhooks: searchRecords({
		path: '/webhooks',
		noun: 'webhook endpoint',
		takes: 'nothing',
		label: ({ id, url, status, description }) => join(url, description, status, id),
	}),
};
