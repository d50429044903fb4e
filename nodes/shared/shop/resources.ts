import type { IDataObject } from 'n8n-workflow';

import { toUtcIso } from '../values/dates';
import { emptyFilter, type Field, textField, timeField } from '../values/fields';
import { nameText } from '../values/names';
import { saysNothing, text } from '../values/readers';
import { simplifyCustomer, simplifyOrder } from './records';

/**
 * Label, description and example of each query parameter of lists (API document, "Common query parameters on list
 * endpoints", and each list's own). One without an example is a time.
 */
const FILTER_TEXTS = {
	created_since: ['Created Since', 'Only records created at this time or later'],
	created_until: ['Created Until', 'Only records created up to this time'],
	updated_since: ['Updated Since', 'Only records changed at this time or later'],
	q: ['Search', 'Only records that match these words', 'linen shirt'],
	sku: ['SKU', 'Only records with this stock keeping unit', 'SHIRT-BLUE-M'],
	status: ['Status', 'Only records with this status', 'published'],
	location_id: ['Location ID', 'Only stock levels of this location', 'sloc_main'],
	after_event_id: [
		'After Event ID',
		'Only events after this one, e.g. the last one that was handled',
		'evt_1001',
	],
} satisfies Record<string, [label: string, description: string, example?: string]>;

export type ListFilter = keyof typeof FILTER_TEXTS;

/** The field for each query parameter of lists. */
export const LIST_FILTERS = Object.fromEntries(
	Object.entries(FILTER_TEXTS).map(([name, [label, description, example]]) => [
		name,
		example === undefined
			? timeField(label, name, description)
			: textField(label, name, description, { example }),
	]),
) as Record<ListFilter, Field>;

/** Filters whose value names something. */
const NAME_FILTERS: ReadonlySet<ListFilter> = new Set(['sku', 'location_id']);

/**
 * Reads a filter as it is sent.
 *
 * @param timezone IANA name of the workflow's timezone
 * @param mustSaySomething whether it was entered as an expression that has to return something
 * @returns undefined if nothing is to be sent
 * @throws InputError
 */
export function readFilter(
	name: ListFilter,
	value: unknown,
	timezone: string,
	mustSaySomething: () => boolean,
): string | undefined {
	const { displayName, type } = LIST_FILTERS[name];
	if (saysNothing(value)) {
		// Where to begin is no filter: a first run has no event ID yet.
		if (name !== 'after_event_id' && mustSaySomething()) throw emptyFilter(displayName);
		return undefined;
	}
	if (type === 'dateTime') return toUtcIso(displayName, value, timezone);
	return NAME_FILTERS.has(name) ? nameText(displayName, value) : text(displayName, value).trim();
}

/** A resource of the API document ("Endpoints"): what its records are called, where they are, and who may use them. */
export interface ShopResource {
	/** One record, e.g. `an order`. */
	singular: string;
	plural: string;
	/** The path of the list, e.g. `/orders`. */
	path: `/${string}`;
	/** The path of one record by its ID, where an event is about it and the document has one. */
	recordPath?: `/${string}`;
	/** The filters that the list takes. With `q`, From List lets the platform search in it. */
	filters: readonly ListFilter[];
	/** False if the list takes no query parameters at all. */
	takesQuery?: false;
	/** The scopes that reads and writes need ("Authentication"); none where the document names no group for them. */
	reads?: string;
	writes?: string;
	/** Leaves out what few people need of a record. */
	simplify?(record: IDataObject): IDataObject;
}

/** The filters of the document's table "Common query parameters on list endpoints". */
const COMMON_FILTERS: ListFilter[] = [
	'created_since',
	'created_until',
	'updated_since',
	'q',
	'sku',
	'status',
];

type ResourceName =
	'category' | 'customer' | 'event' | 'inventory' | 'order' | 'product' | 'webhook';

/** Every resource that has a list. */
export const RESOURCES: Record<ResourceName, ShopResource> = {
	category: {
		singular: 'a category',
		plural: 'categories',
		path: '/categories',
		filters: ['updated_since', 'q'],
	},
	customer: {
		singular: 'a customer',
		plural: 'customers',
		path: '/customers',
		recordPath: '/customers/{id}',
		filters: ['created_since', 'created_until', 'updated_since', 'q'],
		reads: 'customers.read',
		writes: 'customers.write',
		simplify: simplifyCustomer,
	},
	event: {
		singular: 'an event',
		plural: 'events',
		path: '/events',
		filters: ['after_event_id'],
	},
	inventory: {
		singular: 'a stock level',
		plural: 'stock levels',
		path: '/inventory/levels',
		filters: ['location_id', 'sku'],
		reads: 'inventory.read',
		writes: 'inventory.write',
	},
	order: {
		singular: 'an order',
		plural: 'orders',
		path: '/orders',
		recordPath: '/orders/{id}',
		filters: COMMON_FILTERS,
		reads: 'orders.read',
		writes: 'orders.write',
		simplify: simplifyOrder,
	},
	product: {
		singular: 'a product',
		plural: 'products',
		path: '/products',
		recordPath: '/products/{id}',
		filters: COMMON_FILTERS,
		reads: 'products.read',
		writes: 'products.write',
	},
	webhook: {
		singular: 'a webhook',
		plural: 'webhooks',
		path: '/webhooks',
		filters: [],
		takesQuery: false,
		reads: 'webhooks.manage',
		writes: 'webhooks.manage',
	},
};

/** What users call one record, e.g. `order`. */
export const nounOf = ({ singular }: Pick<ShopResource, 'singular'>): string =>
	singular.replace(/^an? /, '');

/**
 * The resource that an event is about, by the first word of its name. The name is `order.paid`, in some shops
 * `orders/paid` or `order_paid`.
 */
export function resourceOfEvent(event: string): ShopResource | undefined {
	const [firstWord] = event.toLowerCase().split(/[^a-z]/);
	const { customer, inventory, order, product } = RESOURCES;
	const ofEvents: Partial<Record<string, ShopResource>> = { customer, inventory, order, product };
	return ofEvents[firstWord] ?? ofEvents[firstWord.replace(/s$/, '')];
}
