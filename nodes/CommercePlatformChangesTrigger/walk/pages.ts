import type { QueryValue } from '../../shared/api/request';
import { PlatformError } from '../../shared/errors/errors';
import { startOfWalk, type ChangesState, type Place, type ReadingTime } from '../state';
import { isChanged, type Change, type Version } from './change';

export type Query = Record<string, QueryValue> & { limit?: number };

/** One page, as far as the walks look at it. */
export interface Page {
	changes: Change[];
	/** Leads to the next page. */
	nextCursor?: string;
	/** Whether there are more records; undefined if the page does not say so. */
	hasMore?: boolean;
	/** When it was asked for: before the platform read it. */
	askedAt: ReadingTime;
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

/** Answers that refuse the query itself, such as a sort, or an unknown event. */
const REFUSED_QUERY = new Set([400, 404, 410, 422]);

/** Whether the platform refused the query itself, such as a sort. */
export const isRefusedQuery = (error: unknown): error is PlatformError =>
	isRefused(error) && REFUSED_QUERY.has(error.details.status ?? 0);

/** Whether the platform refused the sort. Only a 400 says so ("Errors"): a 404 can come from a gateway. */
export const isRefusedSort = (error: unknown): boolean =>
	isRefused(error) && error.details.status === 400;

/** Whether the platform answered with an error status: how it says that a cursor has expired is not shown. */
export const isRefused = (error: unknown): error is PlatformError =>
	error instanceof PlatformError && error.problem === 'refused';

/** One emission holds at most this many records, and the rest of a page. */
const MAX_EMISSION = 10_000;

/** A list that sends so many pages in a row without anything that it has not just sent will not end. */
const MAX_IDLE_PAGES = 50;

/** What the walks share: asks for pages, counts them, tells what is new, and notices a list that would never end. */
export class PageLoop {
	/** What is new, by the records' keys. */
	readonly changes = new Map<string, Change>();
	/** Of what became an execution, or counts as if it had. */
	readonly versions: Map<string, Version>;
	/** The keys of all records that this poll has read. */
	readonly readKeys = new Set<string>();
	/** Where to go on from to read the same once more. */
	readonly before: Place;
	/** Whether the platform has refused to sort in this poll. */
	isUnsorted = false;
	/** How far the walk is behind the clock, ms; undefined if no record tells it. */
	behindMs?: number;
	/** The emissions whose end n8n has not told yet. */
	private readonly pending: ReadonlyMap<string, Version>;
	private keysOfPass = new Set<string>();
	private idlePages = 0;
	private pages = 0;
	private changesCounted = 0;

	/** @param state the walk moves it on */
	constructor(
		public state: ChangesState,
		readonly source: PageSource,
		readonly limits: PollLimits,
	) {
		this.versions = new Map(state.versions);
		this.pending = new Map(state.emissions.flatMap(({ versions }) => [...versions]));
		this.before = startOfWalk(state.place);
	}

	/** Whether the poll's limits allow another page. What is read again brings the poll no nearer to its bound. */
	goesOn(): boolean {
		if (this.changes.size > this.changesCounted) this.pages++;
		this.changesCounted = this.changes.size;
		const { hasTime, maxPages } = this.limits;
		return hasTime() && this.pages < maxPages && this.changesCounted < MAX_EMISSION;
	}

	/** One request. @throws PlatformError */
	async fetch(query: Query): Promise<Page> {
		if (this.idlePages >= MAX_IDLE_PAGES)
			throw this.source.endless(`sent ${MAX_IDLE_PAGES} pages in a row without anything new`);
		const page = await this.source.fetch(query);
		const { size } = this.keysOfPass;
		for (const { key } of page.changes) {
			this.keysOfPass.add(key);
			this.readKeys.add(key);
		}
		this.idlePages = this.keysOfPass.size > size ? 0 : this.idlePages + 1;
		return page;
	}

	/** What was read may be read again from here on. */
	beginPass(): void {
		this.keysOfPass = new Set();
		this.idlePages = 0;
	}

	/**
	 * Takes a record, unless this version of it was given before.
	 *
	 * @param sinceMs the `updated_since` that was asked for, Unix ms
	 */
	take(change: Change, nowMs: number, sinceMs = 0): void {
		const { key } = change;
		const last = this.changes.get(key) ?? this.pending.get(key) ?? this.versions.get(key);
		if (last === undefined || isChanged(change, last, sinceMs, nowMs))
			this.changes.set(key, change);
		else this.touch(key);
	}

	/** Remembers a record as given, without giving it. */
	passOver({ key, timeMs, content }: Change): void {
		if (!this.pending.has(key)) this.versions.set(key, { timeMs, content });
		this.touch(key);
	}

	/** What was read last is forgotten last. */
	private touch(key: string): void {
		const version = this.versions.get(key);
		if (version === undefined || !this.versions.delete(key)) return;
		this.versions.set(key, version);
	}
}
