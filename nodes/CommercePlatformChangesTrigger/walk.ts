import type { IDataObject } from 'n8n-workflow';

import { InputError, PlatformError } from '../shared/rest/errors';
import type { QueryValue } from '../shared/rest/request';
import {
	bounded,
	type Change,
	type ChangesState,
	type Emission,
	isChanged,
	isFull,
	MEMORY_BOUNDS,
	type Place,
	type PlaceOf,
	readTimeMs,
	startOfWalk,
	type Version,
	type Versions,
	type WalkPlace,
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
class PageLoop {
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

/**
 * Whether the platform answered with an error status. The API document does not show how it refuses an expired cursor.
 */
const isRefused = (error: unknown): boolean =>
	error instanceof PlatformError && error.problem === 'refused';

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
class ListWalk {
	/** The place at which this poll begins. */
	private readonly listPlace: PlaceOf<'list'>;
	private walkPlace: WalkPlace;
	/** How many changes there were when a cursor was last refused. */
	private changesAtRefusal?: number;

	constructor(private readonly loop: PageLoop) {
		this.listPlace = loop.state.place as PlaceOf<'list'>;
		const { sinceMs } = this.listPlace;
		this.walkPlace = this.listPlace.walk ?? { sinceMs, reachedMs: sinceMs };
	}

	/** @returns false if the poll's limits ended it */
	async run(): Promise<boolean> {
		let isComplete = false;
		try {
			isComplete = await this.loop.readOn(async () => await this.readPage());
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
		else this.loop.addIfChanged(change);
	}

	/** Whether the record last changed before the trigger began. If it shows no time: whether this is the first poll. */
	private changedBeforeStart({ timeMs }: Change): boolean {
		const { fromMs } = this.listPlace;
		if (fromMs === undefined) return false;
		return timeMs === 0 ? this.loop.state.revision === 1 : timeMs < fromMs;
	}

	/** The place of the page after this one. */
	private nextPlace({ changes }: ChangesPage, cursor: string): WalkPlace {
		const { walkPlace } = this;
		const times = changes.map(({ timeMs }) => timeMs);
		const lastMs = times.at(-1) ?? 0;
		const afterCursor = { ...walkPlace, cursor };
		// The list is sorted by a time that the records do not show.
		if (!isAscending(times)) return afterCursor;
		// All records of the page have one time.
		if (lastMs <= walkPlace.sinceMs) return afterCursor;
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
		this.changesAtRefusal = loop.changes.size;
		// From the time before which everything has been read.
		this.walkPlace = { ...walkPlace, cursor: undefined, sinceMs: walkPlace.reachedMs };
		loop.beginPass();
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

/** Fields in which an event may tell its time. The API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/**
 * Reads a page of the event stream, after the last event that was read (API document, "Event stream"). The ids ascend,
 * so nothing else has to be remembered.
 *
 * @returns whether that was the last page
 */
async function readEvents(loop: PageLoop): Promise<boolean> {
	const place = loop.state.place as PlaceOf<'stream'>;
	const { afterEventId, fromMs } = place;
	const { changes, hasMore } = await loop.fetch({ after_event_id: afterEventId });
	// Events before the time at which to begin are skipped. The stream is in order: once an event is later, all after it
	// are.
	const first = changes.findIndex(
		({ record }) => fromMs === undefined || eventTime(record) >= fromMs,
	);
	if (first >= 0) for (const change of changes.slice(first)) loop.addIfChanged(change);
	const lastEvent = changes.at(-1)?.record;
	if (lastEvent === undefined) {
		// From here on every event is new.
		loop.state = { ...loop.state, place: { ...place, fromMs: undefined } };
		return true;
	}
	const lastId = lastEvent.event_id ?? lastEvent.id;
	if (typeof lastId !== 'string' || lastId === afterEventId)
		throw loop.source.endlessError(
			'sent the event again after which it was asked to go on, or one without an ID',
		);
	loop.state = {
		...loop.state,
		place: {
			kind: 'stream',
			afterEventId: lastId,
			read: place.read + changes.length,
			fromMs: !hasMore || first >= 0 ? undefined : fromMs,
		},
	};
	return !hasMore;
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
async function walkSnapshot(loop: PageLoop): Promise<true> {
	const { taken, tooManyMs = -Infinity } = loop.state.place as PlaceOf<'snapshot'>;
	if (Math.abs(loop.limits.nowMs - tooManyMs) < TOO_MANY_MS) throw tooMany();
	const levels = await readWhole(loop);
	for (const level of levels.values())
		if (taken) loop.addIfChanged(level);
		else loop.markAsEmitted(level);
	loop.state = { ...loop.state, place: { kind: 'snapshot', taken: true } };
	return true;
}

/** Reads the levels, by their keys. If two pages show the same level, the later page counts. */
async function readWhole(loop: PageLoop): Promise<Map<string, Change>> {
	const levels = new Map<string, Change>();
	let cursor: string | undefined;
	do {
		if (!loop.limits.hasTime())
			throw new InputError(
				'Filters',
				'leave more stock levels than one poll has time to read',
				'None were compared. Set Location ID or SKU, with one trigger for each.',
			);
		const page = await loop.fetch({ cursor });
		for (const change of page.changes) levels.set(change.key, change);
		if (levels.size > MAX_SNAPSHOT) {
			const place = { ...(loop.state.place as PlaceOf<'snapshot'>), tooManyMs: loop.limits.nowMs };
			loop.state = { ...loop.state, place };
			throw tooMany();
		}
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return levels;
}

const tooMany = () =>
	new InputError(
		'Filters',
		`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
		'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger. The list is read again after an hour.',
	);

/** The walk for each kind of place. @returns false if a part is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: async (loop) => await loop.readOn(async () => await readEvents(loop)),
};

/** The result of one poll. */
interface PollResult {
	state: ChangesState;
	/** The changes to emit. */
	changes: readonly Change[];
	/** The error that stopped the walk. The changes before it are emitted all the same. */
	error?: unknown;
}

/**
 * Reads on from the state's place as far as the limits allow, and notes the changes as an emission. It sends only the
 * requests of `source`. It never throws: an error is part of the result.
 *
 * @param isDurable whether n8n stores the state and the execution in one transaction, so that every stored version is
 *   an execution
 * @param emissionId the id of the emission, if there is one
 */
export async function advance(
	startState: ChangesState,
	source: ChangesSource,
	limits: PageLoop['limits'],
	{ isDurable, emissionId }: { isDurable: boolean; emissionId: string },
	bounds = MEMORY_BOUNDS,
): Promise<PollResult> {
	const state = { ...startState, revision: startState.revision + 1 };
	if (isFull(state, bounds)) return { state, changes: [] };
	const loop = new PageLoop(state, source, limits);
	let error: unknown;
	const isComplete = await WALKS[state.place.kind](loop).catch((reason: unknown) => {
		error = reason;
		return false;
	});
	const withChanges = isDurable ? withExecuted(loop) : withEmission(loop, emissionId);
	const remembered = withoutUnread(withChanges, loop, startState, isComplete);
	return { state: bounded(remembered, bounds), changes: [...loop.changes.values()], error };
}

const versionsOf = (changes: ReadonlyMap<string, Change>): Versions =>
	new Map(
		[...changes].map(([key, { timeMs, content }]): [string, Version] => [key, { timeMs, content }]),
	);

/** The state after a poll with durable cursors: its changes are executions as soon as the state is stored. */
function withExecuted({ state, versions, changes }: PageLoop): ChangesState {
	return { ...state, versions: new Map([...without(versions, changes), ...versionsOf(changes)]) };
}

/**
 * The state after a poll without durable cursors: its changes stand in a new emission until they are settled. Older
 * versions of their records are forgotten.
 */
function withEmission(loop: PageLoop, id: string): ChangesState {
	const { state, changes, startPlace } = loop;
	const versions = without(loop.versions, changes);
	if (changes.size === 0) return { ...state, versions };
	const emissions: Emission[] = state.emissions.map((emission) => ({
		...emission,
		versions: without(emission.versions, changes),
	}));
	emissions.push({ id, before: startPlace, versions: versionsOf(changes) });
	return { ...state, versions, emissions };
}

const without = (versions: Versions, changes: ReadonlyMap<string, Change>): Versions =>
	new Map([...versions].filter(([key]) => !changes.has(key)));

/**
 * Forgets the versions of records that a complete walk did not show: no later walk begins earlier. A stream is never
 * read again before its place, so it needs none. Nothing is forgotten while an emission may have to be made again.
 */
function withoutUnread(
	state: ChangesState,
	loop: PageLoop,
	{ place, emissions }: ChangesState,
	isComplete: boolean,
): ChangesState {
	if (emissions.length > 0) return state;
	if (place.kind === 'stream') return { ...state, versions: new Map() };
	if (!isComplete || (place.kind === 'list' && place.walk !== undefined)) return state;
	return {
		...state,
		versions: new Map([...state.versions].filter(([key]) => loop.readKeys.has(key))),
	};
}
