import type { Collection, Entry, Order, Range } from '../shop/collection';
import type { Place } from './cursor';

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
	/** The position that a walk without a cursor begins behind. */
	start?: number;
	/** The record as the list shows it. */
	present(record: T): unknown;
}

export interface Selection<T> extends Pick<Range, 'createdFrom' | 'createdUntil' | 'updatedFrom'> {
	sort: { key: Order | ((record: T) => SortValue); descending: boolean };
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
	for (const { value, position, updatedAt } of entriesOf(spec, range)) {
		if (!spec.matches(value)) continue;
		// A walk by the last change has the time in its places, in case records come out of order later.
		chosen.push({ place: order === 'updated' ? [updatedAt, position] : position, value });
		if (chosen.length === want.count) break;
	}
	return chosen;
}

/** Looks at every record. */
function selectByValue<T extends object>(
	spec: ListSpec<T>,
	want: Selection<T>,
	order: Order,
	valueOf: (entry: Entry<T>) => SortValue,
): Array<Chosen<T>> {
	const sign = want.sort.descending ? -1 : 1;
	const compare = ([a, i]: [SortValue, number], [b, k]: [SortValue, number]) =>
		sign * (a < b ? -1 : a > b ? 1 : i - k);
	const found: Array<{ place: [SortValue, number]; index: number }> = [];
	for (const entry of entriesOf(spec, { ...want, order, descending: false, after: undefined })) {
		const place: [SortValue, number] = [valueOf(entry), entry.position];
		const isBehind = !Array.isArray(want.after) || compare(place, want.after) > 0;
		if (isBehind && spec.matches(entry.value)) found.push({ place, index: entry.index });
	}
	return found
		.sort((one, other) => compare(one.place, other.place))
		.slice(0, want.count)
		.map(({ place, index }) => ({ place, value: spec.collection.get(index)! }));
}

function entriesOf<T extends object>(
	{ collection, candidates }: ListSpec<T>,
	range: Range,
): Iterable<Entry<T>> {
	if (!candidates) return collection.entries(range);
	const sign = range.descending ? -1 : 1;
	return candidates
		.map((index) => collection.entry(index, range))
		.filter((entry) => entry !== undefined)
		.sort((a, b) => sign * (a.position - b.position));
}
