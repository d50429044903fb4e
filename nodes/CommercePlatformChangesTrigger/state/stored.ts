import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { packKeys, unpackKeys } from './keys';
import { walkFrom } from './place';
import type { ChangesState, Emission, Place, Subject } from './state';

/** What a subject without filters has. */
export const NO_FILTERS = '{}';

/** Of the form below. A state of another one is not read. */
const VERSION = 1;

/** What is to be made of the state that n8n has kept for the node. */
export type StoredState =
	| { kind: 'none' }
	| { kind: 'usable'; state: ChangesState }
	/** It belongs to something else, or cannot be read. */
	| { kind: 'refused'; reason: string };

/** The state as n8n keeps it. */
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
 * @param subject what the state must belong to. Only the filters may differ: the lower bound of the same list
 *   stays right, and what is in the middle of a walk does not
 */
export function fromStored(stored: unknown, subject: Subject): StoredState {
	if (stored === undefined || stored === null) return { kind: 'none' };
	const state = readState(stored);
	if (state === undefined) return { kind: 'refused', reason: 'it cannot be read' };
	const reason = foreignness(state.subject, subject);
	if (reason !== undefined) return { kind: 'refused', reason };
	return { kind: 'usable', state: withFilters(state, subject) };
}

/** The state for the filters that are set now. */
export function withFilters(state: ChangesState, subject: Subject): ChangesState {
	if (state.subject.filters === subject.filters) return state;
	// What was handed over under other filters is read again under these, where they still let it through.
	const place = startOfWalk(state.emissions[0]?.before ?? state.place);
	return { ...state, subject, place, emissions: [], unsorted: undefined, etag: undefined };
}

function startOfWalk(place: Place): Place {
	if (place.kind === 'list') return walkFrom(place);
	return place.kind === 'snapshot' ? { kind: 'snapshot', taken: false } : place;
}

/** @returns why a state of `theirs` says nothing about `ours`; undefined where it does */
export function foreignness(theirs: Subject, ours: Subject): string | undefined {
	if (theirs.workflowId !== ours.workflowId) return 'it belongs to another workflow';
	if (theirs.account !== ours.account) return 'it belongs to another address of the credential';
	if (theirs.watch !== ours.watch) return 'it belongs to another choice in Watch';
	const isMoved =
		ours.watch === 'event' && ours.filters !== NO_FILTERS && theirs.filters !== ours.filters;
	return isMoved ? 'it belongs to another event to begin after' : undefined;
}

function readState(stored: unknown): ChangesState | undefined {
	if (!isObject(stored) || stored.version !== VERSION || !Array.isArray(stored.emissions)) {
		return undefined;
	}
	const seen = unpackKeys(stored.seen);
	const emissions = (stored.emissions as unknown[]).map(readEmission);
	const { subject, revision, place } = stored as Partial<Record<keyof ChangesState, unknown>>;
	if (seen === undefined || !isSubject(subject) || !isPlace(place)) return undefined;
	if (!Number.isSafeInteger(revision) || !emissions.every((one) => one !== undefined))
		return undefined;
	const { clocks, newestMs, unsorted } = stored;
	const numbers = isObject(clocks) && isMs(clocks.platformMs) && isMs(clocks.localMs);
	return {
		subject,
		revision: revision as number,
		place,
		seen,
		emissions,
		...(numbers ? { clocks: clocks as unknown as ChangesState['clocks'] } : {}),
		...(isMs(newestMs) ? { newestMs } : {}),
		...(unsorted === true ? { unsorted } : {}),
	};
}

function readEmission(stored: unknown): Emission | undefined {
	if (!isObject(stored)) return undefined;
	const keys = unpackKeys(stored.keys);
	const { id, process, before, handedOverMs } = stored;
	if (keys === undefined || typeof process !== 'string' || !isPlace(before)) return undefined;
	return isMs(id) && isMs(handedOverMs) ? { id, process, handedOverMs, before, keys } : undefined;
}

const isMs = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value);

const isOptional = (value: unknown, type: 'string' | 'number') =>
	value === undefined || typeof value === type;

function isSubject(value: unknown): value is Subject {
	const fields = ['workflowId', 'account', 'watch', 'filters'];
	return isObject(value) && fields.every((field) => typeof value[field] === 'string');
}

function isPlace(value: unknown): value is Place {
	if (!isObject(value)) return false;
	if (value.kind === 'snapshot') return typeof value.taken === 'boolean';
	if (value.kind === 'stream') {
		const isPlaced = isOptional(value.afterEventId, 'string') && isMs(value.read);
		return isPlaced && isOptional(value.fromMs, 'number');
	}
	const isTime = isMs(value.sinceMs) && Math.abs(value.sinceMs) <= 8.64e15;
	const numbers = ['startedMs', 'fromMs', 'walk', 'pages'].every((name) =>
		isOptional(value[name], 'number'),
	);
	return value.kind === 'list' && isTime && numbers && isOptional(value.cursor, 'string');
}
