import { lowerBound } from './lowerBound';

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
	private readonly reserved = new Map<number, number>();
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

	/** Adds the record that `make` gives for the new index and the time in ms. */
	add(make: (index: number, at: number) => T): T {
		const index = this.nextIndex++;
		const at = this.now();
		const value = make(index, at);
		this.write({ index, value, createdAt: at, updatedAt: at });
		this.alive++;
		return value;
	}

	/** Keeps a place for a record that is written later. @returns its index. */
	reserve(): number {
		const index = this.nextIndex++;
		this.reserved.set(index, this.now());
		return index;
	}

	/** Writes a record into a reserved place. Times in ms. */
	fill(index: number, value: T, updatedAt: number): T {
		this.write({ index, value, createdAt: this.createdAt(index), updatedAt });
		this.reserved.delete(index);
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
		this.write({ index, value, createdAt: this.createdAt(index), updatedAt: at });
		return value;
	}

	/** @returns whether there was such a record. */
	remove(index: number): boolean {
		if (this.get(index) === undefined) return false;
		const createdAt = this.createdAt(index);
		this.write({ index, value: null, createdAt, updatedAt: this.now() });
		this.alive--;
		return true;
	}

	/** All entries of a range in its order. */
	*entries(range: Range): Generator<Entry<T>> {
		const places = range.order === 'created' ? this.byCreation(range) : this.byChange(range);
		for (const { index, position } of places) {
			if (!this.within(index, range)) continue;
			const value = this.get(index);
			if (value !== undefined) yield { index, position, value, updatedAt: this.updatedAt(index) };
		}
	}

	/** One entry with its position in an order, if it is within the range. */
	entry(index: number, range: Range): Entry<T> | undefined {
		const value = this.get(index);
		if (value === undefined || !this.within(index, range)) return undefined;
		const position =
			range.order === 'created' ? index : (this.written.get(index)?.revision ?? index);
		const behind =
			range.after === undefined ||
			(range.descending ? position < range.after : position > range.after);
		return behind ? { index, position, value, updatedAt: this.updatedAt(index) } : undefined;
	}

	private *byCreation(range: Range): Generator<{ index: number; position: number }> {
		const from = this.firstCreated(range.createdFrom ?? -Infinity);
		const to = this.firstCreated((range.createdUntil ?? Infinity) + 1) - 1;
		if (range.descending) {
			const start = Math.min(to, (range.after ?? Infinity) - 1);
			for (let index = start; index >= from; index--) yield { index, position: index };
		} else {
			const start = Math.max(from, (range.after ?? -1) + 1);
			for (let index = start; index <= to; index++) yield { index, position: index };
		}
	}

	private *byChange(range: Range): Generator<{ index: number; position: number }> {
		if (range.descending) {
			yield* this.writtenBackwards(range.after ?? Infinity);
			const start = Math.min(this.source.size, range.after ?? Infinity) - 1;
			for (let index = start; index >= 0; index--) {
				if (this.source.updatedAt(index) < (range.updatedFrom ?? -Infinity)) return;
				if (!this.written.has(index)) yield { index, position: index };
			}
			return;
		}
		const first = this.firstUnchangedSince(range.updatedFrom ?? -Infinity);
		const start = Math.max(first, (range.after ?? -1) + 1);
		for (let index = start; index < this.source.size; index++) {
			if (!this.written.has(index)) yield { index, position: index };
		}
		yield* this.writtenForwards(range.after ?? -1);
	}

	private *writtenForwards(after: number): Generator<{ index: number; position: number }> {
		for (let at = this.firstInLog(after + 1); at < this.log.length; at++) {
			const { index, revision } = this.log[at];
			if (this.written.get(index)?.revision === revision) yield { index, position: revision };
		}
	}

	private *writtenBackwards(before: number): Generator<{ index: number; position: number }> {
		for (let at = this.firstInLog(before) - 1; at >= 0; at--) {
			const { index, revision } = this.log[at];
			if (this.written.get(index)?.revision === revision) yield { index, position: revision };
		}
	}

	private within(index: number, range: Range): boolean {
		const { createdFrom, createdUntil, updatedFrom } = range;
		if (createdFrom !== undefined && this.createdAt(index) < createdFrom) return false;
		if (createdUntil !== undefined && this.createdAt(index) > createdUntil) return false;
		return updatedFrom === undefined || this.updatedAt(index) >= updatedFrom;
	}

	private createdAt(index: number): number {
		return (
			this.written.get(index)?.createdAt ?? this.reserved.get(index) ?? this.source.createdAt(index)
		);
	}

	private updatedAt(index: number): number {
		return this.written.get(index)?.updatedAt ?? this.source.updatedAt(index);
	}

	private firstCreated(from: number): number {
		return lowerBound(this.nextIndex, (index) => this.createdAt(index) >= from);
	}

	private firstUnchangedSince(from: number): number {
		return lowerBound(this.source.size, (index) => this.source.updatedAt(index) >= from);
	}

	private firstInLog(revision: number): number {
		return lowerBound(this.log.length, (at) => this.log[at].revision >= revision);
	}

	private write({ index, ...written }: Omit<Written<T>, 'revision'> & { index: number }): void {
		const revision = this.nextRevision++;
		this.isInOrder &&=
			written.updatedAt >= this.latestChange && this.isAfterHistory(written.updatedAt);
		this.latestChange = Math.max(this.latestChange, written.updatedAt);
		this.written.set(index, { revision, ...written });
		this.log.push({ revision, index });
		this.version++;
		if (this.log.length > 2 * this.written.size + 1_000) this.compact();
	}

	private isAfterHistory(at: number): boolean {
		return this.source.size === 0 || at >= this.source.updatedAt(this.source.size - 1);
	}

	private compact(): void {
		this.log = this.log.filter(
			({ index, revision }) => this.written.get(index)?.revision === revision,
		);
	}
}
