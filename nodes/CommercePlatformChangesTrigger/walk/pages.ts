import type { IDataObject } from 'n8n-workflow';

import type { QueryValue } from '../../shared/api/request';
import { settled } from '../../shared/errors/errors';
import { isKnown, type ChangesState, type Clocks, type Place } from '../state';
import { readChange, type Change, type Identity } from './change';

export type Query = Record<string, QueryValue>;

/** One page, as far as the walks look at it. */
export interface SourcePage {
	records: IDataObject[];
	/** Leads to the next page. */
	nextCursor?: string;
	/** Whether there are more records; undefined where the page does not say so. */
	hasMore?: boolean;
	/** When it was asked for: before the platform read it. */
	asked: Clocks;
	/** When it was there: after the platform read it. */
	answered: Clocks;
	/** The platform answered 304: the same as what the ETag stands for. */
	notModified?: true;
	etag?: string;
}

/** What is watched, page by page. */
export interface PageSource {
	/**
	 * @param query beside the filters and `limit`
	 * @param etag for If-None-Match
	 */
	fetch(query: Query, etag?: string): Promise<SourcePage>;
	/** Whether the platform refused the query itself, such as a sort. */
	refusedQuery(error: unknown): boolean;
	/** Whether a request may have failed because of its cursor: it was refused in any way, or its page was wrong. */
	refusedCursor(error: unknown): boolean;
	/** An error for a list that would never end. @param reason what the platform did */
	endless(reason: string): Error;
	readonly identity: Identity;
}

/** How far one poll goes. */
export interface PollLimits {
	maxPages: number;
	/** How long after its `updated_at` a record can become visible. ms. */
	overlapMs: number;
	/** False when the time that n8n gives a poll is nearly over. */
	goOn(): boolean;
}

/** How one kind of list is read. What it finds it puts into the loop. */
export interface Walk {
	/** The next request. */
	query(): Query;
	/** @returns false at the end */
	take(page: SourcePage): boolean | Promise<boolean>;
	/** Goes back to the beginning of the pages that are read by cursor, because a cursor was lost. */
	readAgain?(): void;
	/** Finds another way to go on after a query was refused. @returns false where there is none */
	recover?(): boolean;
	/** True where half of it is worth nothing, so that it must be read to its end. */
	readonly isWhole?: true;
	/** Where to go on from to read the same once more, if not where the poll began. */
	readonly before?: Place;
	/** After the last page, however it ended. @returns the state, without what was found */
	end(complete: boolean): ChangesState;
}

/** How a walk ended. */
export interface End {
	state: ChangesState;
	changes: Change[];
	/** False where more is left for the next poll. */
	complete: boolean;
	/** What stopped the walk. What was found before it counts all the same. */
	error?: unknown;
}

/** One emission holds at most this many records, and the rest of a page. */
const MAX_EMISSION = 10_000;

/** A list that sends so many pages in a row without anything that it has not just sent will not end. */
const MAX_IDLE_PAGES = 50;

/** The one loop over pages: asks, counts, tells what is new, and notices a list that would never end. */
export class PageLoop {
	readonly changes: Change[] = [];
	/** Versions that count as seen, although nothing was given now. */
	readonly passed = new Map<string, number>();
	private readonly taken = new Set<string>();
	private asked = new Set<string>();
	private inPass = new Set<string>();
	private idle = 0;
	private lostCursor = false;
	private requests = 0;
	private etag: ChangesState['etag'];

	constructor(
		private readonly state: ChangesState,
		readonly source: PageSource,
		readonly limits: PollLimits,
	) {}

	async run(walk: Walk): Promise<End> {
		const { maxPages, goOn } = this.limits;
		let pages = 0;
		while (goOn() && (walk.isWhole || (pages < maxPages && this.changes.length < MAX_EMISSION))) {
			const before = this.changes.length;
			const turn = await settled(this.turn(walk));
			if (turn.status === 'rejected') {
				if (!this.recovers(walk, turn.reason)) return this.end(walk, false, turn.reason);
			} else if (!turn.value) return this.end(walk, true);
			// What is read again costs requests, and brings the poll no nearer to its bound.
			if (this.changes.length > before) pages++;
		}
		return this.end(walk, false, walk.isWhole ? this.source.endless(OUT_OF_TIME) : undefined);
	}

	private end(walk: Walk, complete: boolean, error?: unknown): End {
		const { changes, requests } = this;
		const state = walk.end(complete);
		// The same request again can be answered with 304, where its answer held nothing new.
		const etag = complete && requests === 1 && changes.length === 0 ? this.etag : undefined;
		return { state: { ...state, etag }, changes, complete, error };
	}

	/** A poll reads again once for a cursor that was lost; then the error counts. */
	private recovers(walk: Walk, error: unknown): boolean {
		const isLost = walk.query().cursor !== undefined && this.source.refusedCursor(error);
		if (isLost && !this.lostCursor && walk.readAgain) {
			this.lostCursor = true;
			walk.readAgain();
		} else if (!this.source.refusedQuery(error) || !walk.recover?.()) return false;
		this.beginPass();
		return true;
	}

	/** What was read may be read again from here on. */
	beginPass(): void {
		this.asked = new Set();
		this.inPass = new Set();
		this.idle = 0;
	}

	/** Reads a record as a version. */
	versionOf(record: IDataObject, { asked }: SourcePage): Change {
		const change = readChange(record, this.source.identity, asked.platformMs ?? asked.localMs);
		this.inPass.add(change.key);
		return change;
	}

	/** Takes a version unless it was given before. @returns whether it is new */
	add(change: Change): boolean {
		const { key, atMs, updatedAt } = change;
		if (this.taken.has(key)) return false;
		if (isKnown(this.state, key)) {
			// What carries no time is remembered as long as it is read.
			if (updatedAt === undefined && this.state.seen.has(key)) this.passed.set(key, atMs);
			return false;
		}
		this.taken.add(key);
		this.changes.push(change);
		return true;
	}

	/** Lets a version count as seen without having been given. */
	passOver({ key, atMs }: Change): void {
		if (!isKnown(this.state, key)) this.passed.set(key, atMs);
	}

	/** One request. @returns false at the end */
	private async turn(walk: Walk): Promise<boolean> {
		const query = walk.query();
		const name = JSON.stringify(query);
		if (this.asked.has(name)) throw this.source.endless('sent a place that it had sent before');
		this.asked.add(name);
		const { etag } = this.state;
		const known = etag?.query === name ? etag.value : undefined;
		const page = await this.source.fetch(query, known);
		this.requests++;
		const value = page.etag ?? (page.notModified ? known : undefined);
		this.etag = value === undefined ? undefined : { query: name, value };
		const size = this.inPass.size;
		const goesOn = await walk.take(page);
		this.idle = this.inPass.size === size ? this.idle + 1 : 0;
		if (goesOn && this.idle >= MAX_IDLE_PAGES) {
			throw this.source.endless(`sent ${MAX_IDLE_PAGES} pages in a row without anything new`);
		}
		return goesOn;
	}
}

const OUT_OF_TIME = 'did not send the whole list within the time that n8n gives a poll';
