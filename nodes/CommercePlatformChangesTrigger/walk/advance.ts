import {
	bounded,
	isFull,
	KEY_BOUNDS,
	type ChangesState,
	type KeyBounds,
	type Place,
} from '../state';
import { ListWalk } from './list';
import { PageLoop, type End, type PageSource, type PollLimits, type Walk } from './pages';
import { SnapshotWalk } from './snapshot';
import { StreamWalk } from './stream';

const WALKS: Record<Place['kind'], new (state: ChangesState, loop: PageLoop) => Walk> = {
	list: ListWalk,
	snapshot: SnapshotWalk,
	stream: StreamWalk,
};

/** So many polls in a row that come no further are an error. */
const MAX_STALLS = 2;

/** Who polls. */
interface Poller {
	/** The name of this process. */
	process: string;
	/** n8n stores the state and the execution in one transaction: what is stored as given is an execution. */
	isDurable: boolean;
}

/** What became of a poll. */
export interface Advanced extends End {
	/** Of what is to be handed over, if anything is. */
	emissionId?: number;
	/** Something new was found, or the next poll begins further on. */
	hasProgressed: boolean;
}

/**
 * One poll: goes on where the state says, as far as the limits allow, and enters what it found as an emission
 * of this process. Sends nothing but the source's requests, and never throws: an error is part of the end.
 */
export async function advance(
	state: ChangesState,
	source: PageSource,
	limits: PollLimits,
	{ process, isDurable }: Poller,
	bounds: KeyBounds = KEY_BOUNDS,
): Promise<Advanced> {
	const revision = state.revision + 1;
	const counted = { ...state, revision };
	if (isFull(state, bounds)) {
		return { state: counted, changes: [], complete: false, hasProgressed: false };
	}
	const loop = new PageLoop(counted, source, limits);
	const walk = new WALKS[state.place.kind](counted, loop);
	const end = await loop.run(walk);
	const { changes } = end;
	const isGiven = changes.length > 0;
	const keys = new Map(changes.map(({ key, atMs }) => [key, atMs]));
	const seen = new Map([...end.state.seen, ...loop.passed, ...(isDurable ? keys : [])]);
	const before = walk.before ?? state.place;
	const made = isGiven && !isDurable ? [{ id: revision, process, before, keys }] : [];
	const emissions = [...end.state.emissions, ...made];
	const entered = bounded({ ...end.state, seen, emissions }, bounds);
	const hasProgressed = isGiven || progressOf(entered.place) !== progressOf(state.place);
	const isStalled = !end.complete && end.error === undefined && !hasProgressed;
	const stalls = isStalled ? (state.stalls ?? 0) + 1 : undefined;
	const isStuck = stalls !== undefined && stalls >= MAX_STALLS;
	return {
		...end,
		...(isStuck ? { error: source.endless(`brought nothing new in ${stalls} polls`) } : {}),
		state: { ...entered, stalls },
		...(isGiven ? { emissionId: revision } : {}),
		hasProgressed,
	};
}

/** What a cursor cannot take away. */
function progressOf(place: Place): string | number | undefined {
	if (place.kind === 'list') return place.sinceMs;
	return place.kind === 'stream' ? place.read : undefined;
}
