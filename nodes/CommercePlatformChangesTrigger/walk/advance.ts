import { settled } from '../../shared/errors/errors';
import { bounded, isFull, KEY_BOUNDS, type ChangesState, type Place } from '../state';
import type { Change } from './change';
import { ListWalk } from './list';
import { PageLoop, type PageSource, type PollLimits } from './pages';
import { walkSnapshot } from './snapshot';
import { walkStream } from './stream';

/** Each goes on from the state's place. @returns false where more is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: walkStream,
};

/** So many polls in a row that come no further are an error. */
const MAX_STALLS = 2;

/** What became of a poll. */
export interface Advanced {
	state: ChangesState;
	/** To be handed over, as the emission of this revision. */
	changes: Change[];
	/** False where more is left for the next poll. */
	complete: boolean;
	/** What stopped the walk. What was found before it counts all the same. */
	error?: unknown;
	/** Something new was found, or the next poll begins further on. */
	hasProgressed: boolean;
}

/**
 * One poll: goes on where the state says, as far as the limits allow, and enters what it found as an emission
 * of this process. Sends nothing but the source's requests, and never throws: an error is part of the end.
 *
 * @param process the name of this process; undefined where n8n stores the state and the execution in one
 *   transaction, so that what is stored as given is an execution
 */
export async function advance(
	before: ChangesState,
	source: PageSource,
	limits: PollLimits,
	process: string | undefined,
	bounds = KEY_BOUNDS,
): Promise<Advanced> {
	const revision = before.revision + 1;
	const state = { ...before, revision };
	if (isFull(state, bounds)) return { state, changes: [], complete: false, hasProgressed: false };
	const loop = new PageLoop(state, source, limits);
	const walked = await settled(WALKS[state.place.kind](loop));
	const complete = walked.status === 'fulfilled' && walked.value;
	const { changes, passed } = loop;
	const isGiven = changes.length > 0;
	const keys = new Map(changes.map(({ key, atMs }) => [key, atMs]));
	const made =
		isGiven && process !== undefined ? [{ id: revision, process, before: loop.before, keys }] : [];
	const seen = new Map([...loop.state.seen, ...passed, ...(process === undefined ? keys : [])]);
	const emissions = [...loop.state.emissions, ...made];
	const hasProgressed = isGiven || progressOf(loop.state.place) !== progressOf(before.place);
	const isStalled = walked.status === 'fulfilled' && !complete && !hasProgressed;
	const stalls = isStalled ? (before.stalls ?? 0) + 1 : undefined;
	const isStuck = stalls !== undefined && stalls >= MAX_STALLS;
	const stuck = isStuck ? source.endless(`brought nothing new in ${stalls} polls`) : undefined;
	return {
		state: bounded({ ...loop.state, seen, emissions, stalls }, bounds),
		changes,
		complete,
		error: walked.status === 'rejected' ? walked.reason : stuck,
		hasProgressed,
	};
}

/** What a cursor cannot take away. */
function progressOf(place: Place): string | number | undefined {
	if (place.kind === 'list') return place.sinceMs;
	return place.kind === 'stream' ? place.read : undefined;
}
