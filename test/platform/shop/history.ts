import { iso } from './clock';
import { newCustomer } from './customer';
import { orderMaker } from './order';
import { newProduct } from './catalog';
import { findLevel } from './stock';
import type { Collection } from './collection';
import type { Shop } from './shop';

/** Kinds of records whose times can be written by hand. */
export type DatedKind = 'products' | 'orders' | 'customers' | 'inventory';

type Fields = Record<string, unknown>;

interface DatedRecords {
	records(shop: Shop): Collection<Fields>;
	index(shop: Shop, id: string): number | undefined;
	id(record: Fields): string;
	/** A new record, where there can be one without a product. */
	make?(shop: Shop, index: number, at: number, fields: Fields): Fields;
}

const idOf = ({ id }: Fields) => String(id);

const DATED: Readonly<Record<DatedKind, DatedRecords>> = {
	products: {
		records: ({ products }) => products as Collection<Fields>,
		index: ({ ids }, id) => ids.products.decode(id),
		id: idOf,
		make: (shop, index, at, fields) => newProduct(shop, { title: 'Late', ...fields }, index, at),
	},
	orders: {
		records: ({ orders }) => orders as Collection<Fields>,
		index: ({ ids }, id) => ids.orders.decode(id),
		id: idOf,
		make: (shop, index, at, fields) => ({
			...orderMaker(shop.size.seed, shop.size)(index, 'created', at, at),
			...fields,
		}),
	},
	customers: {
		records: ({ customers }) => customers as Collection<Fields>,
		index: ({ ids }, id) => ids.customers.decode(id),
		id: idOf,
		make: (shop, index, at, fields) => newCustomer(shop, fields, index, at),
	},
	inventory: {
		records: ({ levels }) => levels as Collection<Fields>,
		index: (shop, id) => {
			const split = id.lastIndexOf('@');
			return findLevel(shop, id.slice(0, split), id.slice(split + 1));
		},
		id: ({ sku, location_id }) => `${String(sku)}@${String(location_id)}`,
	},
};

function datedRecords(kind: DatedKind): DatedRecords {
	if (!Object.hasOwn(DATED, kind)) throw new RangeError(`The times of ${kind} cannot be written`);
	return DATED[kind];
}

export interface DatedWrite {
	/** The record to change; a new one is made if absent. Inventory: `"<sku>@<location_id>"`. */
	id?: string;
	fields?: Fields;
	/** ISO 8601; now, if absent. May lie before the changes that are visible already. */
	updatedAt?: string;
}

/** What was written, and how to make it visible. */
export interface Dated {
	id: string;
	updated_at: string;
	commit(): void;
}

/**
 * Prepares a write that carries a chosen `updated_at` and that nobody sees before `commit`, as a
 * transaction does that takes long. No event is emitted.
 *
 * @throws RangeError for an unknown kind or record, or a time that is none.
 */
export function prepareWrite(shop: Shop, kind: DatedKind, write: DatedWrite): Dated {
	const { id, fields = {}, updatedAt } = write;
	const at = updatedAt === undefined ? shop.clock.now() : Date.parse(updatedAt);
	if (Number.isNaN(at)) throw new RangeError(`${updatedAt} is no time`);
	return id === undefined
		? prepareRecord(shop, kind, fields, at)
		: prepareChange(shop, kind, { id, fields, at });
}

function prepareRecord(shop: Shop, kind: DatedKind, fields: Fields, at: number): Dated {
	const { records, make, id } = datedRecords(kind);
	if (!make) throw new RangeError(`A write to ${kind} names its record`);
	const index = records(shop).reserve();
	const record = make(shop, index, at, fields);
	return {
		id: id(record),
		updated_at: iso(at),
		commit: () => void records(shop).fill(index, record, at),
	};
}

function prepareChange(
	shop: Shop,
	kind: DatedKind,
	{ id, fields, at }: { id: string; fields: Fields; at: number },
): Dated {
	const dated = datedRecords(kind);
	const index = dated.index(shop, id);
	const records = dated.records(shop);
	if (index === undefined || !records.get(index)) throw new RangeError(`There is no ${id}`);
	const change = (old: Fields) => ({ ...old, ...fields, updated_at: iso(at) });
	return { id, updated_at: iso(at), commit: () => void records.replace(index, change, at) };
}

/**
 * Gives the first `count` records of a kind one and the same `updated_at`.
 *
 * @throws RangeError for an unknown kind or a time that is none.
 */
export function touch(
	shop: Shop,
	kind: DatedKind,
	{ count = Infinity, updatedAt }: { count?: number; updatedAt?: string },
): { count: number; updated_at: string } {
	const at = updatedAt === undefined ? shop.clock.now() : Date.parse(updatedAt);
	if (Number.isNaN(at)) throw new RangeError(`${updatedAt} is no time`);
	const { records } = datedRecords(kind);
	const places: number[] = [];
	for (const { index } of records(shop).entries({ order: 'created', descending: false })) {
		if (places.length >= count) break;
		places.push(index);
	}
	const updated_at = iso(at);
	for (const index of places) {
		records(shop).replace(index, (old) => ({ ...old, updated_at }), at);
	}
	return { count: places.length, updated_at };
}
