import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/values/json';
import { packVersions, unpackVersions } from './packed';
import type { Versions } from './walk/change';

/** Where the next poll goes on. Times in Unix ms. */
export type Place = ListPlace | StreamPlace | SnapshotPlace;

/** In the event stream. */
export interface StreamPlace {
	kind: 'stream';
	/** The last event that was read; undefined before the first. */
	afterEventId?: string;
	/** Events read up to there. */
	read: number;
	/** Events before this time are passed over, because the trigger was to begin there. */
	fromMs?: number;
}

/** In a list that is compared as a whole. */
export interface SnapshotPlace {
	kind: 'snapshot';
	/** False before the first comparison, which gives nothing. */
	taken: boolean;
}

/** In a list by `updated_since`. */
export interface ListPlace {
	kind: 'list';
	/** Where a walk begins: everything that changed before this time has been given. A whole second. */
	sinceMs: number;
	/** In the first walk: what changed before this time was there when the trigger began, and is not given. */
	fromMs?: number;
	/** A walk that a poll's limits ended, and with which the next poll goes on. */
	walk?: WalkPlace;
}

/** Where a walk through a list has come to. */
export interface WalkPlace {
	/** The `updated_since` of the next page. */
	sinceMs: number;
	/** Leads to the next page, from one that was asked for with the same `updated_since`. */
	cursor?: string;
	/** Where to go on if the cursor is refused: everything before this time has been read. */
	reachedMs: number;
	/** When the walk began. */
	startedAt?: ReadingTime;
	/** Whether the platform has refused to sort this walk. */
	isUnsorted?: true;
	/** Records read by cursors because they could not be asked for by time. */
	readByCursor: number;
}

/** When a page was asked for. */
export interface ReadingTime {
	/** The earlier of the platform's clock and this machine's: either can be ahead of the records'. Unix ms. */
	nowMs: number;
	/** The platform's clock, where it has told its time, else this machine's. Unix ms. */
	clockMs: number;
	/** Whether the platform has told its time. */
	isPlatformTime: boolean;
}

/** What was handed to n8n, and is not yet known to have become an execution. */
export interface Emission {
	/** The revision of the state that holds it first. */
	id: number;
	/** The process that handed it over. */
	process: string;
	/** Where to go on from to read it again. */
	before: Place;
	versions: Versions;
}

/** What a state belongs to. A state that belongs to something else is never used. */
export interface Subject {
	workflowId: string;
	/** The credential's ID, which stays when its key is rotated. */
	credential: string;
	/** The credential's Base URL. */
	address: string;
	watch: string;
	/** As they are sent. */
	filters: string;
}

/** Everything that the trigger remembers. It is never changed in place. */
export interface ChangesState {
	subject: Subject;
	/** Grows with every poll. */
	revision: number;
	place: Place;
	/** Of what became an execution; what was read last stands last. A record stands here or in one emission. */
	versions: Versions;
	/** The oldest first. */
	emissions: readonly Emission[];
	/** The newest `updated_at` that is not in the future, and the clock when it was first read. Unix ms. */
	newest?: { timeMs: number; readAtMs: number };
	/** How far the latest poll's last record is behind the clock, where more was left for the next poll. ms. */
	behindMs?: number;
}

/**
 * How many versions are remembered. One takes 19 characters where it is stored, so all of them stay below 330 kB.
 * Beyond the total, those that were read longest ago are forgotten: they can then be given once more, never lost.
 */
export const MEMORY_BOUNDS = {
	/** Of all versions. */
	total: 17_000,
	/** Emissions whose end is not known yet, at most. With more, the next emission waits. */
	pending: 5_000,
};

/** `updated_since` in whole seconds, so that a platform that keeps whole seconds counts the same. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** The place in which a walk begins at its lower bound, or at another one. */
export function startOfWalk(place: Place, sinceMs = Infinity): Place {
	if (place.kind !== 'list') return place;
	return { ...place, sinceMs: Math.min(place.sinceMs, sinceMs), walk: undefined };
}

/** The place from which a poll reads what it would read from either of two. */
function earlier(place: Place, other: Place): Place {
	if (place.kind === 'stream' && other.kind === 'stream')
		return place.read <= other.read ? place : other;
	return other.kind === 'list' ? startOfWalk(place, other.sinceMs) : place;
}

