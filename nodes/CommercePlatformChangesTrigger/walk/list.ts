import {
	MEMORY_BOUNDS,
	wholeSecond,
	type ChangesState,
	type ListPlace,
	type WalkPlace,
} from '../state';
import type { Change } from './change';
import { isRefused, type ChangesPage, type PageLoop, type Query } from './pages';

/**
 * Oldest first, so that a walk that stops early has read the oldest records (API document, "Common query parameters").
 */
const SORT = 'updated_at:asc';

/**
 * Reads on in a list by `updated_since` (API document, "What the service does", 5), to its end or to the poll's limits.
 *
 * The list is sorted by `updated_at`, so each page is asked for by the time at which the page before ended. Cursors are
 * opaque, and the document does not say how long one lives. So a cursor is used only within records of one time, or if
 * the records show no such times.
 */
export class ListWalk {
	/** The place at which this poll begins. */
	private readonly listPlace: ListPlace;
	private walkPlace: WalkPlace;
	/** How many changes there were when a cursor was last refused. */
	private changesAtRefusal?: number;

	constructor(private readonly loop: PageLoop) {
		this.listPlace = loop.state.place as ListPlace;
		const { sinceMs } = this.listPlace;
		this.walkPlace = this.listPlace.walk ?? { sinceMs, reachedMs: sinceMs, readByCursor: 0 };
	}

	/** @returns false if the poll's limits ended it */
	async run(): Promise<boolean> {
		let isComplete = false;
		try {
			while (!isComplete && this.loop.mayReadMore()) {
				isComplete = await this.readPage();
				this.loop.countPage();
			}
		} finally {
			this.loop.state = this.endState(isComplete);
		}
		return isComplete;
	}

	/** @returns whether that was the last page */
	private async readPage(): Promise<boolean> {
		let page: ChangesPage;
		try {
			page = await this.loop.fetch(this.query());
		} catch (error) {
			this.goOnWithoutCursor(error);
			return false;
		}
		this.walkPlace = { startedMs: page.askedMs, ...this.walkPlace };
		for (const change of page.changes) this.add(change);
		if (page.nextCursor === undefined) return true;
		this.walkPlace = this.nextPlace(page, page.nextCursor);
		return false;
	}

	private query(): Query {
		const { sinceMs, cursor } = this.walkPlace;
		return { updated_since: new Date(sinceMs).toISOString(), sort: SORT, cursor };
	}

	private add(change: Change): void {
		if (this.changedBeforeStart(change)) this.loop.markAsEmitted(change);
		else this.loop.addIfChanged(change, this.walkPlace.sinceMs);
	}

	/** Whether the record last changed before the trigger began. If it shows no time: whether this is the first poll. */
	private changedBeforeStart({ timeMs }: Change): boolean {
		const { fromMs } = this.listPlace;
		if (fromMs === undefined) return false;
		return timeMs === 0 ? this.loop.state.revision === 1 : timeMs < fromMs;
	}

	/** The place of the page after this one. */
	private nextPlace({ changes, askedMs }: ChangesPage, cursor: string): WalkPlace {
		const { walkPlace } = this;
		const times = changes.map(({ timeMs }) => timeMs);
		const lastMs = times.at(-1) ?? 0;
		const afterCursor = {
			...walkPlace,
			cursor,
			readByCursor: walkPlace.readByCursor + changes.length,
		};
		// The list is sorted by a time that the records do not show.
		if (!isAscending(times)) return afterCursor;
		// All records of the page have one time, or the last time is in the future.
		if (lastMs <= walkPlace.sinceMs || lastMs > askedMs) return afterCursor;
		// The last records have one time, and the next page may hold more of them.
		if (times.at(-2) === lastMs) return { ...walkPlace, cursor, reachedMs: lastMs };
		return { ...walkPlace, cursor: undefined, sinceMs: lastMs, reachedMs: lastMs };
	}

	/** Goes on without the cursor that the platform refused. @throws the error, if that does not help */
	private goOnWithoutCursor(error: unknown): void {
		const { walkPlace, loop } = this;
		// If nothing new was read since the last refusal, the platform would refuse for ever.
		if (walkPlace.cursor === undefined || !isRefused(error)) throw error;
		if (loop.changes.size === this.changesAtRefusal) throw error;
		// More records were read by cursor than are remembered. The next pass would emit the forgotten ones again, and end
		// in the same place.
		if (walkPlace.readByCursor > MEMORY_BOUNDS.total)
			throw loop.source.endlessError(
				`refused a cursor after ${walkPlace.readByCursor} records that can be read by cursor only`,
			);
		this.changesAtRefusal = loop.changes.size;
		this.beginAgain(walkPlace);
	}

	/** Reads again from the time before which everything has been read. */
	private beginAgain(walkPlace: WalkPlace): void {
		this.walkPlace = {
			...walkPlace,
			cursor: undefined,
			sinceMs: walkPlace.reachedMs,
			readByCursor: 0,
		};
		this.loop.beginPass();
	}

	private endState(isComplete: boolean): ChangesState {
		const sinceMs = this.nextSinceMs(isComplete);
		if (isComplete) return { ...this.loop.state, place: { kind: 'list', sinceMs } };
		const { listPlace, walkPlace } = this;
		const openWalk = walkPlace.startedMs === undefined ? undefined : walkPlace;
		return { ...this.loop.state, place: { ...listPlace, sinceMs, walk: openWalk } };
	}

	/**
	 * The lower bound of the next walk, Unix ms: the platform's time at which this walk began, less the overlap. If the
	 * walk has not ended, no later than the time before which everything has been read.
	 */
	private nextSinceMs(isComplete: boolean): number {
		const { listPlace, walkPlace, loop } = this;
		const { startedMs, reachedMs } = walkPlace;
		if (startedMs === undefined) return listPlace.sinceMs;
		const readUpToMs = isComplete ? Infinity : reachedMs;
		const sinceMs = Math.min(startedMs - loop.limits.overlapMs, readUpToMs);
		return Math.max(listPlace.sinceMs, wholeSecond(sinceMs));
	}
}

/** Whether the times ascend. A record without a time is in no order. */
const isAscending = (times: readonly number[]): boolean =>
	times.every((timeMs, n) => timeMs > 0 && (n === 0 || timeMs >= times[n - 1]));
