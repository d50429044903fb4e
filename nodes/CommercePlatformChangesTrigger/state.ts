import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { canonicalJson, isObject, pick } from '../shared/values/json';

/** What tells one version of a record from the next one. */
export interface Version {
	/** The record's `updated_at`, Unix ms; 0 if it has none. */
	timeMs: number;
	contentHash: string;
}

/** The version of each record that was emitted last, or counts as if it had been, by the hash of the record's ID. */
export type Versions = ReadonlyMap<string, Version>;

/** A record that a page holds, with its version. */
export interface Change extends Version {
	record: IDataObject;
	id: string;
	/** The version is remembered under it. */
	idHash: string;
}

/** What tells the records of a list apart, and the versions of a record. */
export interface Identity {
	/** The fields that name a record, e.g. `['sku', 'location_id']`. */
	idFields: readonly string[];
	/** The fields that make a version, if those are not `updated_at` and the whole record; none for an event. */
	versionFields?: readonly string[];
}

/**
 * Characters of 6 bits each, 42 bits together. A new record has the hash of one of 10,000 others once in 440 million
 * times.
 */
const ID_HASH_LENGTH = 7;
/** 30 bits: two contents of one record have the same hash once in a thousand million times. */
const CONTENT_HASH_LENGTH = 5;

/** Reads a record of a list, an event or a stock level. */
export function readChange(record: IDataObject, { idFields, versionFields }: Identity): Change {
	const values = idFields.map((field) => record[field]);
	const isNamed = values.every((value) => ['string', 'number'].includes(typeof value));
	const content = canonicalJson(versionFields ? pick(record, versionFields) : record);
	const id = isNamed ? values.join('@') : `#${hash(canonicalJson(record))}`;
	const timeMs = versionFields ? 0 : Math.max(0, readTimeMs(record.updated_at) ?? 0);
	return {
		record,
		id,
		idHash: hash(id).slice(0, ID_HASH_LENGTH),
		timeMs,
		contentHash: hash(content).slice(0, CONTENT_HASH_LENGTH),
	};
}

/**
 * Whether a record has changed since a version of it was emitted.
 * - A later time is a change.
 * - With a time in whole seconds, or without one, other content is a change.
 * - A time with a fraction of a second decides alone: a field that differs at every reading is no change.
 */
export function isChanged(version: Version, previous: Version): boolean {
	if (version.timeMs > previous.timeMs) return true;
	if (version.timeMs % 1000 > 0) return false;
	return version.contentHash !== previous.contentHash;
}

