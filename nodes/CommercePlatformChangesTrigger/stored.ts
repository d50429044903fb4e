import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/values/json';
import {
	startOfWalk,
	type ChangesState,
	type Emission,
	type Keys,
	type Place,
	type Subject,
} from './state';
import { KEY_LENGTH } from './walk/change';

/** The name under which n8n keeps the state in the node's static data. */
export const STATE_KEY = 'changes';

/** What a subject without filters has. */
export const NO_FILTERS = '{}';

/** Of the form below. A state of another one is not read. */
const VERSION = 2;

/** Characters of a key's time where it is stored: minutes in base 36. */
const TIME_LENGTH = 6;
const MINUTE_MS = 60_000;
const LAST_MINUTE = 36 ** TIME_LENGTH - 1;

export interface LoadedState {
	/** undefined where the trigger begins anew. */
	state?: ChangesState;
	/** Why the state that was there is not used, as a sentence's end. */
	refused?: string;
}

/** The state as n8n keeps it: plain JSON, each key with its time in 18 characters. */
export function toStored(state: ChangesState): IDataObject {
	const { seen, emissions, ...rest } = state;
	const stored = {
		...rest,
		version: VERSION,
		seen: packKeys(seen),
		emissions: emissions.map((emission) => ({ ...emission, keys: packKeys(emission.keys) })),
	};
	return JSON.parse(JSON.stringify(stored)) as IDataObject;
}

/**
 * Reads what n8n has kept.
 *
 * @param subject what the state must belong to. Only the filters may differ
 */
export function fromStored(stored: unknown, subject: Subject): LoadedState {
	if (stored === undefined || stored === null) return {};
	const state = readState(stored);
	if (state === undefined) return { refused: 'it cannot be read' };
	const refused = foreignness(state.subject, subject);
	return refused === undefined ? { state: withFilters(state, subject) } : { refused };
}

/**
 * The newer of what this process remembers and what n8n has kept. n8n keeps a state only when something is
 * given; a process forgets all when it ends.
 *
 * @param remembered by this process, and the stored state that it goes back to
 */
export function newerState(
	stored: unknown,
	remembered: { state?: ChangesState; origin?: string },
	subject: Subject,
): LoadedState {
	const kept = fromStored(stored, subject);
	const { state: own, origin } = remembered;
	if (own === undefined || foreignness(own.subject, subject) !== undefined) return kept;
	const state = withFilters(own, subject);
	if (kept.state === undefined) return { state };
	// Another process has polled since: what it gave is in its state alone.
	const isOthers = kept.state.process !== own.process && nameOf(kept.state) !== origin;
	return { state: !isOthers && own.revision >= kept.state.revision ? state : kept.state };
}

/** Tells one stored state from another. */
export const nameOf = ({ process, revision }: ChangesState): string => `${process}/${revision}`;

/**
 * The state for the filters that are set now: the lower bound of the same list stays right, and what is in the
 * middle of a walk does not. What waits for n8n's word goes on waiting.
 */
function withFilters(state: ChangesState, subject: Subject): ChangesState {
	if (state.subject.filters === subject.filters) return { ...state, subject };
	const emissions = state.emissions.map((one) => ({ ...one, before: startOfWalk(one.before) }));
	const place: Place =
		state.place.kind === 'snapshot' ? { kind: 'snapshot', taken: false } : startOfWalk(state.place);
	return { ...state, subject, place, emissions, order: undefined, etag: undefined };
}

/** @returns why a state of `theirs` says nothing about `ours`; undefined where it does */
function foreignness(theirs: Subject, ours: Subject): string | undefined {
	if (theirs.workflowId !== ours.workflowId) return 'it belongs to another workflow';
	if (theirs.credential !== ours.credential) return 'it belongs to another credential';
	if (theirs.watch !== ours.watch) return 'it belongs to another choice in Watch';
	const isMoved =
		ours.watch === 'event' && ours.filters !== NO_FILTERS && theirs.filters !== ours.filters;
	return isMoved ? 'it belongs to another event to begin after' : undefined;
}

