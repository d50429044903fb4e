import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/values/json';
import { KEY_LENGTH } from './walk/change';

/** Versions that were given: the key of each, and when the record changed, Unix ms. */
type Keys = ReadonlyMap<string, number>;

/** Two clocks, read at once. Unix ms. */
export interface Clocks {
	/** The platform's, from its Date header; undefined where it sends none. */
	platformMs?: number;
	/** This machine's. */
	localMs: number;
}

/** Where the next poll goes on. Times in Unix ms. */
export type Place =
	| ListPlace
	/** In the event stream. */
	| {
			kind: 'stream';
			/** The last event that was read; undefined before the first. */
			afterEventId?: string;
			/** Events read up to there. */
			read: number;
			/** Events before this time are passed over, because the trigger was to begin there. */
			fromMs?: number;
	  }
	/** In a list that is compared as a whole; not taken before the first comparison, which gives nothing. */
	| { kind: 'snapshot'; taken: boolean };

/** In a list by `updated_since`. */
export interface ListPlace {
	kind: 'list';
	/** Everything that changed before this time has been given. A whole second. */
	sinceMs: number;
	/** In the first walk: what changed before this time was there when the trigger began, and is not given. */
	fromMs?: number;
	/** Of such a walk: where it goes on inside the stretch that has one `updated_since`. */
	stretch?: Stretch;
}

/** Pages with one `updated_since`, one after the other by cursor. */
export interface Stretch {
	sinceMs: number;
	cursor?: string;
	/** The clocks when the walk began that it belongs to. */
	started?: Clocks;
	/** Records read so far. */
	read: number;
}

/** What was handed to n8n, and is not yet known to have become an execution. */
interface Emission {
	/** The revision of the state that holds it first. */
	id: number;
	/** Where to go on from to read it again. */
	before: Place;
	keys: Keys;
}

/** What a state belongs to. A state that belongs to something else is never used. */
export interface Subject {
	workflowId: string;
	/** The credential's ID, which stays when its key is rotated. */
	credential: string;
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
	/** Versions that became executions. */
	seen: Keys;
	/** The oldest first. */
	emissions: readonly Emission[];
	/** The newest `updated_at` that no clock calls a future one, and the clocks after it was first read. */
	newest?: { ms: number; read: Clocks };
	/** Set where the platform has refused to sort. */
	order?: 'refused';
}

/**
 * Where keys are bounded. A key takes 18 characters where it is stored, so all of them stay below 330 kB. Beyond the
 * total the oldest are forgotten: they can then be given once more, never lost.
 */
export const KEY_BOUNDS = {
	/** Of all versions. */
	total: 17_500,
	/** Of emissions of which the end is not known; with more, the next emission waits. */
	pending: 5_000,
};

/**
 * How far below the lower bound a record may lie and still be taken: a platform may write `updated_at` in
 * whole minutes. What lies lower comes from a platform that ignores `updated_since`. ms.
 */
export const ROUNDING_MS = 60_000;

/** `updated_since` in whole seconds, so that a platform that keeps whole seconds counts the same. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** The earlier of the two clocks: either can be ahead of the records', and what is read too often is known. */
export const earliest = ({ platformMs, localMs }: Clocks): number =>
	Math.min(platformMs ?? localMs, localMs);

/** The place in which a walk begins at its lower bound, or at another one. */
export function startOfWalk(place: Place, sinceMs = Infinity): Place {
	if (place.kind !== 'list') return place;
	return { ...place, sinceMs: Math.min(place.sinceMs, sinceMs), stretch: undefined };
}

/** A place from which everything is read that either of two would read; what is read again is known. */
function earlier(one: Place, other: Place): Place {
	if (one.kind === 'stream' && other.kind === 'stream') return one.read <= other.read ? one : other;
	return other.kind === 'list' ? startOfWalk(one, other.sinceMs) : one;
}

/** How the start of an execution ended, as far as this process knows. */
export type Ended = 'done' | 'failed' | 'pending';

/**
 * Takes in how the emissions ended. One that became an execution is remembered as seen. One that did not is read
 * and given again: n8n saves what a node remembers and creates the execution independently of each other, so that
 * either can exist without the other.
 *
 * @returns the state, and how many emissions will be made again
 */
export function settle(state: ChangesState, endedOf: (emission: Emission) => Ended) {
	// The first comparison under other filters gives nothing, so what has failed is given after it.
	const waits = state.place.kind === 'snapshot' && !state.place.taken;
	const seen = new Map(state.seen);
	const emissions: Emission[] = [];
	let { place } = state;
	let repeated = 0;
	for (const emission of state.emissions) {
		const outcome = endedOf(emission);
		if (outcome === 'done') for (const [key, atMs] of emission.keys) seen.set(key, atMs);
		else if (outcome === 'pending' || waits) emissions.push(emission);
		else {
			place = earlier(place, emission.before);
			repeated++;
		}
	}
	return { state: { ...state, seen, emissions, place }, repeated };
}

