/** Versions that were given: the key of each, and when the record changed, Unix ms. */
export type Keys = ReadonlyMap<string, number>;

/** Two clocks, read at once. Unix ms. */
export interface Clocks {
	/** The platform's, from its Date header; undefined where it sends none. */
	platformMs?: number;
	/** This machine's. */
	localMs: number;
}

/** Where the next poll goes on. Times in Unix ms. */
export type Place = ListPlace | StreamPlace | SnapshotPlace;

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
	/** A cursor has brought something new, so the pages before it may have moved: it is read once more. */
	isDirty?: boolean;
}

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

/** What was handed to n8n, and is not yet known to have become an execution. */
export interface Emission {
	id: number;
	/** The process that handed it over. Only that one can learn how it ended. */
	process: string;
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
	/** At the beginning of the latest walk. */
	clocks?: Clocks;
	/** The newest `updated_at` that no clock calls a future one, and the clocks after it was first read. */
	newest?: { ms: number; read: Clocks };
	/** Whether the platform sorts, once it is known. */
	order?: 'kept' | 'refused';
	/** The ETag of an answer that held nothing new, and the query that it belongs to. */
	etag?: { query: string; value: string };
	/** Polls in a row that came no further. */
	stalls?: number;
}

/** How many keys are remembered. */
export interface KeyBounds {
	/** Of all versions. Beyond it the oldest are forgotten: they can then be given once more, never lost. */
	total: number;
	/** Of emissions of which the end is not known; with more, the next emission waits. */
	pending: number;
	/** Of those that no walk can read again in the normal case, the newest, for a clock that is set back. */
	retain: number;
}

/** A key takes 18 characters where it is stored, so all of them stay below 330 kB. */
export const KEY_BOUNDS: KeyBounds = { total: 17_500, pending: 5_000, retain: 500 };

/** Emissions of which the end is not known. With more, the next one waits. */
export const MAX_PENDING = 20;

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

/** How much time has surely gone by between two readings, ms: what both clocks say. */
export function elapsedMs(from: Clocks, to: Clocks): number {
	const local = to.localMs - from.localMs;
	if (from.platformMs === undefined || to.platformMs === undefined) return local;
	return Math.min(local, to.platformMs - from.platformMs);
}

/** The place in which a walk begins at its lower bound, or at another one. */
export function startOfWalk(place: Place, sinceMs = Infinity): Place {
	if (place.kind !== 'list') return place;
	const { fromMs } = place;
	return {
		kind: 'list',
		sinceMs: Math.min(place.sinceMs, sinceMs),
		...(fromMs === undefined ? {} : { fromMs }),
	};
}

/** A place from which everything is read that either of two would read; what is read again is known. */
function earlier(one: Place, other: Place): Place {
	if (one.kind === 'stream' && other.kind === 'stream') return one.read <= other.read ? one : other;
	return other.kind === 'list' ? startOfWalk(one, other.sinceMs) : one;
}

/** How the start of an execution ended, as far as this process knows. */
export type Outcome = 'done' | 'failed' | 'pending';

/**
 * Takes in how the emissions ended. One that became an execution is remembered as seen. One that did not is read
 * and given again: n8n saves what a node remembers and creates the execution independently of each other, so that
 * either can exist without the other.
 *
 * @returns the state, and how many emissions will be made again
 */
export function settle(
	state: ChangesState,
	outcomeOf: (emission: Emission) => Outcome,
): { state: ChangesState; repeated: number } {
	// The first comparison under other filters gives nothing, so what has failed is given after it.
	const waits = state.place.kind === 'snapshot' && !state.place.taken;
	const ends = state.emissions.map((emission) => ({ emission, outcome: outcomeOf(emission) }));
	const of = (wanted: Outcome) =>
		ends.filter(({ outcome }) => outcome === wanted).map(({ emission }) => emission);
	const failed = waits ? [] : of('failed');
	const emissions = state.emissions.filter(
		(emission) => !of('done').includes(emission) && !failed.includes(emission),
	);
	const seen = new Map(state.seen);
	for (const { keys } of of('done')) for (const [key, atMs] of keys) seen.set(key, atMs);
	const settled = { ...state, emissions, seen };
	if (failed.length === 0) return { state: settled, repeated: 0 };
	const place = failed.map(({ before }) => before).reduce(earlier, state.place);
	return { state: { ...settled, place, etag: undefined }, repeated: failed.length };
}

/** Whether so much waits for n8n's word that nothing may be added to it. */
export const isFull = (state: ChangesState, bounds: KeyBounds): boolean =>
	pendingKeys(state) >= bounds.pending || state.emissions.length >= MAX_PENDING;

/** Whether a version has been given, whatever became of it. */
export const isKnown = ({ seen, emissions }: ChangesState, key: string): boolean =>
	seen.has(key) || emissions.some((emission) => emission.keys.has(key));

const pendingKeys = ({ emissions }: ChangesState): number =>
	emissions.reduce((sum, { keys }) => sum + keys.size, 0);

/** Forgets what need not be remembered, the oldest first. */
export function bounded(state: ChangesState, bounds: KeyBounds): ChangesState {
	const { seen } = state;
	const from = keepFromMs(state);
	const needed = [...seen.values()].filter((atMs) => atMs >= from).length;
	const most = Math.max(0, bounds.total - pendingKeys(state));
	const kept = Math.min(most, Math.max(needed, Math.min(seen.size, bounds.retain)));
	if (kept === seen.size) return state;
	const newestFirst = [...seen].sort(([, a], [, b]) => b - a);
	return { ...state, seen: new Map(newestFirst.slice(0, kept)) };
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

/**
 * The state after the platform's clock was set back by more than half the overlap: records that changed since
 * then carry times before the bound, so that no walk, begun or to be repeated, may begin above it.
 *
 * @returns undefined where it was not set back, or where the bound lies low enough
 */
export function afterSetBack(
	state: ChangesState,
	now: Clocks,
	overlapMs: number,
): ChangesState | undefined {
	const { clocks: before, place } = state;
	if (before?.platformMs === undefined || now.platformMs === undefined) return undefined;
	const passedMs = Math.max(0, now.localMs - before.localMs);
	const setBackMs = before.platformMs + passedMs - now.platformMs;
	const sinceMs = wholeSecond(before.platformMs - setBackMs - overlapMs);
	// The overlap covers less than that, such as two servers of the platform with a second between them.
	if (setBackMs <= overlapMs / 2 || place.kind !== 'list' || sinceMs >= place.sinceMs)
		return undefined;
	const lowered = (one: Place) => startOfWalk(one, sinceMs);
	const emissions = state.emissions.map((one) => ({ ...one, before: lowered(one.before) }));
	return { ...state, emissions, place: lowered(place), newest: undefined, etag: undefined };
}