/** @returns keys that can be stored as JSON */
export function packKeys(keys: Keys): string {
	return [...keys]
		.map(([key, atMs]) => {
			const minutes = Math.min(LAST_MINUTE, Math.max(0, Math.ceil(atMs / MINUTE_MS)));
			return minutes.toString(36).padStart(TIME_LENGTH, '0') + key;
		})
		.join('');
}

/** @returns undefined where this is not what `packKeys` makes */
export function unpackKeys(packed: unknown): Keys | undefined {
	const length = TIME_LENGTH + KEY_LENGTH;
	if (typeof packed !== 'string' || packed.length % length !== 0) return undefined;
	const keys = new Map<string, number>();
	for (let start = 0; start < packed.length; start += length) {
		const minutes = parseInt(packed.slice(start, start + TIME_LENGTH), 36);
		if (Number.isNaN(minutes)) return undefined;
		keys.set(packed.slice(start + TIME_LENGTH, start + length), minutes * MINUTE_MS);
	}
	return keys;
}

function readState(stored: unknown): ChangesState | undefined {
	if (!isObject(stored) || stored.version !== VERSION || !Array.isArray(stored.emissions)) {
		return undefined;
	}
	const seen = unpackKeys(stored.seen);
	const emissions = (stored.emissions as unknown[]).map(readEmission);
	const { subject, revision, place, process } = stored as Record<string, unknown>;
	if (seen === undefined || !isSubject(subject) || !isPlace(place)) return undefined;
	if (!Number.isSafeInteger(revision) || !emissions.every((one) => one !== undefined))
		return undefined;
	const { clocks, newest, order, stalls } = stored;
	return {
		subject,
		revision: revision as number,
		...(typeof process === 'string' ? { process } : {}),
		place,
		seen,
		emissions,
		...(isClocks(clocks) ? { clocks } : {}),
		...(isNewest(newest) ? { newest } : {}),
		...(order === 'kept' || order === 'refused' ? { order } : {}),
		...(isMs(stalls) ? { stalls } : {}),
	};
}

function readEmission(stored: unknown): Emission | undefined {
	if (!isObject(stored)) return undefined;
	const keys = unpackKeys(stored.keys);
	const { id, process, before } = stored;
	if (keys === undefined || typeof process !== 'string' || !isPlace(before)) return undefined;
	return isMs(id) ? { id, process, before, keys } : undefined;
}

const isMs = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= 8.64e15;

const isOptional = (value: unknown, type: 'string' | 'number') =>
	value === undefined || typeof value === type;

const isClocks = (value: unknown): value is NonNullable<ChangesState['clocks']> =>
	isObject(value) &&
	isMs(value.localMs) &&
	(value.platformMs === undefined || isMs(value.platformMs));

const isNewest = (value: unknown): value is NonNullable<ChangesState['newest']> =>
	isObject(value) && isMs(value.ms) && isClocks(value.read);

function isSubject(value: unknown): value is Subject {
	const fields = ['workflowId', 'credential', 'watch', 'filters'];
	return isObject(value) && fields.every((field) => typeof value[field] === 'string');
}

function isPlace(value: unknown): value is Place {
	if (!isObject(value)) return false;
	if (value.kind === 'snapshot') return typeof value.taken === 'boolean';
	const isTimed = isOptional(value.fromMs, 'number');
	if (value.kind === 'stream') {
		return isTimed && isOptional(value.afterEventId, 'string') && isMs(value.read);
	}
	const { stretch } = value;
	return value.kind === 'list' && isMs(value.sinceMs) && isTimed && isStretch(stretch);
}

function isStretch(value: unknown): boolean {
	if (value === undefined) return true;
	if (!isObject(value) || !isMs(value.sinceMs) || !isMs(value.read)) return false;
	return isClocks(value.started) && isOptional(value.cursor, 'string');
}
