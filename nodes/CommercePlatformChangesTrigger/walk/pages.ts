import type { QueryValue } from '../../shared/rest/request';
import {
	type Change,
	type ChangesState,
	isChanged,
	type Place,
	startOfWalk,
	type Version,
} from '../state';

export type Query = Record<string, QueryValue> & { limit?: number; cursor?: string };

/** One page, with what the walks need of it. */
export interface ChangesPage {
	changes: Change[];
	/** The cursor to the next page. */
	nextCursor?: string;
	/** False if this is the last page. */
	hasMore?: boolean;
	/** When it was asked for, by the platform's clock, which is before the platform read it. Unix ms. */
	askedMs: number;
}

/** Gives the list, stream or levels that are watched, page by page. */
export interface ChangesSource {
	/** @param query without the filters, which the source adds */
	fetch(query: Query): Promise<ChangesPage>;
	/** Makes the error for a list that would never end. @param reason what the platform did */
	endlessError(reason: string): Error;
}

/** How far one poll goes. */
interface PollLimits {
	maxPages: number;
	/** How long after its `updated_at` a record can become visible. ms. */
	overlapMs: number;
	/** Unix ms. */
	nowMs: number;
	/** False when the time that n8n gives a poll is nearly over. */
	hasTime(): boolean;
}

/** From this many changes on, a poll reads no further page. */
const MAX_EMISSION = 10_000;

/** A list that sends so many pages in a row without a record that is new in this pass will not end. */
const MAX_IDLE_PAGES = 50;

/** What all walks share: it fetches pages, collects the changes in them, and notices a list that would never end. */
export class PageLoop {
	/** The changes to emit, by the records' keys. */
	readonly changes = new Map<string, Change>();
	/** The versions that became an execution, or count as if they had. */
	readonly versions: Map<string, Version>;
	/** The keys of all records that this poll has read. */
	readonly readKeys = new Set<string>();
	/** The place from which a poll reads the same again. */
	readonly startPlace: Place;
	/** The versions in emissions that are not settled. */
	private readonly pending: ReadonlyMap<string, Version>;
	private keysOfPass = new Set<string>();
	private idlePages = 0;

	/** @param state the walk replaces it as it moves on */
	constructor(
		public state: ChangesState,
		readonly source: ChangesSource,
		readonly limits: PollLimits,
	) {
		this.versions = new Map(state.versions);
		this.pending = new Map(state.emissions.flatMap(({ versions }) => [...versions]));
		this.startPlace = startOfWalk(state.place);
	}

	/**
	 * Reads page after page. Pages of known records use up no limit.
	 *
	 * @param readPage reads a page, and returns whether that was the last one
	 * @returns false if the poll's limits ended it
	 */
	async readOn(readPage: () => Promise<boolean>): Promise<boolean> {
		const { hasTime, maxPages } = this.limits;
		let countedPages = 0;
		while (hasTime() && countedPages < maxPages && this.changes.size < MAX_EMISSION) {
			const { size: changesBefore } = this.changes;
			if (await readPage()) return true;
			if (this.changes.size > changesBefore) countedPages++;
		}
		return false;
	}

	/** Fetches one page. @throws PlatformError */
	async fetch(query: Query): Promise<ChangesPage> {
		if (this.idlePages >= MAX_IDLE_PAGES)
			throw this.source.endlessError(`sent ${MAX_IDLE_PAGES} pages in a row without anything new`);
		const page = await this.source.fetch(query);
		const { size: sizeBefore } = this.keysOfPass;
		for (const { key } of page.changes) {
			this.keysOfPass.add(key);
			this.readKeys.add(key);
		}
		this.idlePages = this.keysOfPass.size > sizeBefore ? 0 : this.idlePages + 1;
		return page;
	}

	/** Begins another pass: from now on, records that were read before may come again. */
	beginPass(): void {
		this.keysOfPass = new Set();
		this.idlePages = 0;
	}

	/** Adds a record to the changes, unless this version of it was emitted before. */
	addIfChanged(change: Change): void {
		const { key } = change;
		const previous = this.changes.get(key) ?? this.pending.get(key) ?? this.versions.get(key);
		if (previous === undefined || isChanged(change, previous)) this.changes.set(key, change);
		else this.moveToEnd(key);
	}

	/**
	 * Remembers a version as if it had been emitted, without emitting it. If the record is in an emission that is not
	 * settled, its version there stays.
	 */
	markAsEmitted({ key, timeMs, content }: Change): void {
		if (!this.pending.has(key)) this.versions.set(key, { timeMs, content });
		this.moveToEnd(key);
	}

	/** Moves a version to the end, because those that were read longest ago are forgotten first. */
	private moveToEnd(key: string): void {
		const version = this.versions.get(key);
		if (version === undefined || !this.versions.delete(key)) return;
		this.versions.set(key, version);
	}
}
