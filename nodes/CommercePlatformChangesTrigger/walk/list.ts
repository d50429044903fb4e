import { NEWEST_FIRST } from '../../shared/api/pages';
import { settled } from '../../shared/errors/errors';
import {
	afterSetBack,
	earliest,
	elapsedMs,
	ROUNDING_MS,
	startOfWalk,
	wholeSecond,
	type ChangesState,
	type ListPlace,
	type Place,
	type Stretch,
} from '../state';
import type { Change } from './change';
import type { PageLoop, Query, SourcePage, Walk } from './pages';

/** Oldest first, so that a walk that stops early has read the oldest (API document, "Common query parameters"). */
const SORT = 'updated_at:asc';

/** A stretch with more records is not read a second time: not all of them are remembered. */
const MAX_REREAD = 10_000;

/** So often a poll reads again what ended with an empty page: a cursor that has expired can look like that. */
const MAX_EMPTY_ENDS = 3;

/**
 * Goes on in a list by `updated_since` (API document, "What the service does", 5), until its end, or until
 * the poll's limits.
 *
 * Where the platform is known to sort, each page is asked for by the `updated_at` that the page before ended with,
 * and the lower bound follows. A cursor is used only where a whole page lies within one second, and where the
 * platform does not sort. So a cursor that is lost costs pages that are read again, and no more.
 */
export class ListWalk implements Walk {
	private place: ListPlace;
	private stretch: Stretch;
	/** The newest time that an earlier poll has read. */
	private readonly known: ChangesState['newest'];
	/** The `updated_at` that a sorted walk has come to, Unix ms. */
	private reachedMs?: number;
	/** Of the last record of the stretch, Unix ms. */
	private lastMs = -Infinity;
	private readAny = false;
	private triedOrder = false;
	private emptyEnds = 0;

	constructor(
		private state: ChangesState,
		private readonly loop: PageLoop,
	) {
		this.place = state.place as ListPlace;
		this.known = state.newest;
		const { sinceMs, stretch } = this.place;
		this.stretch = stretch ?? { sinceMs, read: 0 };
	}

	get before(): Place {
		return startOfWalk(this.place);
	}

	query(): Query {
		const { sinceMs, cursor } = this.stretch;
		const sort = this.state.order === 'refused' ? undefined : SORT;
		return { updated_since: new Date(sinceMs).toISOString(), sort, cursor };
	}

	readAgain(): void {
		this.readFrom(this.stretch.sinceMs);
	}

	recover(): boolean {
		if (this.state.order === 'refused') return false;
		this.state = { ...this.state, order: 'refused' };
		this.readFrom(this.place.sinceMs);
		return true;
	}

	async take(page: SourcePage): Promise<boolean> {
		if (this.beginsFurtherBack(page)) return true;
		const changes = page.records.map((record) => this.loop.versionOf(record, page));
		if (this.isBelow(changes)) return this.distrustOrder();
		this.collect(changes, page);
		const isAscending = this.isAscending(changes);
		if (!isAscending && this.state.order === 'kept') return this.distrustOrder();
		const { nextCursor } = page;
		if (nextCursor === undefined) return this.rereads(this.provenMs(true));
		const isBehind = wholeSecond(this.lastMs) > this.stretch.sinceMs;
		if (isAscending && isBehind && (await this.sorts(changes))) this.goOnByTime();
		else this.stretch = { ...this.stretch, cursor: nextCursor };
		return true;
	}

	end(complete: boolean): ChangesState {
		const { fromMs } = this.place;
		const rest = {
			...(fromMs === undefined ? {} : { fromMs }),
			...(this.stretch.cursor === undefined ? {} : { stretch: this.stretch }),
		};
		const sinceMs = this.provenMs(complete);
		return { ...this.state, place: { kind: 'list', sinceMs, ...(complete ? {} : rest) } };
	}

	/** Reads the clocks at a walk's begin. @returns true where it must begin further back */
	private beginsFurtherBack({ asked: clocks }: SourcePage): boolean {
		if (this.stretch.started !== undefined) return false;
		const lowered = afterSetBack(this.state, clocks, this.loop.limits.overlapMs);
		this.state = { ...(lowered ?? this.state), clocks };
		this.stretch = { ...this.stretch, started: clocks };
		if (lowered === undefined) return false;
		this.place = lowered.place as ListPlace;
		this.readFrom(this.place.sinceMs);
		return true;
	}

	private collect(changes: readonly Change[], page: SourcePage): void {
		const nowMs = earliest(page.answered);
		const { cursor, read } = this.stretch;
		let { newest } = this.state;
		let { isDirty } = this.stretch;
		for (const change of changes) {
			const isTimed = change.updatedAt !== undefined;
			if (isTimed && change.atMs < this.place.sinceMs - ROUNDING_MS) continue;
			if (isTimed && change.atMs <= nowMs && change.atMs > (newest?.ms ?? -Infinity)) {
				newest = { ms: change.atMs, read: page.answered };
			}
			if (this.wasThere(change)) this.loop.passOver(change);
			else if (this.loop.add(change) && cursor !== undefined) isDirty = true;
		}
		if (changes.length === 0 && cursor !== undefined && page.nextCursor === undefined) {
			// The page before said that there are more.
			isDirty ||= ++this.emptyEnds < MAX_EMPTY_ENDS;
		}
		this.readAny ||= changes.length > 0;
		this.state = { ...this.state, newest };
		this.stretch = { ...this.stretch, read: read + changes.length, isDirty };
	}

