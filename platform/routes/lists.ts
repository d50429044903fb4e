import { ENDPOINT_STATUSES } from '../deliveries/endpoints';
import { eventIndex } from '../shop/event';
import { ORDER_STATUSES } from '../shop/orderStates';
import { findBySku, findLevel } from '../shop/stock';
import { LOCATIONS } from '../shop/words';
import type { Call, Handler } from '../api/call';
import type { ListSpec } from '../api/select';
import type { ShopRecords } from '../shop/shop';

/** The particulars of one list. */
interface ListRow<T> {
	/** Fields to sort by, beside `created_at` and `updated_at`. */
	sorts?: readonly string[];
	statuses?: readonly string[];
	/** The SKUs for the filter `sku`; without them the filter finds nothing. */
	skus?(record: T): readonly string[];
	/** The texts that `q` searches. */
	texts?(record: T): readonly unknown[];
	/** Indices of the only records that can have the SKU. */
	bySku?(call: Call, sku: string): number[];
	present?(record: T, call: Call): unknown;
}

/** An order without the fields that the API document calls "included on get". */
const orderSummary = ({
	line_items: _l,
	totals: _t,
	payment_summary: _p,
	fulfillment_state: _f,
	...rest
}: ShopRecords['orders']) => rest;

const ROWS: { readonly [K in keyof ShopRecords]: ListRow<ShopRecords[K]> } = {
	products: {
		sorts: ['title'],
		statuses: ['draft', 'published'],
		skus: ({ variants }) => variants.map(({ sku }) => sku),
		texts: ({ id, title, handle, variants }) => [id, title, handle, ...variants.map((v) => v.sku)],
		bySku: ({ shop }, sku) => findBySku(shop, sku),
	},
	orders: {
		sorts: ['number'],
		statuses: ORDER_STATUSES,
		skus: ({ line_items }) => line_items.map(({ sku }) => sku),
		texts: ({ id, number, email }) => [id, number, email],
		present: (order, { settings }) =>
			settings.dialect.orderList === 'whole' ? order : orderSummary(order),
	},
	customers: {
		sorts: ['email'],
		statuses: ['active', 'disabled'],
		texts: ({ id, email, first_name, last_name }) => [id, email, `${first_name} ${last_name}`],
	},
	categories: { sorts: ['name'], texts: ({ id, name, handle }) => [id, name, handle] },
	inventory: {
		sorts: ['quantity'],
		skus: ({ sku }) => [sku],
		texts: ({ sku, location_id }) => [sku, location_id],
		bySku: ({ shop }, sku) =>
			LOCATIONS.map((location) => findLevel(shop, sku, location)).filter(
				(index) => index !== undefined,
			),
	},
	events: {},
	webhooks: {
		statuses: ENDPOINT_STATUSES,
		texts: ({ id, url, description }) => [id, url, description],
	},
};

const fieldOf = (record: object, name: string) =>
	(record as Record<string, string | number | undefined>)[name];

/** The sort order of each field: one that the collection keeps, or by the field's value. */
function sortsOf(fields: readonly string[] = []): ListSpec<object>['sorts'] {
	const byValue = (name: string) => (record: object) => fieldOf(record, name);
	const byField = fields.map((name) => [name, name === 'number' ? 'created' : byValue(name)]);
	return { created_at: 'created', updated_at: 'updated', ...Object.fromEntries(byField) };
}

function mentions(texts: readonly unknown[], q: string): boolean {
	const wanted = q.toLowerCase();
	return texts.some((text) => String(text).toLowerCase().includes(wanted));
}

/** Answers one page of a list. */
export function list<K extends keyof ShopRecords>(name: K): Handler {
	type T = ShopRecords[K];
	const { sorts, statuses = [], skus, texts, bySku, present }: ListRow<T> = ROWS[name];
	const whitelist = sortsOf(sorts);
	return (call) => {
		const { shop, pages, query } = call;
		const { status, sku, location_id, q, after_event_id } = query;
		const spec: ListSpec<T> = {
			name,
			collection: shop.collection(name),
			sorts: whitelist,
			statuses,
			matches: (record) =>
				(status === undefined || fieldOf(record, 'status') === status) &&
				(sku === undefined || skus?.(record).includes(sku) === true) &&
				(location_id === undefined || fieldOf(record, 'location_id') === location_id) &&
				(q === undefined || mentions(texts?.(record) ?? [], q)),
			candidates: sku === undefined ? undefined : bySku?.(call, sku),
			start: after_event_id === undefined ? undefined : [0, eventIndex(after_event_id) ?? -1],
			present: (record) => present?.(record, call) ?? record,
		};
		return pages.page(spec, query);
	};
}