/** ISO 8601 with a zone (API document, "Conventions"). */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[\d:.]{0,20}(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * Reads a point in time from a record.
 *
 * @returns Unix ms; undefined if it is no time
 */
export function readTimeMs(value: unknown): number | undefined {
	const ms = typeof value === 'string' && ISO_TIME.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? undefined : ms;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The place from which the next poll reads on. n8n stores it, so its names stay. Times in Unix ms. */
export type Place = ListPlace | StreamPlace | SnapshotPlace;

/**
 * A place in a list by `updated_since`. The list is read in walks: each goes from a time to the end of the list, in one
 * poll or in several.
 */
export interface ListPlace {
	kind: 'list';
	/** Everything that changed before this time has been read. A walk begins at a whole second. */
	sinceMs: number;
	/** In the first walk: a record that last changed before this time is not emitted. 0 in later walks. */
	fromMs: number;
	/** The walk that a poll's limits or an error ended, for the next poll to go on with; null between two walks. */
	walk: OpenWalk | null;
}

interface OpenWalk {
	/** Where the next walk begins: when this one began, by the platform's clock, less the overlap. */
	nextSinceMs: number;
	/** Leads to the next page, together with the `updated_since` of the page before. Null: that page begins at `sinceMs`. */
	cursor: { text: string; sinceMs: number } | null;
}

/** A place in the event stream. */
export interface StreamPlace {
	kind: 'stream';
	/** The last event that was read; undefined before the first. */
	afterEventId?: string;
	/** How many events were read up to there. */
	read: number;
	/** Until an event of this time or a later one was read, events are skipped. 0 afterwards. */
	fromMs: number;
}

/** A place in a list that is compared as a whole. */
export interface SnapshotPlace {
	kind: 'snapshot';
	/**
	 * Whether the list was read with these filters. The first reading emits nothing: there is nothing to compare with.
	 */
	taken: boolean;
	/** When there were too many records to compare; 0 if there were not. */
	tooManyMs: number;
}

/** The place of a list before it is compared for the first time. */
export const FIRST_SNAPSHOT: SnapshotPlace = { kind: 'snapshot', taken: false, tooManyMs: 0 };

/** Changes that were handed to n8n, until they are settled: until it is known whether they became an execution. */
export interface Emission {
	/**
	 * Names the process, because only that process can know what became of it. With durable cursors all have one text,
	 * since the state that holds them is stored with their execution. See `emissionOutcome`.
	 */
	id: string;
	/** The place from which a poll reads its changes again. */
	before: Place;
	versions: Versions;
}

/** What a state belongs to. A state is never used for another subject. */
export interface Subject {
	workflowId: string;
	/** The credential's ID, which stays when its key is rotated. */
	credential: string;
	/** The credential's Base URL. */
	address: string;
	watch: string;
	/** The filters as they are sent. */
	filters: string;
}

/** Everything that the trigger remembers. A state is never changed in place. */
export interface ChangesState {
	subject: Subject;
	/** Grows with every poll. */
	revision: number;
	place: Place;
	/**
	 * The versions that became an execution, or count as if they had; those read last stand last. A record is either here
	 * or in one emission.
	 */
	versions: Versions;
	/** The emissions that are not settled, the oldest first. */
	emissions: readonly Emission[];
}

/**
 * How many versions are remembered. A stored version takes 20 characters, so all of them stay below 350 kB. Beyond the
 * total, those read longest ago are forgotten: these records may be emitted once more, but none is lost.
 */
export const MEMORY_BOUNDS = {
	/** Versions at most. */
	total: 17_000,
	/** If so many versions stand in emissions that are not settled, a poll reads and emits nothing. */
	pending: 5_000,
};

/** Rounds down to a whole second for `updated_since`, because a platform may keep whole seconds only. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** The place at which a list's walk begins again: where no change is passed over, or at an earlier time. */
function startOfWalk(place: Place, earlierMs = Infinity): Place {
	if (place.kind !== 'list') return place;
	const { sinceMs, walk } = place;
	const startMs = walk === null ? sinceMs : wholeSecond(Math.min(sinceMs, walk.nextSinceMs));
	return { ...place, sinceMs: Math.min(startMs, earlierMs), walk: null };
}

/** The earlier of two places: from there, a poll reads everything that it would read from either. */
function earlierPlace(a: Place, b: Place): Place {
	if (a.kind === 'stream' && b.kind === 'stream') return a.read <= b.read ? a : b;
	return b.kind === 'list' ? startOfWalk(a, b.sinceMs) : a;
}

/** What became of an emission: n8n has made an execution of it, or has made none, or has not reported yet. */
export type EmissionOutcome = 'done' | 'failed' | 'pending';

/**
 * Takes in the outcomes of the emissions. The versions of an execution are remembered. If there is no execution, the
 * versions are forgotten, so their records are read and emitted again. That is needed because n8n stores the state and
 * creates the execution independently of each other: either can exist without the other.
 *
 * @returns the state, and how many emissions are to be made again
 */
export function settle(state: ChangesState, outcomeOf: (emission: Emission) => EmissionOutcome) {
	// The first comparison under other filters emits nothing. So a failed emission waits until the poll after it.
	const isFirstComparison = state.place.kind === 'snapshot' && !state.place.taken;
	const versions = new Map(state.versions);
	const emissions: Emission[] = [];
	let { place } = state;
	let repeated = 0;
	for (const emission of state.emissions) {
		const outcome = outcomeOf(emission);
		if (outcome === 'done')
			for (const [idHash, version] of emission.versions) versions.set(idHash, version);
		else if (outcome === 'pending' || isFirstComparison) emissions.push(emission);
		else {
			place = earlierPlace(place, emission.before);
			repeated++;
		}
	}
	return { state: { ...state, versions, emissions, place }, repeated };
}

/** What a poll has read on from a state. */
export interface WhatWasRead {
	readonly startState: ChangesState;
	/** From where the next poll reads on. */
	readonly place: Place;
	/** The changes to emit, by the hashes of the records' IDs. */
	readonly changes: ReadonlyMap<string, Change>;
	/** The versions that became an execution, or count as if they had. */
	readonly versions: Versions;
	/** All records that were read, by the hashes of their IDs. */
	readonly records: ReadonlySet<string>;
}

/**
 * The state after a poll. Its changes stand in a new emission until that is settled.
 *
 * @param isComplete whether nothing is left for the next poll
 * @param emissionId the id of the emission, if there are changes
 */
export function stateAfter(
	read: WhatWasRead,
	isComplete: boolean,
	emissionId: string,
	bounds: typeof MEMORY_BOUNDS,
): ChangesState {
	const { startState, place } = read;
	const after = {
		...startState,
		revision: startState.revision + 1,
		place,
		versions: versionsToKeep(read, isComplete),
		emissions: withEmission(read, emissionId),
	};
	return bounded(after, bounds);
}

/** The emissions after a poll. Versions in earlier ones are forgotten if the records have changed again. */
function withEmission({ startState, changes }: WhatWasRead, id: string): readonly Emission[] {
	const { place, emissions } = startState;
	if (changes.size === 0) return emissions;
	const versions = new Map<string, Version>();
	for (const [idHash, { timeMs, contentHash }] of changes)
		versions.set(idHash, { timeMs, contentHash });
	const earlier = emissions.map((emission) => ({
		...emission,
		versions: without(emission.versions, changes),
	}));
	return [...earlier, { id, before: startOfWalk(place), versions }];
}

/**
 * The versions to remember beside those in emissions. Forgotten are those of records that a complete walk did not show:
 * no later walk begins earlier. A stream is never read again before its place, so it needs none. While an emission may
 * have to be made again, nothing is forgotten.
 */
function versionsToKeep(
	{ startState: { place, emissions }, changes, versions, records }: WhatWasRead,
	isComplete: boolean,
): Versions {
	const others = without(versions, changes);
	if (emissions.length > 0) return others;
	if (place.kind === 'stream') return new Map();
	// A walk that began in an earlier poll has shown more than this poll has read.
	if (!isComplete || (place.kind === 'list' && place.walk !== null)) return others;
	return new Map([...others].filter(([idHash]) => records.has(idHash)));
}

/** Versions but those of these records. */
const without = (versions: Versions, records: ReadonlyMap<string, unknown>): Versions =>
	new Map([...versions].filter(([idHash]) => !records.has(idHash)));

/** Whether so many versions are not settled that no emission may be added. */
export const isFull = (state: ChangesState, bounds: typeof MEMORY_BOUNDS): boolean =>
	pendingCount(state) >= bounds.pending;

const pendingCount = ({ emissions }: ChangesState): number =>
	emissions.reduce((sum, { versions }) => sum + versions.size, 0);

/** Forgets the versions beyond the total, those read longest ago first. */
export function bounded(state: ChangesState, bounds: typeof MEMORY_BOUNDS): ChangesState {
	const surplus = Math.max(0, state.versions.size + pendingCount(state) - bounds.total);
	return surplus === 0
		? state
		: { ...state, versions: new Map([...state.versions].slice(surplus)) };
}

/** How many characters a time has: 6 bytes in base64url, for Unix ms up to the year 9999. */
const TIME_LENGTH = 8;

function packTime(timeMs: number): string {
	const bytes = Buffer.alloc(6);
	bytes.writeUIntBE(timeMs, 0, 6);
	return bytes.toString('base64url');
}

const unpackTime = (text: string): number => Buffer.from(text, 'base64url').readUIntBE(0, 6);

/** Packs versions for n8n to store: 20 characters each. */
const packVersions = (versions: Versions): string =>
	[...versions]
		.map(([idHash, { timeMs, contentHash }]) => idHash + packTime(timeMs) + contentHash)
		.join('');

const PACKED = new RegExp(
	`(.{${ID_HASH_LENGTH}})(.{${TIME_LENGTH}})(.{${CONTENT_HASH_LENGTH}})`,
	'g',
);

/** Unpacks what `packVersions` has packed, in the same order. */
const unpackVersions = (packed: string): Versions =>
	new Map(
		[...packed.matchAll(PACKED)].map(([, idHash, time, contentHash]): [string, Version] => [
			idHash,
			{ timeMs: unpackTime(time), contentHash },
		]),
	);

/** The number stands for the form of the state: a state of another form has another checksum, and is not read. */
const checksum = (text: string): string =>
	createHash('sha256').update(`changes 8 ${text}`).digest('base64url');

/** The state in the form in which n8n stores it. Only a text with the right checksum is read back. */
export function toStored(state: ChangesState): IDataObject {
	const text = JSON.stringify(state, (_name, value: unknown) =>
		value instanceof Map ? packVersions(value) : value,
	);
	return { text, checksum: checksum(text) };
}

/** @returns undefined if this is not what `toStored` made */
function fromStored(stored: unknown): ChangesState | undefined {
	if (!isObject(stored) || typeof stored.text !== 'string') return undefined;
	if (checksum(stored.text) !== stored.checksum) return undefined;
	return JSON.parse(stored.text, (name, value: unknown) =>
		name === 'versions' ? unpackVersions(String(value)) : value,
	) as ChangesState;
}

/**
 * Chooses the newer of two states, the one that n8n has stored and the one that this process remembers. Only the
 * filters of its subject may have changed. Without durable cursors, n8n stores a state only if the poll emits
 * something. A process forgets its state when it ends.
 *
 * @returns no state if the trigger begins anew; `refused`: why a state is not used, as the end of a sentence
 */
export function loadState(
	stored: unknown,
	remembered: ChangesState | undefined,
	subject: Subject,
): { state?: ChangesState; refused?: string } {
	const storedState = fromStored(stored);
	const usable = [remembered, storedState].filter(
		(state) => state && !whyForeign(state.subject, subject),
	);
	const [state] = usable.sort((a, b) => (b?.revision ?? 0) - (a?.revision ?? 0));
	if (state !== undefined) return { state: withFilters(state, subject) };
	const unusable = storedState ?? remembered;
	if (unusable !== undefined) return { refused: whyForeign(unusable.subject, subject) };
	return stored === undefined || stored === null ? {} : { refused: 'it cannot be read' };
}

/**
 * The state for the filters that are set now. The time from which a list is read stays valid; a walk under way begins
 * again. Emissions that are not settled stay.
 */
function withFilters(state: ChangesState, subject: Subject): ChangesState {
	if (state.subject.filters === subject.filters) return state;
	const isSnapshot = state.place.kind === 'snapshot';
	return { ...state, subject, place: isSnapshot ? FIRST_SNAPSHOT : startOfWalk(state.place) };
}

/** What tells subjects apart, in the user's words. */
const SUBJECT_NAMES = {
	workflowId: 'workflow',
	credential: 'credential',
	address: 'Base URL',
	watch: 'choice in Watch',
} as const;

/** @returns why a state of the subject `theirs` cannot be used for `ours`; undefined if it can */
function whyForeign(theirs: Subject, ours: Subject): string | undefined {
	const fields = Object.keys(SUBJECT_NAMES) as Array<keyof typeof SUBJECT_NAMES>;
	const other = fields.find((field) => theirs[field] !== ours[field]);
	if (other !== undefined) return `it belongs to another ${SUBJECT_NAMES[other]}`;
	const isMoved =
		ours.watch === 'event' && ours.filters !== '{}' && theirs.filters !== ours.filters;
	return isMoved ? 'it belongs to another After Event ID' : undefined;
}
