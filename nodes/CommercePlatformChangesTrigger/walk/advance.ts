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
import { PageLoop, type PageSource, type PollLimits } from './pages';
import { walkSnapshot } from './snapshot';
import { walkStream } from './stream';

/** Each goes on from the state's place. @returns false if a part is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: walkStream,
};

/** A trigger that is further behind, and does not catch up, says so. ms. */
const LONG_BEHIND_MS = 30 * 60_000;

/** What one poll came to. */
export interface Step {
	state: ChangesState;
	/** To be handed over, as the emission of this revision. */
	changes: readonly Change[];
	/** False if a part is left for the next poll. */
	isComplete: boolean;
	/** What stopped the walk. The changes before it count all the same. */
	error?: unknown;
	/** Whether the platform refused to sort. */
	isUnsorted?: boolean;
	/** How far the trigger is behind, ms, where that is long and not getting less. */
	fallsBehindMs?: number;
}

/**
 * One poll: goes on where the state says, as far as the limits allow, and enters the changes as an emission.
 * Sends nothing but the source's requests, and never throws: an error is part of the end.
 *
 * @param isDurable whether n8n stores the state and the execution in one transaction, so that what is stored as
 *   given is an execution
 * @param process names this process
 */
export async function advance(
	before: ChangesState,
	source: PageSource,
	limits: PollLimits,
	{ isDurable, process }: { isDurable: boolean; process: string },
	bounds = MEMORY_BOUNDS,
): Promise<Step> {
	const state = { ...before, revision: before.revision + 1 };
	if (isFull(state, bounds)) return { state, changes: [], isComplete: false };
	const loop = new PageLoop(state, source, limits);
	let error: unknown;
	const isComplete = await WALKS[state.place.kind](loop).catch((reason: unknown) => {
		error = reason;
		return false;
	});
	const behindMs = isComplete ? undefined : loop.behindMs;
	const withChanges = isDurable ? withExecuted(loop) : withEmission(loop, process);
	const remembered = isComplete ? withoutUnread(withChanges, loop, before) : withChanges;
	return {
		state: bounded({ ...remembered, behindMs }, bounds),
		changes: [...loop.changes.values()],
		isComplete,
		error,
		isUnsorted: loop.isUnsorted,
		fallsBehindMs: fallsBehind(behindMs, before.behindMs) ? behindMs : undefined,
	};
}

/** Whether the trigger is long behind, and no less than at the poll before. */
const fallsBehind = (behindMs = 0, previousMs = Infinity): boolean =>
	behindMs > LONG_BEHIND_MS && behindMs >= previousMs;

const versionsOf = (changes: ReadonlyMap<string, Change>): Versions =>
	new Map(
		[...changes].map(([key, { timeMs, content }]): [string, Version] => [key, { timeMs, content }]),
	);

/** The state after a poll whose changes are executions as soon as they are stored. */
function withExecuted({ state, versions, changes }: PageLoop): ChangesState {
	return { ...state, versions: new Map([...without(versions, changes), ...versionsOf(changes)]) };
}

/** The state after a poll whose changes wait for n8n's word. A record that was given before stands in the new emission. */
function withEmission(loop: PageLoop, process: string): ChangesState {
	const { state, changes, before } = loop;
	const versions = without(loop.versions, changes);
	if (changes.size === 0) return { ...state, versions };
	const emissions: Emission[] = state.emissions.map((emission) => ({
		...emission,
		versions: without(emission.versions, changes),
	}));
	emissions.push({ id: state.revision, process, before, versions: versionsOf(changes) });
	return { ...state, versions, emissions };
}

const without = (versions: Versions, changes: ReadonlyMap<string, Change>): Versions =>
	new Map([...versions].filter(([key]) => !changes.has(key)));

/**
 * Forgets what a walk from its lower bound to the end has not read: no later walk begins before that bound, unless an
 * earlier emission has to be made again.
 */
function withoutUnread(state: ChangesState, loop: PageLoop, before: ChangesState): ChangesState {
	const hasGoneOn = before.place.kind === 'list' && before.place.walk !== undefined;
	if (hasGoneOn || before.emissions.length > 0) return state;
	return {
		...state,
		versions: new Map([...state.versions].filter(([key]) => loop.readKeys.has(key))),
	};
}
