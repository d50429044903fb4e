import type { QueryValue } from '../../shared/api/request';
import { PlatformError, settled } from '../../shared/errors/errors';
import { startOfWalk, type ChangesState, type Clocks, type Place } from '../state';
import type { Change } from './change';

export type Query = Record<string, QueryValue>;

/** One page, as far as the walks look at it. */
export interface Page {
	changes: Change[];
	/** Leads to the next page. */
	nextCursor?: string;
	/** Whether there are more records; undefined where the page does not say so. */
	hasMore?: boolean;
	/** When it was asked for: before the platform read it. */
	clocks: Clocks;
}

/** What is watched, page by page. */
export interface PageSource {
	/** @param query beside the filters and `limit` */
	fetch(query: Query): Promise<Page>;
	/** An error for a list that would never end. @param reason what the platform did */
	endless(reason: string): Error;
}

/** How far one poll goes. */
export interface PollLimits {
	maxPages: number;
	/** How long after its `updated_at` a record can become visible. ms. */
	overlapMs: number;
	/** False when the time that n8n gives a poll is nearly over. */
	hasTime(): boolean;
}

/** Answers that refuse the query itself, such as a sort, a cursor that has expired, or an unknown event. */
const REFUSED_QUERY = new Set([400, 404, 410, 422]);

/** Whether the platform refused the query itself, such as a sort. */
export const isRefusedQuery = (error: unknown): error is PlatformError =>
	error instanceof PlatformError &&
	error.problem === 'refused' &&
	REFUSED_QUERY.has(error.details.status ?? 0);

/** Whether the platform refused the sort. Only a 400 says so: a 404 can come from a gateway and pass. */
export const isRefusedSort = (error: unknown): boolean =>
	isRefusedQuery(error) && error.details.status === 400;

/** Whether a cursor may have been refused: how a platform says that one has expired is not shown. */
const mayBeLost = (error: unknown): boolean =>
	error instanceof PlatformError && error.problem === 'refused';

/** One emission holds at most this many records, and the rest of a page. */
const MAX_EMISSION = 10_000;

/** A list that sends so many pages in a row without anything that it has not just sent will not end. */
const MAX_IDLE_PAGES = 50;

/** So often a poll reads again what ended with a cursor that was refused. */
const MAX_LOST_CURSORS = 3;

/** What the walks share: asks for pages, counts them, tells what is new, and notices a list that would never end. */
export class PageLoop {
	/** What is new, by key. */
	readonly changes = new Map<string, Change>();
	/** Versions that became executions, or count as if they had. */
	seen: Map<string, number>;
	/** Where to go on from to read the same once more. */
	before: Place;
	/** Versions that n8n was given, and has not said what became of. */
	readonly pending: Set<string>;
	private inPass = new Set<string>();
	private idle = 0;
	private lostCursors = 0;
	private pages = 0;
	private counted = 0;

	/** @param state the walk moves it on */
	constructor(
		public state: ChangesState,
		readonly source: PageSource,
		readonly limits: PollLimits,
	) {
		this.seen = new Map(state.seen);
		this.pending = new Set(state.emissions.flatMap(({ keys }) => [...keys.keys()]));
		this.before = startOfWalk(state.place);
	}

	/** Whether the poll's limits allow another page. */
	goesOn(): boolean {
		// What is read again costs requests, and brings the poll no nearer to its bound.
		if (this.changes.size > this.counted) this.pages++;
		this.counted = this.changes.size;
		const { hasTime, maxPages } = this.limits;
		return hasTime() && this.pages < maxPages && this.counted < MAX_EMISSION;
	}

	/**
	 * One request.
	 *
	 * @returns undefined where the cursor may be lost, and the pages are to be read again from the first one
	 */
	async page(query: Query): Promise<Page | undefined> {
		if (this.idle >= MAX_IDLE_PAGES)
			throw this.source.endless(`sent ${MAX_IDLE_PAGES} pages in a row without anything new`);
		const sent = await settled(this.source.fetch(query));
		if (sent.status === 'rejected') {
			const isLost = query.cursor !== undefined && mayBeLost(sent.reason);
			if (!isLost || ++this.lostCursors > MAX_LOST_CURSORS) throw sent.reason;
			return this.beginPass();
		}
		const size = this.inPass.size;
		for (const { key } of sent.value.changes) this.inPass.add(key);
		this.idle = this.inPass.size === size ? this.idle + 1 : 0;
		return sent.value;
	}

	/** What was read may be read again from here on. */
	beginPass(): undefined {
		this.inPass = new Set();
		this.idle = 0;
	}

	/** Takes a version unless it was given before. */
	add(change: Change): void {
		const { key, atMs, updatedAt } = change;
		if (this.changes.has(key) || this.pending.has(key)) return;
		if (!this.seen.has(key)) this.changes.set(key, change);
		// What carries no time is remembered as long as it is read.
		else if (updatedAt === undefined) this.seen.set(key, atMs);
	}
}
