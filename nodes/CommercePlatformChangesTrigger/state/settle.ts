import type { ChangesState, Emission } from './state';
import { earlier } from './place';

/** How the start of an execution ended, as far as this process knows. */
export type Outcome = 'done' | 'failed' | 'pending';

/**
 * n8n reports a failed start well within this time, in ms, and this many polls. What waits longer than both has
 * become an execution that is still running. Polls count too, because this machine's clock can jump.
 */
export const START_REPORTED = { ms: 30 * 60_000, polls: 10 };

/** Emissions of which the end is not known. With more, the next one waits. */
export const MAX_PENDING = 100;

export interface Settled {
	state: ChangesState;
	/** How many emissions will be made again. */
	repeated: number;
}

/**
 * Takes in how the emissions ended. One that became an execution is remembered as seen. One that did not, or
 * that another process made and died with, is read and emitted again: n8n saves what a node remembers and
 * creates the execution independently of each other, so that either can exist without the other.
 *
 * @param process the name of this process
 * @param nowMs this machine's clock, Unix ms
 */
export function settle(
	state: ChangesState,
	process: string,
	outcomeOf: (emissionId: number) => Outcome,
	nowMs: number,
): Settled {
	const outcome = (emission: Emission): Outcome => {
		if (emission.process !== process) return 'failed';
		const told = outcomeOf(emission.id);
		const isLong =
			nowMs - emission.handedOverMs > START_REPORTED.ms &&
			state.revision - emission.id > START_REPORTED.polls;
		return told === 'pending' && isLong ? 'done' : told;
	};
	const ends = state.emissions.map((emission) => ({ emission, outcome: outcome(emission) }));
	const withOutcome = (wanted: Outcome) =>
		ends.filter((end) => end.outcome === wanted).map(({ emission }) => emission);
	const failed = withOutcome('failed');
	const settled = confirm({ ...state, emissions: withOutcome('pending') }, withOutcome('done'));
	if (failed.length === 0) return { state: settled, repeated: 0 };
	const place = failed.map(({ before }) => before).reduce(earlier, state.place);
	return { state: { ...settled, place, etag: undefined }, repeated: failed.length };
}

/**
 * Whether so much waits for n8n's word that nothing may be added to it.
 *
 * @param maxPending keys of emissions of which the end is not known
 */
export function isFull({ emissions }: ChangesState, maxPending: number): boolean {
	const keys = emissions.reduce((sum, emission) => sum + emission.keys.size, 0);
	return keys >= maxPending || emissions.length >= MAX_PENDING;
}

/** Whether a version has been emitted, whatever became of it. */
export function isKnown(state: ChangesState, key: string): boolean {
	return state.seen.has(key) || state.emissions.some((emission) => emission.keys.has(key));
}

function confirm(state: ChangesState, done: readonly Emission[]): ChangesState {
	if (done.length === 0) return state;
	const seen = new Map(state.seen);
	for (const { keys } of done) for (const [key, atMs] of keys) seen.set(key, atMs);
	return { ...state, seen };
}