	/** Whether it was there when the trigger began: without a time, what the first poll reads. */
	private wasThere({ updatedAt, atMs }: Change): boolean {
		const { fromMs } = this.place;
		if (fromMs === undefined) return false;
		return updatedAt === undefined ? this.state.revision === 1 : atMs < fromMs;
	}

	/** Whether a page lies below the time by which it was asked for: then `updated_since` has no effect. */
	private isBelow(changes: readonly Change[]): boolean {
		if (this.reachedMs === undefined) return false;
		return changes.some(({ atMs }) => atMs < this.stretch.sinceMs - ROUNDING_MS);
	}

	/** Whether the pages of this stretch are in the order of `updated_at`. */
	private isAscending(changes: readonly Change[]): boolean {
		return changes.every(({ updatedAt, atMs }) => {
			const isLater = updatedAt !== undefined && atMs >= this.lastMs;
			this.lastMs = atMs;
			return isLater;
		});
	}

	/**
	 * Whether the platform sorts. One ascending page is no proof. It is one that the newest come first where they are
	 * asked for, without the oldest among them, and the oldest again when the first question is repeated.
	 */
	private async sorts([oldest]: readonly Change[]): Promise<boolean> {
		if (this.state.order !== undefined || this.triedOrder) return this.state.order === 'kept';
		if (wholeSecond(oldest.atMs) === wholeSecond(this.lastMs)) return false;
		this.triedOrder = true;
		const newest = await this.probe(NEWEST_FIRST);
		if (newest.length === 0 || newest[0].atMs < this.lastMs) return false;
		const falls = newest.every(({ atMs }, n) => n === 0 || atMs <= newest[n - 1].atMs);
		if (!falls || newest.some(({ id }) => id === oldest.id)) return false;
		const [again] = await this.probe(SORT);
		if (again?.id !== oldest.id) return false;
		this.state = { ...this.state, order: 'kept' };
		return true;
	}

	/** The first page in an order. @returns none where the platform refuses it */
	private async probe(sort: string): Promise<Change[]> {
		const { source } = this.loop;
		const sent = await settled(source.fetch({ ...this.query(), cursor: undefined, sort }));
		if (sent.status === 'fulfilled') {
			return sent.value.records.map((record) => this.loop.versionOf(record, sent.value));
		}
		if (source.refusedQuery(sent.reason)) return [];
		throw sent.reason;
	}

	/** Goes back to the lower bound, and on by cursor. */
	private distrustOrder(): true {
		this.triedOrder = true;
		this.reachedMs = undefined;
		this.state = { ...this.state, order: undefined };
		this.readFrom(this.place.sinceMs);
		return true;
	}

	private goOnByTime(): void {
		if (this.rereads(this.provenUpTo(this.lastMs))) return;
		this.reachedMs = this.lastMs;
		const { started } = this.stretch;
		this.stretch = { sinceMs: wholeSecond(this.lastMs), started, read: 0 };
	}

	/**
	 * Reads a stretch once more that took several pages, until it brings nothing new: a cursor may count records,
	 * and passes over one when a record in front of it moves away. Not so where the next poll reads it again anyway.
	 */
	private rereads(provenMs: number): boolean {
		const { sinceMs, read, isDirty } = this.stretch;
		this.stretch = { ...this.stretch, cursor: undefined };
		if (!isDirty || sinceMs >= provenMs || read > MAX_REREAD) return false;
		this.readFrom(sinceMs);
		return true;
	}

	private readFrom(sinceMs: number): void {
		this.stretch = { sinceMs, started: this.stretch.started, read: 0 };
		this.lastMs = -Infinity;
		this.loop.beginPass();
	}

	/** The lower bound that this walk has proven. */
	private provenMs(complete: boolean): number {
		const { reachedMs, state, stretch } = this;
		if (!complete) return reachedMs === undefined ? this.place.sinceMs : this.provenUpTo(reachedMs);
		if (state.newest !== undefined || !this.readAny) return this.provenUpTo(Infinity);
		// No record carries a time.
		const { started } = stretch;
		const isKnown = started?.platformMs !== undefined;
		return isKnown ? this.boundAt(earliest(started)) : this.place.sinceMs;
	}

	/**
	 * What changed up to the overlap before the walk's begin was visible to it, as the newest record tells the time.
	 * Where that has been known for longer than the overlap, everything up to its second was.
	 *
	 * @param reachedMs to where everything has been read, Unix ms
	 */
	private provenUpTo(reachedMs: number): number {
		const { known } = this;
		const { newest } = this.state;
		const { started } = this.stretch;
		if (newest === undefined || started === undefined) return this.place.sinceMs;
		const bound = this.boundAt(Math.min(earliest(started), newest.ms, reachedMs));
		if (known === undefined || this.state.newest === undefined) return bound;
		const behindMs = wholeSecond(known.ms) + 1000;
		const isOld = elapsedMs(known.read, started) >= this.loop.limits.overlapMs + 1000;
		return isOld && wholeSecond(reachedMs) >= behindMs ? Math.max(bound, behindMs) : bound;
	}

	private boundAt(ms: number): number {
		return Math.max(this.place.sinceMs, wholeSecond(ms - this.loop.limits.overlapMs));
	}
}
