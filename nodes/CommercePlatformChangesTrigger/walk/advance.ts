import {
	bounded,
	isFull,
	MEMORY_BOUNDS,
	type ChangesState,
	type Emission,
	type Place,
} from '../state';
import type { Change, Version, Versions } from './change';
import { ListWalk } from './list';
import { PageLoop, type ChangesSource, type PollLimits } from './pages';
import { walkSnapshot } from './snapshot';
import { walkStream } from './stream';

/** The walk for each kind of place. @returns false if a part is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: walkStream,
};

/** A trigger that is further behind than this, and does not catch up, says so. ms. */
const LONG_BEHIND_MS = 30 * 60_000;

/** The result of one poll. */
export interface PollResult {
	state: ChangesState;
	/** The changes to emit. The id of the emission is the revision of `state`. */
	changes: readonly Change[];
	/** False if a part is left for the next poll. */
	isComplete: boolean;
	/** The error that stopped the walk. The changes before it are emitted all the same. */
	error?: unknown;
	/** Whether the platform refused to sort. */
	isUnsorted?: boolean;
	/** How far the trigger is behind, ms, if that is long and not getting less. */
	fallsBehindMs?: number;
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
	if (isFull(state, bounds)) return { state, changes: [], isComplete: false };
	const loop = new PageLoop(state, source, limits);
	let error: unknown;
	const isComplete = await WALKS[state.place.kind](loop).catch((reason: unknown) => {
		error = reason;
		return false;
	});
	const behindMs = isComplete ? undefined : loop.behindMs;
	const withChanges = isDurable ? withExecuted(loop) : withEmission(loop, process);
	const remembered = isComplete ? withoutUnread(withChanges, loop, startState) : withChanges;
	return {
		state: bounded({ ...remembered, behindMs }, bounds),
		changes: [...loop.changes.values()],
		isComplete,
		error,
		isUnsorted: loop.isUnsorted,
		fallsBehindMs: fallsBehind(behindMs, startState.behindMs) ? behindMs : undefined,
	};
}

/** Whether the trigger is long behind, and not less than after the poll before. */
const fallsBehind = (behindMs = 0, previousMs = Infinity): boolean =>
	behindMs > LONG_BEHIND_MS && behindMs >= previousMs;

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
 * Forgets the versions of records that a complete walk did not show: no later walk begins earlier. Nothing is forgotten
 * while an emission may have to be made again.
 */
function withoutUnread(
	state: ChangesState,
	loop: PageLoop,
	startState: ChangesState,
): ChangesState {
	const hasGoneOn = startState.place.kind === 'list' && startState.place.walk !== undefined;
	if (hasGoneOn || startState.emissions.length > 0) return state;
	return {
		...state,
		versions: new Map([...state.versions].filter(([key]) => loop.readKeys.has(key))),
	};
}