/** Whether so much waits for n8n's word that nothing may be added to it. */
export const isFull = (state: ChangesState, bounds: typeof KEY_BOUNDS): boolean =>
	pendingKeys(state) >= bounds.pending;

const pendingKeys = ({ emissions }: ChangesState): number =>
	emissions.reduce((sum, { keys }) => sum + keys.size, 0);

/** Forgets what need not be remembered, the oldest first. */
export function bounded(state: ChangesState, bounds: typeof KEY_BOUNDS): ChangesState {
	const from = keepFromMs(state);
	const most = bounds.total - pendingKeys(state);
	const kept = [...state.seen]
		.sort(([, a], [, b]) => b - a)
		.filter(([, atMs], n) => n < most && atMs >= from);
	return { ...state, seen: new Map(kept) };
}

/** What changed at this time or later can be read again, Unix ms. */
function keepFromMs({ place, emissions }: ChangesState): number {
	const bounds = [place, ...emissions.map(({ before }) => before)].map((one) => {
		if (one.kind === 'list') return one.sinceMs - ROUNDING_MS;
		// The stream goes on behind its last event; it reads nothing again unless an emission failed.
		return one.kind === 'stream' && emissions.length === 0 ? Infinity : 0;
	});
	return Math.min(...bounds);
}

/** Characters of a key's time where it is stored: minutes in base 36. */
const TIME_LENGTH = 6;
const MINUTE_MS = 60_000;
const LAST_MINUTE = 36 ** TIME_LENGTH - 1;

const packKeys = (keys: Keys): string =>
	[...keys]
		.map(([key, atMs]) => {
			const minutes = Math.min(LAST_MINUTE, Math.max(0, Math.ceil(atMs / MINUTE_MS)));
			return minutes.toString(36).padStart(TIME_LENGTH, '0') + key;
		})
		.join('');

const PACKED = new RegExp(`(.{${TIME_LENGTH}})(.{${KEY_LENGTH}})`, 'g');

const timeMs = (minutes: string): number => parseInt(minutes, 36) * MINUTE_MS;

const unpackKeys = (packed: string): Keys =>
	new Map([...packed.matchAll(PACKED)].map(([, minutes, key]) => [key, timeMs(minutes)]));

/** The fields that hold keys. */
const KEYS = new Set(['keys', 'seen']);

/** With the form of the state, so that one of another form is not read. */
const checksum = (text: string): string =>
	createHash('sha256').update(`changes 4 ${text}`).digest('base64url');

/** The state as n8n keeps it: each key with its time in 18 characters, and a checksum, so that only this is read. */
export function toStored(state: ChangesState): IDataObject {
	const text = JSON.stringify(state, (_name, value: unknown) =>
		value instanceof Map ? packKeys(value) : value,
	);
	return { text, checksum: checksum(text) };
}

/** @returns undefined where this is not what `toStored` made */
function fromStored(stored: unknown): ChangesState | undefined {
	if (!isObject(stored) || typeof stored.text !== 'string') return undefined;
	if (checksum(stored.text) !== stored.checksum) return undefined;
	return JSON.parse(stored.text, (name, value: unknown) =>
		KEYS.has(name) ? unpackKeys(String(value)) : value,
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
	own: ChangesState | undefined,
	subject: Subject,
): { state?: ChangesState; refused?: string } {
	const kept = fromStored(stored);
	const usable = [own, kept].filter((one) => one && !foreignness(one.subject, subject));
	const [state] = usable.sort((a, b) => (b?.revision ?? 0) - (a?.revision ?? 0));
	if (state !== undefined) return { state: withFilters(state, subject) };
	if (stored === undefined || stored === null) return {};
	return { refused: kept ? foreignness(kept.subject, subject) : 'it cannot be read' };
}

/**
 * The state for the filters that are set now: the lower bound of the same list stays right, and what is in the
 * middle of a walk does not. What waits for n8n's word goes on waiting.
 */
function withFilters(state: ChangesState, subject: Subject): ChangesState {
	if (state.subject.filters === subject.filters) return { ...state, subject };
	const emissions = state.emissions.map((one) => ({ ...one, before: startOfWalk(one.before) }));
	const place: Place =
		state.place.kind === 'snapshot' ? { kind: 'snapshot', taken: false } : startOfWalk(state.place);
	return { ...state, subject, place, emissions, order: undefined };
}

/** @returns why a state of `theirs` says nothing about `ours`; undefined where it does */
function foreignness(theirs: Subject, ours: Subject): string | undefined {
	if (theirs.workflowId !== ours.workflowId) return 'it belongs to another workflow';
	if (theirs.credential !== ours.credential) return 'it belongs to another credential';
	if (theirs.watch !== ours.watch) return 'it belongs to another choice in Watch';
	const isMoved =
		ours.watch === 'event' && ours.filters !== '{}' && theirs.filters !== ours.filters;
	return isMoved ? 'it belongs to another event to begin after' : undefined;
}