/** How the start of an execution ended, as far as this process knows. */
export type HandoverOutcome = 'done' | 'failed' | 'pending';

/**
 * Takes in how the emissions ended. What became an execution is remembered as given. What did not is forgotten, read
 * again and given again: n8n saves what a node remembers and creates the execution independently of each other, so
 * that either can exist without the other.
 *
 * @returns the state, and how many emissions will be made again
 */
export function settle(state: ChangesState, outcomeOf: (emission: Emission) => HandoverOutcome) {
	// The first comparison under other filters gives nothing, so what has failed is given after it.
	const waits = state.place.kind === 'snapshot' && !state.place.taken;
	const versions = new Map(state.versions);
	const emissions: Emission[] = [];
	let { place } = state;
	let repeated = 0;
	for (const emission of state.emissions) {
		const outcome = outcomeOf(emission);
		if (outcome === 'done')
			for (const [key, version] of emission.versions) versions.set(key, version);
		else if (outcome === 'pending' || waits) emissions.push(emission);
		else {
			place = earlier(place, emission.before);
			repeated++;
		}
	}
	return { state: { ...state, versions, emissions, place }, repeated };
}

/** Whether so much waits for n8n's word that nothing may be added to it. */
export const isFull = (state: ChangesState, bounds: typeof MEMORY_BOUNDS): boolean =>
	pendingCount(state) >= bounds.pending;

const pendingCount = ({ emissions }: ChangesState): number =>
	emissions.reduce((sum, { versions }) => sum + versions.size, 0);

/** Forgets the versions beyond the total that were read longest ago. */
export function bounded(state: ChangesState, bounds: typeof MEMORY_BOUNDS): ChangesState {
	const tooMany = Math.max(0, state.versions.size + pendingCount(state) - bounds.total);
	return tooMany === 0
		? state
		: { ...state, versions: new Map([...state.versions].slice(tooMany)) };
}

/** With the form of the state, so that one of another form is not read. */
const checksum = (text: string): string =>
	createHash('sha256').update(`changes 5 ${text}`).digest('base64url');

/** The state as n8n keeps it, with a checksum, so that only this is read. */
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
 * The newer of what n8n has kept and what this process remembers, as far as it belongs to the subject; only the
 * filters may differ. n8n keeps a state only when something is given; a process forgets all when it ends.
 *
 * @returns no state where the trigger begins anew; then why what was kept is not used, as a sentence's end
 */
export function loadState(
	stored: unknown,
	remembered: ChangesState | undefined,
	subject: Subject,
): { state?: ChangesState; refused?: string } {
	const kept = fromStored(stored);
	const usable = [remembered, kept].filter(
		(state) => state && !foreignness(state.subject, subject),
	);
	const [state] = usable.sort((a, b) => (b?.revision ?? 0) - (a?.revision ?? 0));
	if (state !== undefined) return { state: withFilters(state, subject) };
	const unusable = kept ?? remembered;
	if (unusable !== undefined) return { refused: foreignness(unusable.subject, subject) };
	return stored === undefined || stored === null ? {} : { refused: 'it cannot be read' };
}

/**
 * The state for the filters that are set now: the lower bound of the same list stays right, and what is in the
 * middle of a walk does not. What waits for n8n's word goes on waiting.
 */
function withFilters(state: ChangesState, subject: Subject): ChangesState {
	if (state.subject.filters === subject.filters) return { ...state, subject };
	const emissions = state.emissions.map((emission) => ({
		...emission,
		before: startOfWalk(emission.before),
	}));
	const place: Place =
		state.place.kind === 'snapshot' ? { kind: 'snapshot', taken: false } : startOfWalk(state.place);
	return { ...state, subject, place, emissions };
}

/** @returns why a state of `theirs` says nothing about `ours`; undefined if it does */
function foreignness(theirs: Subject, ours: Subject): string | undefined {
	if (theirs.workflowId !== ours.workflowId) return 'it belongs to another workflow';
	if (theirs.credential !== ours.credential) return 'it belongs to another credential';
	if (theirs.address !== ours.address) return 'it belongs to another Base URL';
	if (theirs.watch !== ours.watch) return 'it belongs to another choice in Watch';
	const isMoved =
		ours.watch === 'event' && ours.filters !== '{}' && theirs.filters !== ours.filters;
	return isMoved ? 'it belongs to another event to begin after' : undefined;
}
