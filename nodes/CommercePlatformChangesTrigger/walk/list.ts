import {
	MEMORY_BOUNDS,
	wholeSecond,
	type ChangesState,
	type ListPlace,
	type ReadingTime,
	type WalkPlace,
} from '../state';
import type { Change } from './change';
import { isRefused, isRefusedSort, type Page, type PageLoop, type Query } from './pages';

/** Oldest first, so that a walk that stops early has read the oldest (API document, "Common query parameters"). */
const SORT = 'updated_at:asc';

/**
 * Goes on in a list by `updated_since` (API document, "What the service does", 5), until its end, or until the poll's
 * limits.
 *
 * The list is sorted by `updated_at`, so each page is asked for by the time that the page before ended with. A cursor
 * is used only within one time, and where the platform refuses to sort or the records show no such times: cursors are
 * opaque, and the document does not say how long one lives.
 */
export class ListWalk {
	/** Where this poll begins. */
	private readonly place: ListPlace;
	private walk: WalkPlace;
	/** How many changes there were when a cursor was refused last. */
	private changesAtRefusal?: number;

	constructor(private readonly loop: PageLoop) {
		this.place = loop.state.place as ListPlace;
		const { sinceMs } = this.place;
		this.walk = this.place.walk ?? { sinceMs, reachedMs: sinceMs, readByCursor: 0 };
	}

	/** @returns false if the poll's limits ended it */
	async run(): Promise<boolean> {
		let isComplete = false;
		try {
			while (!isComplete && this.loop.goesOn()) isComplete = await this.readPage();
		} finally {
			this.loop.state = this.end(isComplete);
		}
		return isComplete;
	}

	/** @returns whether that was the last page */
	private async readPage(): Promise<boolean> {
		let page: Page;
		try {
			page = await this.loop.fetch(this.query());
		} catch (error) {
			if (this.walk.cursor === undefined) this.goOnUnsorted(error);
			else this.goOnWithoutCursor(error);
			return false;
		}
		this.walk = { startedAt: page.askedAt, ...this.walk };
		for (const change of page.changes) this.take(change, page.askedAt);
		if (page.nextCursor === undefined) return true;
		this.walk = this.nextPlace(page, page.nextCursor);
		return false;
	}

	private query(): Query {
		const { sinceMs, cursor, isUnsorted } = this.walk;
		const sort = isUnsorted ? undefined : SORT;
		return { updated_since: new Date(sinceMs).toISOString(), sort, cursor };
	}

	private take(change: Change, { nowMs }: ReadingTime): void {
		const { listMs } = change;
		const { newest } = this.loop.state;
		// A record that is dated before the bound does not show the time that the platform goes by.
		const isShown = listMs >= this.place.sinceMs && listMs <= nowMs;
		if (isShown && listMs > (newest?.timeMs ?? 0))
			this.loop.state = { ...this.loop.state, newest: { timeMs: listMs, readAtMs: nowMs } };
		if (this.wasThere(change)) this.loop.passOver(change);
		else this.loop.take(change, nowMs, this.walk.sinceMs);
	}

	/** Whether it was there when the trigger began: without a time, what the first poll reads. */
	private wasThere({ listMs }: Change): boolean {
		const { fromMs } = this.place;
		if (fromMs === undefined) return false;
		return listMs === 0 ? this.loop.state.revision === 1 : listMs < fromMs;
	}

	/** Where the page after this one is. */
	private nextPlace({ changes, askedAt }: Page, cursor: string): WalkPlace {
		const { walk, loop } = this;
		const times = changes.map(({ listMs }) => listMs);
		const lastMs = times.at(-1) ?? 0;
		const afterCursor = { ...walk, cursor, readByCursor: walk.readByCursor + changes.length };
		// The platform sorts by nothing, or by another time than the records show.
		if (walk.isUnsorted || !isAscending(times)) return afterCursor;
		if (lastMs > walk.reachedMs) loop.behindMs = askedAt.clockMs - lastMs;
		// The page lies within one time, or is dated later than the clock.
		if (lastMs <= walk.sinceMs || lastMs > askedAt.nowMs) return afterCursor;
		// The page ended within several records of one time, with which the next page would begin.
		if (times.at(-2) === lastMs) return { ...walk, cursor, reachedMs: lastMs };
		return { ...walk, cursor: undefined, sinceMs: lastMs, reachedMs: lastMs };
	}

	/** Goes on without the sort that the platform refused. @throws the error, where it says something else */
	private goOnUnsorted(error: unknown): void {
		const { walk, loop, place } = this;
		if (walk.isUnsorted || !isRefusedSort(error)) throw error;
		loop.isUnsorted = true;
		this.beginAgain({ ...walk, isUnsorted: true, reachedMs: place.sinceMs });
	}

	/** Goes on without the cursor that the platform refused. @throws the error, where that does not help */
	private goOnWithoutCursor(error: unknown): void {
		const { walk, loop } = this;
		// Refused again before it has brought anything new, it would be refused for ever.
		if (!isRefused(error) || loop.changes.size === this.changesAtRefusal) throw error;
		// What is not remembered would be given again, and the cursor be refused in the same place.
		if (walk.readByCursor > MEMORY_BOUNDS.total)
			throw loop.source.endless(
				`ended a cursor behind ${walk.readByCursor} changes that it does not sort`,
			);
		this.changesAtRefusal = loop.changes.size;
		this.beginAgain(walk);
	}

	/** Reads again from the time up to which everything has been read. */
	private beginAgain(walk: WalkPlace): void {
		this.walk = { ...walk, cursor: undefined, sinceMs: walk.reachedMs, readByCursor: 0 };
		this.loop.beginPass();
	}

	private end(isComplete: boolean): ChangesState {
		const sinceMs = this.nextSinceMs(isComplete);
		if (isComplete) return { ...this.loop.state, place: { kind: 'list', sinceMs } };
		const { place, walk } = this;
		const begun = walk.startedAt === undefined ? undefined : walk;
		return { ...this.loop.state, place: { ...place, sinceMs, walk: begun } };
	}

	/**
	 * The lower bound of the next walk, Unix ms. What changed up to the overlap before this walk began was visible to it.
	 * The newest record tells when that was, because no clock is sure to be the one that writes `updated_at`. Where no
	 * record tells it, the platform's clock does.
	 */
	private nextSinceMs(isComplete: boolean): number {
		const { place, walk, loop } = this;
		const { newest } = loop.state;
		const { startedAt, reachedMs } = walk;
		if (startedAt === undefined) return place.sinceMs;
		const toldMs = startedAt.isPlatformTime ? startedAt.nowMs : 0;
		const beganMs = newest ? newest.timeMs + startedAt.nowMs - newest.readAtMs : toldMs;
		// The next record may be dated right behind the newest one, however late it becomes visible.
		const lastMs = newest ? wholeSecond(newest.timeMs) + 1000 : Infinity;
		const readMs = isComplete ? Infinity : walk.isUnsorted ? 0 : reachedMs;
		const sinceMs = Math.min(beganMs - loop.limits.overlapMs, lastMs, readMs);
		return Math.max(place.sinceMs, wholeSecond(sinceMs));
	}
}

/** Whether records stand in the order of their times; what carries none is in no order. */
const isAscending = (times: readonly number[]): boolean =>
	times.every((timeMs, n) => timeMs > 0 && (n === 0 || timeMs >= times[n - 1]));
