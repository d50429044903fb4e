import { RESOURCES } from '../../shared/shop/resources';
import { SERVICE } from '../../shared/shop/service';
import { sort } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { CHANGES_TRIGGER, requestOptions } from '../fields/options';
import { cells } from '../fields/spreadsheet';
import type { Api, Operation, Resource } from '../runner/operation';
import { customer } from './customer';
import { inventory } from './inventory';
import { create, each, getMany } from './makeOperation';
import { fulfill } from './order/fulfill';
import { orderOperations } from './order/order';
import { refund } from './order/refund';
import { importCatalog, setPrices, upsert } from './product/bySku';
import { productOperations } from './product/product';
import { webhook } from './webhook';

const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account and the rate limits of the API key',
	noun: 'account',
	operations: [
		each({
			request: 'GET /account',
			name: 'Get',
			value: 'get',
			action: 'Get account',
			description: 'Get the account of the API key: its credential data and rate limits',
		}),
	],
};

const category: Resource = {
	name: 'Category',
	value: 'category',
	description: 'Categories that products belong to',
	noun: 'category',
	operations: [
		create(RESOURCES.category, {
			description: 'Create a category for products',
			fields: freeBody('the category', 'searchCategoryFields'),
		}),
		getMany(RESOURCES.category, {
			filterTexts: { q: { placeholder: 'e.g. Beauty' } },
			sort,
		}),
	],
};

const event: Resource = {
	name: 'Event',
	value: 'event',
	description: 'The stream of everything that happened (Enterprise plan only)',
	noun: 'event',
	operations: [
		getMany(RESOURCES.event, {
			description: 'Get a list of events of the event stream (Enterprise plan only)',
			cheaperWay: CHANGES_TRIGGER,
			// The API document does not show the stream's answers. It does show that event IDs grow, and that a list
			// continues after one.
			keyset: { field: 'event_id', query: 'after_event_id' },
			permission:
				'The event stream is on the Enterprise plan only. Without it, use the Commerce Platform Trigger or a list with Updated Since.',
		}),
	],
};

/** As the Operation list shows them. */
const byLabel = (a: Operation, b: Operation) => a.option.name.localeCompare(b.option.name);

const order: Resource = {
	name: 'Order',
	value: 'order',
	description: 'Orders with their line items, totals and state',
	noun: 'order',
	operations: [...orderOperations, fulfill, refund].sort(byLabel),
};

const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [...productOperations, upsert, importCatalog, setPrices].sort(byLabel),
};

/** Every resource of the node, in the order of the Resource list. */
export const resources: Resource[] = [
	account,
	category,
	customer,
	event,
	inventory,
	order,
	product,
	webhook,
];

/** The Partner REST API v1, as the runner is told of it. */
export const api: Api = { resources, service: SERVICE, requestOptions, cells };
