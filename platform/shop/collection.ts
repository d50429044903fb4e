import { iso, timeline } from './clock';

/** Records that are generated when they are read. */
export interface Source<T> {
	/** Indices 0..size-1 belong to generated records. */
	readonly size: number;
	/** How many of these indices have a record. */
	readonly count: number;
	generate(index: number): T | undefined;
	/** Time of creation in ms; rises with the index. */
	createdAt(index: number): number;
	/** Time of the last change in ms; rises with the index. */
	updatedAt(index: number): number;
}

/** The type of the records in the source that a function returns. */
export type RecordOf<Make extends (...args: never[]) => Source<unknown>> =
	ReturnType<Make> extends Source<infer T> ? T & object : never;

/** A source of `size` records with times spread over the year before `today`. */
export function generated<T>(
	size: number,
	today: number,
	generate: (index: number, times: { created_at: string; updated_at: string }) => T | undefined,
	count = size,
): Source<T> {
	const { createdAt, updatedAt } = timeline(size, today);
	const timesOf = (index: number) => ({
		created_at: iso(createdAt(index)),
		updated_at: iso(updatedAt(index)),
	});
	return {
		size,
		count,
		createdAt,
		updatedAt,
		generate: (index) => generate(index, timesOf(index)),
	};
}

export type Order = 'created' | 'updated';

/** A record's place in an order: a value, then a number that only a write of the record changes. */
export type Place = readonly [value: string | number, position: number];

export const compare = ([a, i]: Place, [b, k]: Place): number => (a < b ? -1 : a > b ? 1 : i - k);

export interface Entry<T> {
	index: number;
	/** Its place in the order in which it was read. */
	place: Place;
	value: T;
}

/** Which entries to read. Times in ms, both ends included. */
export interface Range {
	order: Order;
	descending: boolean;
	/** Only entries after this place. */
	after?: Place;
	createdFrom?: number;
	createdUntil?: number;
	updatedFrom?: number;
}

/** An index with its place in an order, and the time that a range compares. */
interface Spot {
	index: number;
	time: number;
	place: Place;
}

interface Written<T> {
	createdAt: number;
	change: Spot;
	/** `null` = deleted. */
	value: T | null;
}

