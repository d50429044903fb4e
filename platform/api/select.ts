import { compare, type Collection, type Order, type Place, type Range } from '../shop/collection';

type SortValue = string | number;

/** What a list is made from: its records, filters and orders. */
export interface ListSpec<T extends object> {
	name: string;
	collection: Collection<T>;
	/**
	 * The allowed sort fields. Each has an order that the collection keeps, or a function that gives the value to sort
	 * by.
	 */
	sorts: Readonly<Record<string, Order | ((record: T) => SortValue)>>;
	/** Allowed values of the status filter. */
	statuses: readonly string[];
	/** Whether a record passes the resource's own filters (status, sku, q, …). */
	matches(record: T): boolean;
	/** Indices of the only records that can match, if an index knows them. */
	candidates?: number[];
	/** The place after which a walk without a cursor begins. */
	start?: Place;
	/** The record as the list shows it. */
	present(record: T): unknown;
}

export interface Selection<T> extends Omit<Range, 'order'> {
	key: Order | ((record: T) => SortValue);
	count: number;
}

export type Chosen<T> = { place: Place; value: T };

/** The first `count` records after a place that pass the filters, in sort order. */
export function select<T extends object>(
	{ collection, candidates, matches }: ListSpec<T>,
	{ key, count, after, ...bounds }: Selection<T>,
): Array<Chosen<T>> {
	const isKeptOrder = typeof key === 'string';
	const range = isKeptOrder
		? { ...bounds, order: key, after }
		: { ...bounds, order: 'created' as const };
	const chosen: Array<Chosen<T>> = [];
	const entries = candidates
		? candidates.flatMap((index) => collection.entry(index, range) ?? [])
		: collection.entries(range);
	for (const { value, place } of entries) {
		if (!matches(value)) continue;
		chosen.push({ value, place: isKeptOrder ? place : [key(value), place[1]] });
		if (isKeptOrder && !candidates && chosen.length === count) return chosen;
	}
	const sign = bounds.descending ? -1 : 1;
	return chosen
		.filter(({ place }) => after === undefined || sign * compare(place, after) > 0)
		.sort((left, right) => sign * compare(left.place, right.place))
		.slice(0, count);
}
