import type { IDataObject } from 'n8n-workflow';

import { InputError, PlatformError } from '../shared/rest/errors';
import { MAX_IDLE_PAGES } from '../shared/rest/pages';
import type { QueryValue } from '../shared/rest/request';
import {
	type Change,
	type ChangesState,
	isChanged,
	isFull,
	type ListPlace,
	MEMORY_BOUNDS,
	type Place,
	readTimeMs,
	type SnapshotPlace,
	stateAfter,
	type StreamPlace,
	type Version,
	type Versions,
	type WhatWasRead,
	wholeSecond,
} from './state';

export type Query = Record<string, QueryValue> & { limit?: number; cursor?: string };

/** One page, with what the walks need of it. */
export interface ChangesPage {
	changes: Change[];
	/** The cursor to the next page. */
	nextCursor?: string;
	/** False if this is the last page. */
	hasMore: boolean;
	/** When it was asked for, by the platform's clock, which is before the platform read it. Unix ms. */
	askedMs: number;
}

/** Gives the list, stream or levels that are watched, page by page. */
export interface ChangesSource {
	/** @param query without the filters, which the source adds */
	fetch(query: Query): Promise<ChangesPage>;
	/** Makes the error for a list that would never end. @param sent what the platform sent */
	endlessError(sent: string): Error;
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

/** The result of one poll. */
interface PollResult {
	state: ChangesState;
	/** The changes to emit. */
	changes: readonly Change[];
	/** The error that stopped the poll. The changes before it are emitted all the same. */
	error?: unknown;
}

/**
 * Reads on from the state's place as far as the limits allow, and notes the changes as an emission. It sends only the
 * requests of `source`. It never throws: an error is part of the result.
 *
 * @param emissionId the id of the emission, if there is one
 */
export async function advance(
	startState: ChangesState,
	source: ChangesSource,
	limits: PollLimits,
	emissionId: string,
	bounds = MEMORY_BOUNDS,
): Promise<PollResult> {
	if (isFull(startState, bounds)) {
		const { revision } = startState;
		return { state: { ...startState, revision: revision + 1 }, changes: [] };
	}
	const reading = new Reading(startState, source, limits);
	let error: unknown;
	const isComplete = await readOn(startState.place, reading).catch((reason: unknown) => {
		error = reason;
		return false;
	});
	const state = stateAfter(reading, isComplete, emissionId, bounds);
	return { state, changes: [...reading.changes.values()], error };
}

/** Reads on from a place. @returns false if a part is left for the next poll */
async function readOn(place: Place, reading: Reading): Promise<boolean> {
	switch (place.kind) {
		case 'list':
			return await walkList(place, reading);
		case 'stream':
			return await followStream(place, reading);
		case 'snapshot':
			return await compareLevels(place, reading);
	}
}

/** From this many changes on, a poll reads no further page. */
const MAX_EMISSION = 10_000;

/** What one poll reads: it fetches pages, collects the changes in them, and notices a list that would never end. */
class Reading implements WhatWasRead {
	readonly changes = new Map<string, Change>();
	readonly versions: Map<string, Version>;
	readonly records = new Set<string>();
	/** It moves page by page, so that it is right after an error as well. */
	place: Place;
	/** The versions in emissions that are not settled. */
	private readonly pending: Versions;
	private recordsOfPass = new Set<string>();
	private idlePages = 0;

	constructor(
		readonly startState: ChangesState,
		readonly source: ChangesSource,
		readonly limits: PollLimits,
	) {
		const { place, versions, emissions } = startState;
		this.place = place;
		this.versions = new Map(versions);
		this.pending = new Map(emissions.flatMap((emission) => [...emission.versions]));
	}

	/**
	 * Reads page after page. Pages of known records use up no limit.
	 *
	 * @param readPage reads a page, and returns whether that was the last one
	 * @returns false if the poll's limits ended it
	 */
	async eachPage(readPage: () => Promise<boolean>): Promise<boolean> {
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
			throw this.source.endlessError(`${MAX_IDLE_PAGES} pages in a row without a new record`);
		const page = await this.source.fetch(query);
		const { size: sizeBefore } = this.recordsOfPass;
		for (const { idHash } of page.changes) {
			this.recordsOfPass.add(idHash);
			this.records.add(idHash);
		}
		this.idlePages = this.recordsOfPass.size > sizeBefore ? 0 : this.idlePages + 1;
		return page;
	}