/** The first number in 0..length-1 for which `reached` holds (it then holds for all later ones), or `length`. */
function lowerBound(length: number, reached: (n: number) => boolean): number {
	// A new write comes after all others.
	if (length > 0 && !reached(length - 1)) return length;
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (reached(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** The spots within a range. Time and place rise with n. */
function* within(
	length: number,
	spotAt: (n: number) => Spot,
	{ descending, after }: Range,
	[from = -Infinity, until = Infinity]: Array<number | undefined>,
): Generator<Spot, undefined> {
	const compareWithAfter = (n: number) =>
		after ? compare(spotAt(n).place, after) : descending ? -1 : 1;
	const isFrom = (n: number) => spotAt(n).time >= from && (descending || compareWithAfter(n) > 0);
	const isBeyond = (n: number) =>
		spotAt(n).time > until || (descending && compareWithAfter(n) >= 0);
	const [start, end] = [lowerBound(length, isFrom), lowerBound(length, isBeyond)];
	if (descending) for (let n = end - 1; n >= start; n--) yield spotAt(n);
	else for (let n = start; n < end; n++) yield spotAt(n);
}

/**
 * Generated records, and the writes since. Memory grows with the writes, not with the size. Reading in the order of
 * creation or of the last change is cheap: the first is the order of the indices, the second merges the unwritten
 * records with the written ones.
 */
export class Collection<T extends object> {
	private readonly written = new Map<number, Written<T>>();
	/** The last change of every written record that still exists, in their order. */
	private readonly changes: Spot[] = [];
	private nextIndex: number;
	/** When the newest record was created, in ms; the next one is not created before it. */
	private lastCreatedAt: number;
	/** Rises with every write; for caches. */
	version: number;
	count: number;

	constructor(
		private readonly source: Source<T>,
		private readonly now: () => number,
	) {
		this.nextIndex = source.size;
		this.lastCreatedAt = source.size === 0 ? -Infinity : source.createdAt(source.size - 1);
		this.version = source.size;
		this.count = source.count;
	}

	get(index: number): T | undefined {
		const written = this.written.get(index);
		if (written) return written.value ?? undefined;
		return index >= 0 && index < this.source.size ? this.source.generate(index) : undefined;
	}

	/**
	 * Adds the record that `make` returns for the new index, the time of the change and the time of creation.
	 *
	 * @param at time of the change in ms; now, if absent. The record is created then, but not before the newest one: the
	 *   order of the indices is the order of creation
	 */
	add(make: (index: number, at: number, createdAt: number) => T, at = this.now()): T {
		const index = this.nextIndex++;
		this.lastCreatedAt = Math.max(this.lastCreatedAt, at);
		const value = make(index, at, this.lastCreatedAt);
		this.write(index, value, at, this.lastCreatedAt);
		this.count++;
		return value;
	}

	/**
	 * Replaces the record at an index by the one that `change` returns.
	 *
	 * @param at time of the change in ms; now, if absent
	 */
	replace(index: number, change: (old: T, at: number) => T, at = this.now()): T {
		const old = this.get(index);
		if (old === undefined) throw new RangeError(`No record at ${index}`);
		const value = change(old, at);
		this.write(index, value, at);
		return value;
	}

	remove(index: number): void {
		if (this.get(index) === undefined) return;
		this.write(index, null, this.now());
		this.count--;
	}

	/** All entries of a range, in its order. */
	*entries(range: Range): Generator<Entry<T>> {
		const spots = range.order === 'created' ? this.byCreation(range) : this.byChange(range);
		for (const { index } of spots) {
			const entry = this.entry(index, range);
			if (entry) yield entry;
		}
	}

	/** One entry with its place in an order, if its times are within the range. */
	entry(index: number, range: Range): Entry<T> | undefined {
		const { createdFrom = -Infinity, createdUntil = Infinity, updatedFrom = -Infinity } = range;
		const { createdAt, change } = this.written.get(index) ?? this.unwritten(index);
		if (createdAt < createdFrom || createdAt > createdUntil || change.time < updatedFrom) {
			return undefined;
		}
		const value = this.get(index);
		return value && { index, value, place: range.order === 'created' ? [0, index] : change.place };
	}

	private unwritten(index: number): Omit<Written<T>, 'value'> {
		const time = this.source.updatedAt(index);
		return {
			createdAt: this.source.createdAt(index),
			change: { index, time, place: [time, index] },
		};
	}

	private byCreation(range: Range): Generator<Spot> {
		const spotAt = (index: number): Spot => {
			const { createdAt: time } = this.written.get(index) ?? this.unwritten(index);
			return { index, time, place: [0, index] };
		};
		return within(this.nextIndex, spotAt, range, [range.createdFrom, range.createdUntil]);
	}

	private *byChange(range: Range): Generator<Spot> {
		const changesOf = (length: number, read: (n: number) => Spot) =>
			within(length, read, range, [range.updatedFrom]);
		const unwritten = changesOf(this.source.size, (n) => this.unwritten(n).change);
		const written = changesOf(this.changes.length, (n) => this.changes[n]);
		let [unwrittenSpot, writtenSpot] = [unwritten.next().value, written.next().value];
		while (unwrittenSpot ?? writtenSpot) {
			const isUnwrittenFirst =
				unwrittenSpot &&
				(!writtenSpot || compare(unwrittenSpot.place, writtenSpot.place) < 0 !== range.descending);
			if (!isUnwrittenFirst) yield writtenSpot!;
			else if (!this.written.has(unwrittenSpot!.index)) yield unwrittenSpot!;
			if (isUnwrittenFirst) unwrittenSpot = unwritten.next().value;
			else writtenSpot = written.next().value;
		}
	}

	/** Where a change stands, or is to stand, among all changes. */
	private numberOf({ place }: Spot): number {
		return lowerBound(this.changes.length, (n) => compare(this.changes[n].place, place) >= 0);
	}

	private write(index: number, value: T | null, time: number, createdAt?: number): void {
		const { changes } = this;
		const change: Spot = { index, time, place: [time, this.version++] };
		// A new record has not changed before.
		const before =
			createdAt === undefined ? (this.written.get(index) ?? this.unwritten(index)) : { createdAt };
		if ('change' in before) {
			const previous = this.numberOf(before.change);
			if (changes[previous] === before.change) changes.splice(previous, 1);
		}
		const number = value === null ? undefined : this.numberOf(change);
		if (number === changes.length) changes.push(change);
		else if (number !== undefined) changes.splice(number, 0, change);
		this.written.set(index, { value, change, createdAt: before.createdAt });
	}
}
