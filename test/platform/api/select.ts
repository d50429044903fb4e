import type { Collection, Entry, Order, Range } from '../shop/collection';
import type { Place } from './cursor';
import type { Query } from './query';

type SortValue = string | number;

/** An order that the collection keeps by itself, or the value of a record to sort by. */
export type SortKey<T> = Order | ((record: T) => SortValue);

/** What one list endpoint knows about its records. */
export interface ListSpec<T extends object> {
	name: string;
	collection: Collection<T>;
	/** Whitelist of sort fields. */
	sorts: Readonly<Record<string, SortKey<T>>>;
	/** Allowed values of the status filter. */
	statuses: readonly string[];
	/** Whether a record passes the resource's own filters (status, sku, q, …). */
	matches(record: T, query: Query): boolean;
	/** Indices among which all matches are, where an index knows them. */
	candidates(query: Query): number[] | undefined;
	/** The position that a walk without a cursor begins behind. */
	start(query: Query): number | undefined;
	/** The record as the list shows it. */
	present(record: T): unknown;
}

export interface Selection<T> {
	sort: { key: SortKey<T>; descending: boolean };
	createdFrom?: number;
	createdUntil?: number;
	updatedFrom?: number;
	query: Query;
	after?: Place;
	count: number;
}

export interface Chosen<T> {
	place: Place;
	value: T;
}

/** The first `count` records behind a place that pass the filters, in the order of the sort. */
export function select<T extends object>(spec: ListSpec<T>, want: Selection<T>): Array<Chosen<T>> {
	const { key } = want.sort;
	if (typeof key === 'function') {
		return selectByValue(spec, want, 'created', ({ value }) => key(value));
	}
	return key === 'updated' && !spec.collection.isInOrder
		? selectByValue(spec, want, 'updated', ({ updatedAt }) => updatedAt)
		: selectInOrder(spec, want, key);
}

function selectInOrder<T extends object>(
	spec: ListSpec<T>,
	want: Selection<T>,
	order: Order,
): Array<Chosen<T>> {
	const after = Array.isArray(want.after) ? want.after[1] : want.after;
	const chosen: Array<Chosen<T>> = [];
	const range = { ...want, order, descending: want.sort.descending, after };
	for (const { value, position, updatedAt } of entriesOf(spec, want.query, range)) {
		if (!spec.matches(value, want.query)) continue;
		// A walk by the last change has the time in its places, in case records come out of order later.
		chosen.push({ place: order === 'updated' ? [updatedAt, position] : position, value });
		if (chosen.length === want.count) break;
	}
	return chosen;
}

/** Looks at every record and keeps the best; memory stays at a few pages. */
function selectByValue<T extends object>(
	spec: ListSpec<T>,
	want: Selection<T>,
	order: Order,
	valueOf: (entry: Entry<T>) => SortValue,
): Array<Chosen<T>> {
	const sign = want.sort.descending ? -1 : 1;
	const compare = ([a, i]: [SortValue, number], [b, k]: [SortValue, number]) =>
		sign * (a < b ? -1 : a > b ? 1 : i - k);
	const after = Array.isArray(want.after) ? want.after : undefined;
	let best: Array<{ place: [SortValue, number]; value: T }> = [];
	const prune = () => {
		best = best.sort((a, b) => compare(a.place, b.place)).slice(0, want.count);
	};
	const range = { ...want, order, descending: false, after: undefined };
	for (const entry of entriesOf(spec, want.query, range)) {
		const place: [SortValue, number] = [valueOf(entry), entry.position];
		if (after && compare(place, after) <= 0) continue;
		if (!spec.matches(entry.value, want.query)) continue;
		best.push({ place, value: entry.value });
		if (best.length > 8 * want.count) prune();
	}
	prune();
	return best;
}

function entriesOf<T extends object>(
	spec: ListSpec<T>,
	query: Query,
	range: Range,
): Iterable<Entry<T>> {
	const candidates = spec.candidates(query);
	if (!candidates) return spec.collection.entries(range);
	const sign = range.descending ? -1 : 1;
	return candidates
		.map((index) => spec.collection.entry(index, range))
		.filter((entry) => entry !== undefined)
		.sort((a, b) => sign * (a.position - b.position));
}
