import { iso, timeline } from './clock';

/** Records that are made when they are read. */
export interface Source<T> {
	/** Indices 0..size-1 belong to generated records. */
	readonly size: number;
	/** How many of them hold one. */
	readonly count: number;
	generate(index: number): T | undefined;
	/** Time of making in ms; rises with the index. */
	createdAt(index: number): number;
	/** Time of the last change in ms; rises with the index. */
	updatedAt(index: number): number;
}

/** What a function that gives a source gives records of. */
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

/** A record and its place in the order that it was read in. */
export interface Entry<T> {
	/** Rises in the chosen order and never changes until the record is written. */
	position: number;
	index: number;
	/** Time of the last change in ms. */
	updatedAt: number;
	value: T;
}

/** Which entries to read. Times in ms, both ends included. */
export interface Range {
	order: Order;
	descending: boolean;
	/** Only what comes behind this position. */
	after?: number;
	createdFrom?: number;
	createdUntil?: number;
	updatedFrom?: number;
}

interface Written<T> {
	revision: number;
	createdAt: number;
	updatedAt: number;
	/** `null` = deleted. */
	value: T | null;
}

/** The first of 0..length-1 for which `reached` holds (it holds for all after it), or `length`. */
function lowerBound(length: number, reached: (at: number) => boolean): number {
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (reached(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** The numbers from `from` up to, but without, `to`, and only those behind `after`. */
function* counted(from: number, to: number, descending: boolean, after?: number) {
	if (descending) for (let n = Math.min(to, after ?? to) - 1; n >= from; n--) yield n;
	else for (let n = Math.max(from, (after ?? -1) + 1); n < to; n++) yield n;
}

/**
 * Generated records with what was written since laid over them. Memory grows with the writes, not
 * with the size. Orders by creation and by last change cost nothing: the one is the index, the other
 * the index of what was never written, followed by the revision of what was.
 */
export class Collection<T extends object> {
	private readonly written = new Map<number, Written<T>>();
	/** Indices in the order of writing; stale where `written` knows a later revision. */
	private log: Array<{ revision: number; index: number }> = [];
	private nextIndex: number;
	private nextRevision: number;
	private alive: number;
	private latestChange = -Infinity;
	/** Whether the order of writing is the order of `updatedAt` (always, unless a write said otherwise). */
	isInOrder = true;
	/** Changes with every write; for caches. */
	version = 0;

	constructor(
		private readonly source: Source<T>,
		private readonly now: () => number,
	) {
		this.nextIndex = source.size;
		this.nextRevision = source.size;
		this.alive = source.count;
	}

	get count(): number {
		return this.alive;
	}

	get(index: number): T | undefined {
		const written = this.written.get(index);
		if (written) return written.value ?? undefined;
		return index >= 0 && index < this.source.size ? this.source.generate(index) : undefined;
	}

	/**
	 * Adds the record that `make` gives for the new index and the time of the change.
	 *
	 * @param at that time in ms; now, if absent.
	 */
	add(make: (index: number, at: number) => T, at = this.now()): T {
		const index = this.nextIndex++;
		const value = make(index, at);
		this.write(index, value, at, this.now());
		this.alive++;
		return value;
	}

	/**
	 * Writes what `change` makes of the record there.
	 *
	 * @param at time of the change in ms; now, if absent.
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
		this.alive--;
	}

	/** All entries of a range in its order. */
	*entries(range: Range): Generator<Entry<T>> {
		const indices = range.order === 'created' ? this.byCreation(range) : this.byChange(range);
		for (const index of indices) {
			const entry = this.entry(index, range);
			if (entry) yield entry;
		}
	}

	/** One entry with its position in an order, if it is within the range. */
	entry(index: number, range: Range): Entry<T> | undefined {
		const { order, descending, after } = range;
		const { createdFrom = -Infinity, createdUntil = Infinity, updatedFrom = -Infinity } = range;
		const [createdAt, updatedAt] = [this.createdAt(index), this.updatedAt(index)];
		if (createdAt < createdFrom || createdAt > createdUntil || updatedAt < updatedFrom) {
			return undefined;
		}
		const position = order === 'created' ? index : (this.written.get(index)?.revision ?? index);
		if (after !== undefined && (descending ? position >= after : position <= after)) {
			return undefined;
		}
		const value = this.get(index);
		return value && { index, position, value, updatedAt };
	}

	private *byCreation(range: Range): Generator<number> {
		const { descending, after, createdFrom = -Infinity, createdUntil = Infinity } = range;
		const from = lowerBound(this.nextIndex, (index) => this.createdAt(index) >= createdFrom);
		const to = lowerBound(this.nextIndex, (index) => this.createdAt(index) > createdUntil);
		yield* counted(from, to, descending, after);
	}

	/** Records that were never written come before those that were. */
	private *byChange({ descending, after, updatedFrom = -Infinity }: Range): Generator<number> {
		const { size } = this.source;
		const from = lowerBound(size, (index) => this.source.updatedAt(index) >= updatedFrom);
		const place = (revision: number) =>
			lowerBound(this.log.length, (at) => this.log[at].revision >= revision);
		const [first, last] = [place((after ?? -1) + 1), place(after ?? Infinity)];
		if (!descending) yield* this.unwritten(from, size, descending, after);
		const [start, end] = descending ? [0, last] : [first, this.log.length];
		for (const at of counted(start, end, descending)) {
			if (this.isLatest(at)) yield this.log[at].index;
		}
		if (descending) yield* this.unwritten(from, size, descending, after);
	}

	private *unwritten(...range: Parameters<typeof counted>): Generator<number> {
		for (const index of counted(...range)) if (!this.written.has(index)) yield index;
	}

	private createdAt(index: number): number {
		return this.written.get(index)?.createdAt ?? this.source.createdAt(index);
	}

	private updatedAt(index: number): number {
		return this.written.get(index)?.updatedAt ?? this.source.updatedAt(index);
	}

	private isLatest(at: number): boolean {
		const { index, revision } = this.log[at];
		return this.written.get(index)?.revision === revision;
	}

	private write(
		index: number,
		value: T | null,
		updatedAt: number,
		createdAt = this.createdAt(index),
	): void {
		const { size } = this.source;
		const history = size === 0 ? -Infinity : this.source.updatedAt(size - 1);
		this.isInOrder &&= updatedAt >= this.latestChange && updatedAt >= history;
		this.latestChange = Math.max(this.latestChange, updatedAt);
		const revision = this.nextRevision++;
		this.written.set(index, { revision, value, createdAt, updatedAt });
		this.log.push({ revision, index });
		this.version++;
		if (this.log.length > 2 * this.written.size + 1_000) {
			this.log = this.log.filter((_, at) => this.isLatest(at));
		}
	}
}
