import { settled } from '../../shared/errors/errors';
import {
	earliest,
	KEY_BOUNDS,
	ROUNDING_MS,
	wholeSecond,
	type ChangesState,
	type Clocks,
	type ListPlace,
	type Stretch,
} from '../state';
import type { Change } from './change';
import { isRefusedSort, type Page, type PageLoop, type Query } from './pages';

/** Oldest first, so that a walk that stops early has read the oldest (API document, "Common query parameters"). */
const SORT = 'updated_at:asc';

/**
 * Goes on in a list by `updated_since` (API document, "What the service does", 5), until its end, or until
 * the poll's limits.
 *
 * Each page is asked for by the `updated_at` that the page before ended with, and the lower bound follows. A cursor is
 * used only where a whole page lies within one second, where its times do not ascend, and where the platform refuses to
 * sort. So a cursor that is lost costs pages that are read again, and no more.
 */
export class ListWalk {
	private place: ListPlace;
	private stretch: Stretch;
	/** The newest time that an earlier poll has read. */
	private readonly known: ChangesState['newest'];
	/** The `updated_at` that a sorted walk has come to, Unix ms. */
	private reachedMs = -Infinity;
	/** Of the last record of the stretch, Unix ms. */
	private lastMs = -Infinity;

	constructor(private readonly loop: PageLoop) {
		this.place = loop.state.place as ListPlace;
		this.known = loop.state.newest;
		this.stretch = this.place.stretch ?? { sinceMs: this.place.sinceMs, read: 0 };
	}

	/** @returns false where the poll's limits ended it */
	async run(): Promise<boolean> {
		let complete = false;
		try {
			while (!complete && this.loop.goesOn()) complete = !(await this.turn());
		} finally {
			this.loop.state = this.end(complete);
		}
		return complete;
	}

	/** One page, or another way to go on where it was refused. @returns false at the end */
	private async turn(): Promise<boolean> {
		const { sinceMs, cursor, read } = this.stretch;
		const sent = await settled(this.loop.page(this.query()));
		if (sent.status === 'fulfilled') {
			if (sent.value) return this.take(sent.value);
			// What is not remembered would be given again, and the cursor end in the same place.
			if (read <= KEY_BOUNDS.total) return this.readFrom(sinceMs);
			throw this.loop.source.endless(`ended a cursor behind ${read} changes that it does not sort`);
		}
		const isAsked = cursor === undefined && this.loop.state.order !== 'refused';
		if (!isAsked || !isRefusedSort(sent.reason)) throw sent.reason;
		this.know({ order: 'refused' });
		return this.readFrom(this.place.sinceMs);
	}

	private query(): Query {
		const { sinceMs, cursor } = this.stretch;
		const sort = this.loop.state.order === 'refused' ? undefined : SORT;
		return { updated_since: new Date(sinceMs).toISOString(), sort, cursor };
	}

	private know(more: Partial<ChangesState>): void {
		this.loop.state = { ...this.loop.state, ...more };
	}

	/** @returns false at the end */
	private take(page: Page): boolean {
		this.stretch = { ...this.stretch, started: this.stretch.started ?? page.clocks };
		this.collect(page);
		const { changes, nextCursor } = page;
		const isSorted = this.isAscending(changes) && this.loop.state.order !== 'refused';
		if (nextCursor === undefined) return false;
		const isBehind = wholeSecond(this.lastMs) > this.stretch.sinceMs;
		if (isSorted && isBehind) this.goOnByTime();
		else this.stretch = { ...this.stretch, cursor: nextCursor };
		return true;
	}

	private end(complete: boolean): ChangesState {
		const sinceMs = this.provenUpTo(complete ? Infinity : this.reachedMs);
		const stretch = this.stretch.cursor === undefined ? undefined : this.stretch;
		const rest = complete ? {} : { fromMs: this.place.fromMs, stretch };
		return { ...this.loop.state, place: { kind: 'list', sinceMs, ...rest } };
	}

	private collect({ changes, clocks }: Page): void {
		const nowMs = earliest(clocks);
		const { read } = this.stretch;
		let { newest } = this.loop.state;
		for (const change of changes) {
			const isTimed = change.updatedAt !== undefined;
			if (isTimed && change.atMs < this.place.sinceMs - ROUNDING_MS) continue;
			if (isTimed && change.atMs <= nowMs && change.atMs > (newest?.ms ?? -Infinity))
				newest = { ms: change.atMs, read: clocks };
			if (this.wasThere(change)) this.loop.seen.set(change.key, change.atMs);
			else this.loop.add(change);
		}
		this.know({ newest });
		this.stretch = { ...this.stretch, read: read + changes.length };
	}

	/** Whether it was there when the trigger began: without a time, what the first poll reads. */
	private wasThere({ updatedAt, atMs }: Change): boolean {
		const { fromMs } = this.place;
		if (fromMs === undefined) return false;
		return updatedAt === undefined ? this.loop.state.revision === 1 : atMs < fromMs;
	}

	/** Whether the pages of this stretch are in the order of `updated_at`. */
	private isAscending(changes: readonly Change[]): boolean {
		if (changes.length === 0) return false;
		return changes.every(({ updatedAt, atMs }) => {
			const isLater = updatedAt !== undefined && atMs >= this.lastMs;
			this.lastMs = atMs;
			return isLater;
		});
	}

	private goOnByTime(): void {
		this.reachedMs = this.lastMs;
		// The next page begins with what of this second was read already.
		this.lastMs = wholeSecond(this.lastMs);
		this.stretch = { sinceMs: this.lastMs, started: this.stretch.started, read: 0 };
	}

	private readFrom(sinceMs: number): true {
		this.stretch = { sinceMs, started: this.stretch.started, read: 0 };
		this.lastMs = -Infinity;
		this.loop.beginPass();
		return true;
	}

	/**
	 * The lower bound that this walk has proven. What changed up to the overlap before the walk's begin was visible to
	 * it, as the newest record tells the time, or the platform where no record does. Where the newest has been known for
	 * longer than the overlap, everything up to its second was visible.
	 *
	 * @param reachedMs to where everything has been read, Unix ms
	 */
	private provenUpTo(reachedMs: number): number {
		const { known, place, loop, stretch } = this;
		const { started } = stretch;
		if (started === undefined) return place.sinceMs;
		const { overlapMs } = loop.limits;
		const untimedMs = started.platformMs === undefined ? -Infinity : Infinity;
		const newestMs = loop.state.newest?.ms ?? untimedMs;
		const readMs = Math.min(earliest(started), newestMs, reachedMs);
		const bound = Math.max(place.sinceMs, wholeSecond(readMs - overlapMs));
		if (known === undefined) return bound;
		const behindMs = wholeSecond(known.ms) + 1000;
		const isOld = elapsedMs(known.read, started) >= overlapMs + 1000;
		return isOld && wholeSecond(reachedMs) >= behindMs ? Math.max(bound, behindMs) : bound;
	}
}

/** How much time has surely gone by between two readings, ms: what both clocks say. */
function elapsedMs(from: Clocks, to: Clocks): number {
	const local = to.localMs - from.localMs;
	if (from.platformMs === undefined || to.platformMs === undefined) return local;
	return Math.min(local, to.platformMs - from.platformMs);
}