	/** Begins another pass: from now on, records that were read before may come again. */
	beginPass(): void {
		this.recordsOfPass = new Set();
		this.idlePages = 0;
	}

	/** Adds a record to the changes, unless this version of it was emitted before. */
	addIfChanged(change: Change): void {
		const { idHash } = change;
		const previous =
			this.changes.get(idHash) ?? this.pending.get(idHash) ?? this.versions.get(idHash);
		if (previous === undefined || isChanged(change, previous)) this.changes.set(idHash, change);
		else this.moveToEnd(idHash);
	}

	/**
	 * Remembers a version as if it had been emitted, without emitting it. If the record is in an emission that is not
	 * settled, its version there stays.
	 */
	markAsEmitted({ idHash, timeMs, contentHash }: Change): void {
		if (!this.pending.has(idHash)) this.versions.set(idHash, { timeMs, contentHash });
		this.moveToEnd(idHash);
	}

	/** Moves a version to the end, because those that were read longest ago are forgotten first. */
	private moveToEnd(idHash: string): void {
		const version = this.versions.get(idHash);
		if (version === undefined || !this.versions.delete(idHash)) return;
		this.versions.set(idHash, version);
	}
}

/**
 * Whether the platform answered with an error status. The API document does not show how it refuses an expired cursor.
 */
const isRefused = (error: unknown): boolean =>
	error instanceof PlatformError && error.problem === 'refused';

/**
 * Oldest first, so that a walk that stops early has read the oldest records (API document, "Common query parameters").
 */
const SORT = 'updated_at:asc';

/** Reads on in a list by `updated_since` (API document, "What the service does", 5). */
async function walkList(startPlace: ListPlace, reading: Reading): Promise<boolean> {
	let place = startPlace;
	/** How many changes there were when a cursor was last refused. */
	let changesAtRefusal: number | undefined;
	return await reading.eachPage(async () => {
		const page = await reading.fetch(queryAt(place)).catch((error: unknown) => {
			// If nothing new was read since the last refusal, the platform would refuse for ever.
			const isHopeless = reading.changes.size === changesAtRefusal;
			if (!place.walk?.cursor || !isRefused(error) || isHopeless) throw error;
			return undefined;
		});
		if (page === undefined) {
			changesAtRefusal = reading.changes.size;
			place = { ...place, walk: place.walk && { ...place.walk, cursor: null } };
			reading.place = place;
			reading.beginPass();
			return false;
		}
		for (const change of page.changes)
			if (changedBeforeStart(change, place, reading)) reading.markAsEmitted(change);
			else reading.addIfChanged(change);
		place = placeAfter(page, place, reading.limits);
		reading.place = place;
		return place.walk === null;
	});
}

/** Asks for the page at a place: by the cursor of an open walk, else by time. */
function queryAt({ sinceMs, walk }: ListPlace): Query {
	const { cursor } = walk ?? {};
	const since = new Date(cursor?.sinceMs ?? sinceMs).toISOString();
	return { updated_since: since, sort: SORT, cursor: cursor?.text };
}

/** Whether the record last changed before the trigger began. If it shows no time: whether this is the first poll. */
function changedBeforeStart({ timeMs }: Change, { fromMs }: ListPlace, reading: Reading): boolean {
	if (fromMs === 0) return false;
	return timeMs === 0 ? reading.startState.revision === 0 : timeMs < fromMs;
}

/**
 * The place after a page. The list is sorted by `updated_at`, so a walk goes on by time where it can: cursors are opaque,
 * and the document does not say how long one lives.
 *
 * - A page without a cursor ends the walk. The next walk begins at the time when this one began, less the overlap.
 * - Its times ascend, and the last one is later than the time it was asked for: the next page is asked for by that time.
 *   If the last two records share it, the next page may hold more of them, so it is asked for by cursor. That time
 *   counts only if the cursor is refused.
 * - Otherwise the list is sorted by a time that the records do not show, or all records of the page have one time. The
 *   next page is asked for by cursor. If it is refused, everything from `sinceMs` on is read again.
 *
 * @param place of this page
 */
function placeAfter(
	{ changes, nextCursor, askedMs }: ChangesPage,
	place: ListPlace,
	{ overlapMs }: PollLimits,
): ListPlace {
	const { sinceMs, walk } = place;
	const nextSinceMs = walk?.nextSinceMs ?? Math.max(sinceMs, wholeSecond(askedMs - overlapMs));
	if (nextCursor === undefined)
		return { kind: 'list', sinceMs: nextSinceMs, fromMs: 0, walk: null };
	const askedSinceMs = walk?.cursor?.sinceMs ?? sinceMs;
	const cursor = { text: nextCursor, sinceMs: askedSinceMs };
	const times = changes.map(({ timeMs }) => timeMs);
	const lastMs = times.at(-1) ?? 0;
	if (!isAscending(times) || lastMs <= askedSinceMs)
		return { ...place, walk: { nextSinceMs, cursor } };
	const isShared = times.at(-2) === lastMs;
	return { ...place, sinceMs: lastMs, walk: { nextSinceMs, cursor: isShared ? cursor : null } };
}

/** Whether the times ascend. A record without a time is in no order. */
const isAscending = (times: readonly number[]): boolean =>
	times.every((timeMs, n) => timeMs > 0 && (n === 0 || timeMs >= times[n - 1]));

/** Fields in which an event may tell its time. The API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/**
 * Reads on in the event stream, after the last event that was read (API document, "Event stream"). The ids ascend, so
 * nothing else has to be remembered.
 */
async function followStream(startPlace: StreamPlace, reading: Reading): Promise<boolean> {
	let place = startPlace;
	return await reading.eachPage(async () => {
		const { afterEventId, read, fromMs } = place;
		const { changes, hasMore } = await reading.fetch({ after_event_id: afterEventId });
		// Events before the time at which to begin are skipped. The stream is in order: once an event is later, all after
		// it are.
		const first = changes.findIndex(({ record }) => fromMs === 0 || eventTime(record) >= fromMs);
		if (first >= 0) for (const change of changes.slice(first)) reading.addIfChanged(change);
		const lastEvent = changes.at(-1)?.record;
		if (lastEvent === undefined) {
			// From the end on, every event is new.
			reading.place = { ...place, fromMs: 0 };
			return true;
		}
		const lastId = lastEvent.event_id ?? lastEvent.id;
		if (typeof lastId !== 'string' || lastId === afterEventId)
			throw reading.source.endlessError(
				'the event again after which it was asked to go on, or one without an ID',
			);
		place = {
			kind: 'stream',
			afterEventId: lastId,
			read: read + changes.length,
			fromMs: !hasMore || first >= 0 ? 0 : fromMs,
		};
		reading.place = place;
		return !hasMore;
	});
}

/**
 * @returns Unix ms
 * @throws InputError if the event does not tell it
 */
function eventTime(event: IDataObject): number {
	const times = TIME_FIELDS.map((field) => readTimeMs(event[field]));
	const ms = times.find((time) => time !== undefined);
	if (ms !== undefined) return ms;
	throw new InputError(
		'After Event ID',
		'must be set: the events of this platform carry no time',
		'Without a time, the trigger cannot tell where in the stream to begin. Set the filter to the ID of the event after which to begin.',
	);
}

/** How many records can be compared as a whole. */
const MAX_SNAPSHOT = 10_000;

/** How long no request is sent for a list that was too long, unless the filters change. ms. */
const TOO_MANY_MS = 3_600_000;

/**
 * Reads a whole list and compares it with the last reading. Stock levels need this: the API document gives their list
 * no `updated_since`, and their `updated_at` is set by whoever writes them, not by the platform ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
async function compareLevels(place: SnapshotPlace, reading: Reading): Promise<true> {
	const { nowMs, hasTime } = reading.limits;
	if (Math.abs(nowMs - place.tooManyMs) < TOO_MANY_MS) throw tooMany();
	// If two pages show the same level, the later page counts.
	const levels = new Map<string, Change>();
	let cursor: string | undefined;
	do {
		if (!hasTime())
			throw new InputError(
				'Filters',
				'leave more stock levels than one poll has time to read',
				'None were compared. Set Location ID or SKU, with one trigger for each.',
			);
		const page = await reading.fetch({ cursor });
		for (const level of page.changes) levels.set(level.idHash, level);
		if (levels.size > MAX_SNAPSHOT) {
			reading.place = { ...place, tooManyMs: nowMs };
			throw tooMany();
		}
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	for (const level of levels.values())
		if (place.taken) reading.addIfChanged(level);
		else reading.markAsEmitted(level);
	reading.place = { kind: 'snapshot', taken: true, tooManyMs: 0 };
	return true;
}

const tooMany = () =>
	new InputError(
		'Filters',
		`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
		'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger. The list is read again after an hour.',
	);
