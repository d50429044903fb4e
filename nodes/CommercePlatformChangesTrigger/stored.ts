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
const NO_FILTERS = '{}';

/** Of the form below. A state of another one is not read. */
const VERSION = 2;

/** Characters of a key's time where it is stored: minutes in base 36. */
const TIME_LENGTH = 6;
const MINUTE_MS = 60_000;
const LAST_MINUTE = 36 ** TIME_LENGTH - 1;

interface LoadedState {
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
 */
export function newerState(
	stored: unknown,
	own: ChangesState | undefined,
	subject: Subject,
): LoadedState {
	const kept = fromStored(stored, subject);
	if (own === undefined || foreignness(own.subject, subject) !== undefined) return kept;
	const isNewer = kept.state === undefined || own.revision >= kept.state.revision;
	return isNewer ? { state: withFilters(own, subject) } : kept;
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

/** What a part of the state is, with a question mark where it may be missing. */
type Shape = 'number' | 'number?' | 'string' | 'string?' | 'boolean' | 'boolean?' | Shapes;
interface Shapes {
	[name: string]: Shape;
}

const CLOCKS: Shapes = { platformMs: 'number?', localMs: 'number' };
const NEWEST: Shapes = { ms: 'number', read: CLOCKS };
const STRETCH: Shapes = {
	sinceMs: 'number',
	cursor: 'string?',
	started: CLOCKS,
	read: 'number',
	isDirty: 'boolean?',
};
const PLACES: Record<string, Shapes | undefined> = {
	list: { sinceMs: 'number', fromMs: 'number?' },
	stream: { afterEventId: 'string?', read: 'number', fromMs: 'number?' },
	snapshot: { taken: 'boolean' },
};
const STATE: Shapes = {
	revision: 'number',
	subject: { workflowId: 'string', credential: 'string', watch: 'string', filters: 'string' },
	stalls: 'number?',
};

function fits(value: unknown, shape: Shape): boolean {
	if (typeof shape === 'object') {
		return isObject(value) && Object.entries(shape).every(([name, one]) => fits(value[name], one));
	}
	if (value === undefined) return shape.endsWith('?');
	// A time beyond this cannot be shown.
	if (typeof value === 'number' && !(Math.abs(value) <= 8.64e15)) return false;
	return typeof value === shape.replace('?', '');
}

function readState(stored: unknown): ChangesState | undefined {
	if (!isObject(stored) || stored.version !== VERSION || !Array.isArray(stored.emissions)) {
		return undefined;
	}
	const { subject, revision, place, stalls, clocks, newest, order } = stored;
	const seen = unpackKeys(stored.seen);
	const emissions = (stored.emissions as unknown[]).map(readEmission);
	if (!fits(stored, STATE) || seen === undefined || !isPlace(place)) return undefined;
	if (emissions.includes(undefined)) return undefined;
	const known = {
		...(stalls === undefined ? {} : { stalls }),
		...(fits(clocks, CLOCKS) ? { clocks } : {}),
		...(fits(newest, NEWEST) ? { newest } : {}),
		...(order === 'kept' || order === 'refused' ? { order } : {}),
	};
	return { subject, revision, place, seen, emissions, ...known } as unknown as ChangesState;
}

function readEmission(stored: unknown): Emission | undefined {
	if (!isObject(stored) || !fits(stored, { id: 'number', process: 'string' })) return undefined;
	const keys = unpackKeys(stored.keys);
	if (keys === undefined || !isPlace(stored.before)) return undefined;
	return { ...stored, keys } as unknown as Emission;
}

function isPlace(value: unknown): boolean {
	const shape = isObject(value) ? PLACES[String(value.kind)] : undefined;
	if (!isObject(value) || shape === undefined || !fits(value, shape)) return false;
	return value.stretch === undefined || fits(value.stretch, STRETCH);
}
