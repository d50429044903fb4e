import { compare, type Collection, type Order, type Place, type Range } from '../shop/collection';

type SortValue = string | number;

/** What a request for a list knows about its records. */
export interface ListSpec<T extends object> {
	name: string;
	collection: Collection<T>;
	/** Whitelist of sort fields: an order that the collection keeps by itself, or the value of a record to sort by. */
	sorts: Readonly<Record<string, Order | ((record: T) => SortValue)>>;
	/** Allowed values of the status filter. */
	statuses: readonly string[];
	/** Whether a record passes the resource's own filters (status, sku, q, …). */
	matches(record: T): boolean;
	/** Indices among which all matches are, where an index knows them. */
	candidates?: number[];
	/** The place that a walk without a cursor begins behind. */
	start?: Place;
	/** The record as the list shows it. */
	present(record: T): unknown;
}

export interface Selection<T> extends Omit<Range, 'order'> {
	key: Order | ((record: T) => SortValue);
	count: number;
}

export type Chosen<T> = { place: Place; value: T };

/** The first `count` records behind a place that pass the filters, in the order of the sort. */
export function select<T extends object>(
	{ collection, candidates, matches }: ListSpec<T>,
	{ key, count, after, ...want }: Selection<T>,
): Array<Chosen<T>> {
	const isKept = typeof key === 'string';
	const range = isKept ? { ...want, order: key, after } : { ...want, order: 'created' as const };
	const chosen: Array<Chosen<T>> = [];
	const entries = candidates
		? candidates.flatMap((index) => collection.entry(index, range) ?? [])
		: collection.entries(range);
	for (const { value, place } of entries) {
		if (!matches(value)) continue;
		chosen.push({ value, place: isKept ? place : [key(value), place[1]] });
		if (isKept && !candidates && chosen.length === count) return chosen;
	}
	const sign = want.descending ? -1 : 1;
	return chosen
		.filter(({ place }) => after === undefined || sign * compare(place, after) > 0)
		.sort((one, other) => sign * compare(one.place, other.place))
		.slice(0, count);
}
