import type { QueryValue } from '../../shared/api/request';
import { PlatformError } from '../../shared/errors/errors';
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

const isRefused = (error: unknown): error is PlatformError =>
	error instanceof PlatformError && error.problem === 'refused';

/** Answers that refuse the query itself, such as a sort, a cursor that has expired, or an unknown event. */
const REFUSED_QUERY = new Set([400, 404, 410, 422]);

/** Whether the platform refused the query itself, such as a sort. */
export const isRefusedQuery = (error: unknown): error is PlatformError =>
	isRefused(error) && REFUSED_QUERY.has(error.details.status ?? 0);

/** One emission holds at most this many records, and the rest of a page. */
const MAX_EMISSION = 10_000;

/** A list that sends so many pages in a row without anything that it has not just sent will not end. */
const MAX_IDLE_PAGES = 50;

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
	private asked = new Set<string>();
	private inPass = new Set<string>();
	private idle = 0;
	private lostCursor = false;
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

	/** One request. */
	async page(query: Query): Promise<Page> {
		const name = JSON.stringify(query);
		if (this.asked.has(name)) throw this.source.endless('sent a place that it had sent before');
		if (this.idle >= MAX_IDLE_PAGES) {
			throw this.source.endless(`sent ${MAX_IDLE_PAGES} pages in a row without anything new`);
		}
		this.asked.add(name);
		const page = await this.source.fetch(query);
		const size = this.inPass.size;
		for (const { key } of page.changes) this.inPass.add(key);
		this.idle = this.inPass.size === size ? this.idle + 1 : 0;
		return page;
	}

	/** What was read may be read again from here on. */
	beginPass(): void {
		this.asked = new Set();
		this.inPass = new Set();
		this.idle = 0;
	}

	/**
	 * Whether a request may have failed because of its cursor, which was refused in any way or led to a wrong page,
	 * and the pages may be read again from the first one: once a poll.
	 */
	forgives(cursor: string | undefined, error: unknown): boolean {
		const isBadPage = error instanceof PlatformError && error.problem === 'bad-page';
		if (cursor === undefined || this.lostCursor || !(isRefused(error) || isBadPage)) return false;
		this.lostCursor = true;
		this.beginPass();
		return true;
	}

	/** Takes a version unless it was given before. @returns whether it is new */
	add(change: Change): boolean {
		const { key, atMs, updatedAt } = change;
		if (this.changes.has(key) || this.pending.has(key)) return false;
		if (this.seen.has(key)) {
			// What carries no time is remembered as long as it is read.
			if (updatedAt === undefined) this.seen.set(key, atMs);
			return false;
		}
		this.changes.set(key, change);
		return true;
	}
}
