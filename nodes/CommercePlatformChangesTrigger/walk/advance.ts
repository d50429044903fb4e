import {
	bounded,
	isFull,
	MEMORY_BOUNDS,
	type ChangesState,
	type Emission,
	type Place,
} from '../state';
import type { Change, Version, Versions } from './change';
import { ListWalk, walkSnapshot, walkStream } from './walks';
import { PageLoop, type ChangesSource, type PollLimits } from './pages';

/** The walk for each kind of place. @returns false if a part is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: walkStream,
};

/** The result of one poll. */
export interface PollResult {
	state: ChangesState;
	/** The changes to emit. The id of the emission is the revision of `state`. */
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
 * @param process names this process
 */
export async function advance(
	startState: ChangesState,
	source: ChangesSource,
	limits: PollLimits,
	{ isDurable, process }: { isDurable: boolean; process: string },
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
	const withChanges = isDurable ? withExecuted(loop) : withEmission(loop, process);
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
function withEmission(loop: PageLoop, process: string): ChangesState {
	const { state, changes, startPlace } = loop;
	const versions = without(loop.versions, changes);
	if (changes.size === 0) return { ...state, versions };
	const emissions: Emission[] = state.emissions.map((emission) => ({
		...emission,
		versions: without(emission.versions, changes),
	}));
	emissions.push({
		id: state.revision,
		process,
		before: startPlace,
		versions: versionsOf(changes),
	});
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
