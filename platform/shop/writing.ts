import { iso } from './clock';
import { orderPayload } from './order';
import { requireWritable } from './refusal';
import type { Shop, ShopRecords } from './shop';

export type Fields = Record<string, unknown>;

/** Kinds of records that are created one by one. */
export type Written = keyof Shop['ids'];

const handleOf = (title: unknown, index: number) => {
	const words = String(title)
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-');
	return `${words.replace(/^-|-$/g, '') || 'product'}-${index}`;
};

/** Defaults of a new record; a new customer has given no consent. */
const NEW: Record<Written, (shop: Shop, index: number, fields: Fields) => Fields> = {
	products: (_shop, index, { title = '' }) => ({
		title: '',
		handle: handleOf(title, index),
		description: '',
		variants: [],
		categories: [],
		status: 'draft',
	}),
	orders: (shop, index) => shop.makeOrder(index, 'created'),
	customers: () => ({
		status: 'active',
		email: '',
		first_name: '',
		last_name: '',
		phone: null,
		address: { street: '', city: '', country: '' },
		accepts_email_marketing: false,
		accepts_sms_marketing: false,
	}),
	categories: (_shop, index) => ({ name: '', handle: `category-${index}`, parent_id: null }),
	webhooks: () => ({ status: 'enabled' }),
};

/**
 * Adds a record and emits nothing.
 *
 * @param at when it was created and changed, in ms; now, if absent
 */
export function add<K extends Written>(
	shop: Shop,
	kind: K,
	fields: Fields,
	at?: number,
): ShopRecords[K] {
	const make = (index: number, changedAt: number, createdAt: number) => ({
		...NEW[kind](shop, index, fields),
		...fields,
		id: shop.ids[kind].encode(index),
		created_at: iso(createdAt),
		updated_at: iso(changedAt),
	});
	return shop.collection(kind).add(make as never, at);
}

/** The payload of each event about a record. The API document shows the payload of order.paid alone. */
const PAYLOADS: Readonly<Record<string, (record: never) => Fields>> = {
	'product.created': productPayload,
	'product.updated': productPayload,
	'customer.created': ({ id }: ShopRecords['customers']) => ({ id }),
	'customer.updated': ({ id }: ShopRecords['customers']) => ({ id }),
	'order.created': orderPayload,
};

function productPayload({ id, title, handle, status }: ShopRecords['products']) {
	return { id, title, handle, status };
}

function emitChange(
	shop: Shop,
	kind: Written,
	what: 'created' | 'updated',
	record: object,
): string[] {
	const event = `${kind.slice(0, -1)}.${what}`;
	return event in PAYLOADS ? shop.emit(event, PAYLOADS[event](record as never)) : [];
}

/** Creates a record. Emits `<kind>.created` if there is such an event. */
export function create<K extends Written>(shop: Shop, kind: K, fields: Fields) {
	const record = add(shop, kind, fields);
	return { record, deliveryIds: emitChange(shop, kind, 'created', record) };
}

/**
 * Changes these fields of a record. Emits `<kind>.updated` if there is such an event.
 *
 * @throws Refusal NOT_FOUND
 */
export function update<K extends Written>(
	shop: Shop,
	kind: K,
	id: string,
	fields: Fields,
): ShopRecords[K] {
	const { index } = shop.find(kind, id);
	requireWritable(fields);
	const change = (old: object, at: number) => ({ ...old, ...fields, updated_at: iso(at) });
	const record = shop.collection(kind).replace(index, change as never);
	emitChange(shop, kind, 'updated', record);
	return record;
}
