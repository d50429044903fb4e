import { newProduct } from './catalog';
import { iso } from './clock';
import { newCustomer } from './customer';
import type { Collection } from './collection';
import type { Shop } from './shop';

type Fields = Record<string, unknown>;

/** A new record of each kind whose times can be written by hand; a stock level needs its product. */
const NEW = {
	products: (shop: Shop, fields: Fields, index: number, at: number): Fields =>
		newProduct(shop, { title: 'Late', ...fields }, index, at),
	orders: (shop: Shop, fields: Fields, index: number, at: number): Fields => {
		const times = { created_at: iso(at), updated_at: iso(at) };
		return { ...shop.makeOrder(index, 'created', times), ...fields };
	},
	customers: newCustomer as (shop: Shop, fields: Fields, index: number, at: number) => Fields,
	inventory: undefined,
};

/** Kinds of records whose times can be written by hand. */
export type DatedKind = keyof typeof NEW;

export interface DatedWrite {
	/** The record to change; a new one is made if absent. Inventory: `"<sku>@<location_id>"`. */
	id?: string;
	fields?: Fields;
	/** ISO 8601; now, if absent. May lie before the changes that are visible already. */
	updatedAt?: string;
}

/** @throws RangeError for a kind without times. */
function recordsOf(shop: Shop, kind: DatedKind): Collection<Fields> {
	if (!Object.hasOwn(NEW, kind)) throw new RangeError(`The times of ${kind} cannot be written`);
	return shop.collection(kind) as unknown as Collection<Fields>;
}

/** @throws RangeError for a time that is none. */
function timeOf(shop: Shop, updatedAt: string | undefined): number {
	const at = updatedAt === undefined ? shop.clock.now() : Date.parse(updatedAt);
	if (Number.isNaN(at)) throw new RangeError(`${updatedAt} is no time`);
	return at;
}

/**
 * Writes a record with a chosen `updated_at`. No event is emitted.
 *
 * @throws RangeError for an unknown kind or record, or a time that is none.
 */
export function writeRecord(
	shop: Shop,
	kind: DatedKind,
	{ id, fields = {}, updatedAt }: DatedWrite = {},
): { id: string; updated_at: string } {
	const at = timeOf(shop, updatedAt);
	const updated_at = iso(at);
	const records = recordsOf(shop, kind);
	if (id === undefined) {
		const make = NEW[kind];
		if (!make) throw new RangeError(`A write to ${kind} names its record`);
		const record = records.add((index) => make(shop, fields, index, at), at);
		return { id: String(record.id), updated_at };
	}
	const index = shop.indexOf(kind, id);
	if (index === undefined || !records.get(index)) throw new RangeError(`There is no ${id}`);
	records.replace(index, (old) => ({ ...old, ...fields, updated_at }), at);
	return { id, updated_at };
}

/**
 * Gives the first `count` records of a kind one and the same `updated_at`.
 *
 * @throws RangeError for an unknown kind or a time that is none.
 */
export function touch(
	shop: Shop,
	kind: DatedKind,
	{ count = Infinity, updatedAt }: { count?: number; updatedAt?: string } = {},
): { count: number; updated_at: string } {
	const at = timeOf(shop, updatedAt);
	const updated_at = iso(at);
	const records = recordsOf(shop, kind);
	const places: number[] = [];
	for (const { index } of records.entries({ order: 'created', descending: false })) {
		if (places.length >= count) break;
		places.push(index);
	}
	for (const index of places) records.replace(index, (old) => ({ ...old, updated_at }), at);
	return { count: places.length, updated_at };
}
