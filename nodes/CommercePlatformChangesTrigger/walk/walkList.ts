import { walkFrom } from '../state/place';
import { sinceAfterSetBack, sinceAfterWalk, withSetBack, ROUNDING_MS } from '../state/watermark';
import type { ChangesState, ListPlace } from '../state/state';
import type { Change } from './change';
import { Collector, type PageSource, type PollLimits, type SourcePage, type Step } from './step';

/** Oldest first, so that a walk that stops early has read the oldest (API document, "Common query parameters"). */
const SORT = 'updated_at:asc';

/**
 * Goes on in a list by `updated_since` (API document, "What the service does", 5), until its end, or until
 * the poll's limits.
 *
 * The lower bound moves only when a walk has come to its end, and then to a time at which that walk had already
 * begun. So nothing depends on the order of the records: what changes during the walk lies above the new bound.
 * A walk that stops early keeps its cursor. Where the platform no longer takes the cursor, the walk begins
 * again at the lower bound, and what was emitted is passed over.
 */
export async function walkList(
	state: ChangesState,
	source: PageSource,
	limits: PollLimits,
): Promise<Step> {
	return await new ListWalk(state, source, limits).run();
}

/** An error in the place of a page. */
class Failed {
	constructor(readonly error: unknown) {}
}

class ListWalk {
	private readonly collector: Collector;
	private restarted = false;
	private before: ListPlace;

	constructor(
		private state: ChangesState,
		private readonly source: PageSource,
		private readonly limits: PollLimits,
	) {
		this.collector = new Collector(state, source.identity);
		this.before = this.place;
	}

	async run(): Promise<Step> {
		let pages = 0;
		while (pages < this.limits.maxPages && this.limits.goOn() && !this.collector.isFull) {
			try {
				const page = await this.fetch();
				if (page === 'again') continue;
				pages++;
				if (this.take(page)) return this.step({ complete: true });
			} catch (error) {
				return this.step({ complete: false, error });
			}
		}
		return this.step({ complete: false });
	}

	private get place(): ListPlace {
		return this.state.place as ListPlace;
	}

	/** @returns 'again' where the next request is to be another one */
	private async fetch(): Promise<SourcePage | 'again'> {
		const { place, query } = this;
		const etag =
			this.state.etag?.query === JSON.stringify(query) ? this.state.etag.value : undefined;
		const answer = await this.source
			.fetch(query, etag)
			.catch((error: unknown) => new Failed(error));
		if (!(answer instanceof Failed)) {
			return place.cursor === undefined && this.noticeClock(answer) ? 'again' : answer;
		}
		const isRefused = this.source.refusedQuery(answer.error);
		if (isRefused && place.cursor !== undefined && !this.restarted) {
			this.restarted = true;
			this.move(walkFrom(place));
			return 'again';
		}
		if (isRefused && place.cursor === undefined && !this.state.unsorted) {
			this.state = { ...this.state, unsorted: true };
			return 'again';
		}
		throw answer.error;
	}

	private get query() {
		return {
			updated_since: new Date(this.place.sinceMs).toISOString(),
			sort: this.state.unsorted ? undefined : SORT,
			cursor: this.place.cursor,
		};
	}

	/** Reads the clocks at a walk's begin. @returns true where the walk must begin further back */
	private noticeClock({ platformMs, localMs }: SourcePage): boolean {
		if (platformMs === undefined) return false;
		const clocks = { platformMs, localMs };
		const sinceMs = sinceAfterSetBack(this.state.clocks, clocks, this.limits.overlapMs);
		this.state = { ...this.state, clocks };
		if (sinceMs === undefined || sinceMs >= this.place.sinceMs) return false;
		this.state = withSetBack(this.state, sinceMs);
		this.before = this.place;
		return true;
	}

	/** @returns true where the walk has come to its end */
	private take(page: SourcePage): boolean {
		if (page.notModified) return true;
		const { place } = this;
		const startedMs = place.cursor === undefined ? this.timeOf(page) : place.startedMs;
		this.collect(page, startedMs);
		if (page.nextCursor === undefined) {
			this.finish(page, startedMs);
			return true;
		}
		if (page.nextCursor === place.cursor) throw this.source.endless();
		const { walk = this.state.revision, pages = 0 } = place;
		this.move({ ...place, cursor: page.nextCursor, startedMs, walk, pages: pages + 1 });
		return false;
	}

	/** The platform's time; where it tells none, the newest that earlier walks have read of it. */
	private timeOf({ platformMs }: SourcePage): number | undefined {
		const { newestMs } = this.state;
		return (
			platformMs ?? (newestMs === undefined ? undefined : Math.min(newestMs, this.source.now()))
		);
	}

	private collect({ records, platformMs }: SourcePage, startedMs: number | undefined): void {
		const readAtMs = platformMs ?? startedMs ?? this.source.now();
		let { newestMs } = this.state;
		for (const record of records) {
			const change = this.collector.read(record, readAtMs);
			if (change.atMs < this.place.sinceMs - ROUNDING_MS) continue;
			if (change.updatedAt !== undefined) newestMs = Math.max(newestMs ?? 0, change.atMs);
			if (this.isOld(change)) this.collector.passOver(change);
			else this.collector.add(change);
		}
		this.state = { ...this.state, newestMs };
	}

	private isOld({ updatedAt, atMs }: Change): boolean {
		const { fromMs } = this.place;
		return fromMs !== undefined && (updatedAt === undefined || atMs < fromMs);
	}

	private finish(page: SourcePage, startedMs: number | undefined): void {
		const { query } = this;
		const { sinceMs: before, cursor } = this.place;
		const isRead = page.records.length > 0 || cursor !== undefined;
		const endMs = isRead ? this.provenTime(startedMs) : undefined;
		const sinceMs = sinceAfterWalk(before, endMs, this.limits.overlapMs);
		this.move({ kind: 'list', sinceMs });
		// The same query again can be answered with 304.
		if (sinceMs !== before || cursor !== undefined || page.etag === undefined) return;
		this.state = { ...this.state, etag: { query: JSON.stringify(query), value: page.etag } };
	}

	/** The walk's time, as far as the records bear it out: a Date header can be ahead of their clock. */
	private provenTime(startedMs: number | undefined): number | undefined {
		const { newestMs } = this.state;
		return startedMs === undefined || newestMs === undefined
			? startedMs
			: Math.min(startedMs, newestMs);
	}

	private move(place: ListPlace): void {
		this.state = { ...this.state, place, etag: undefined };
	}

	private step(end: { complete: boolean; error?: unknown }): Step {
		const { changes, passedOver } = this.collector;
		const seen =
			passedOver.size === 0 ? this.state.seen : new Map([...this.state.seen, ...passedOver]);
		return { state: { ...this.state, seen }, before: this.before, changes, ...end };
	}
}
