import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { createClient } from '../../shared/api/client';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { join, nameOf, orderLabel } from './labels';
import { searchFieldNames, searchOpenItems } from './ofChosen';
import { searchRecords } from './records';

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
		stoppedHint: 'Use “Email” or “ID”.',
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

/** A list in the editor that is longer than this is no help; an expression takes any ID. */
const MAX_CATEGORIES = 1000;

/** The shop's categories, for multi-selects. */
async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withNodeErrors(this, { noun: 'category' }, async () => {
		const client = await createClient(this);
		const categories: INodePropertyOptions[] = [];
		for await (const record of client.records({ method: 'GET', path: '/categories' })) {
			if (typeof record.id !== 'string') continue;
			const { id } = record;
			categories.push({ name: nameOf(record) ?? id, value: id, description: id });
			if (categories.length === MAX_CATEGORIES) break;
		}
		return categories.sort((a, b) => a.name.localeCompare(b.name));
	});
}

export const loadOptions = { getCategories };
