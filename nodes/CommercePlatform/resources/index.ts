import { RESOURCES } from '../../shared/shop/resources';
import { sort } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { CHANGES_TRIGGER } from '../fields/options';
import type { Resource } from '../runner/operation';
import { inventory } from './inventory';
import { create, each, getMany, getOne, update } from './makeOperation';
import { order } from './order';
import { product } from './product';
import { CUSTOMERS } from './recordNames';
import { webhook } from './webhook';

const customerFields = freeBody('the customer', 'searchCustomerFields');

const customer: Resource = {
	name: 'Customer',
	value: 'customer',
	description: 'Customers of the shop; their marketing consent must be respected',
	noun: 'customer',
	operations: [
		create(CUSTOMERS, {
			description: 'Create a customer; marketing consent is written only if you set it',
			fields: customerFields,
		}),
		getOne(CUSTOMERS, { description: 'Get one customer' }),
		getMany(CUSTOMERS, {
			cheaperWay: CHANGES_TRIGGER,
			newestFirst: true,
			filterTexts: { q: { placeholder: 'e.g. a name, an e-mail' } },
		}),
		update(CUSTOMERS, { fields: customerFields }),
	],
};

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
