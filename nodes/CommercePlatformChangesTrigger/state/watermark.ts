import { walkFrom } from './place';
import type { ChangesState, Clocks, Place } from './state';

/**
 * How far below the lower bound a record may lie and still be taken: a platform may write `updated_at` in
 * whole minutes. What lies lower comes from a platform that ignores `updated_since`. ms.
 */
export const ROUNDING_MS = 60_000;

/** `updated_since` in whole seconds, so that a platform that keeps whole seconds counts the same. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/**
 * The lower bound after a finished walk. Whatever changed up to the overlap before the walk's begin was
 * visible to it. It never goes back.
 *
 * @param startedMs the platform's time when the walk began, Unix ms
 * @param overlapMs how long after its `updated_at` a record can become visible
 */
export function sinceAfterWalk(
	sinceMs: number,
	startedMs: number | undefined,
	overlapMs: number,
): number {
	return startedMs === undefined ? sinceMs : Math.max(sinceMs, wholeSecond(startedMs - overlapMs));
}

/**
 * The lower bound where the platform's clock was set back by more than half the overlap: records that changed
 * since then carry times that lie before the bound.
 *
 * @returns undefined where it was not
 */
export function sinceAfterSetBack(
	before: Clocks | undefined,
	now: Clocks,
	overlapMs: number,
): number | undefined {
	if (before === undefined) return undefined;
	const elapsedMs = Math.max(0, now.localMs - before.localMs);
	const setBackMs = before.platformMs + elapsedMs - now.platformMs;
	// The overlap covers less than that, such as two servers of the platform with a second between them.
	if (setBackMs <= overlapMs / 2) return undefined;
	return wholeSecond(before.platformMs - setBackMs - overlapMs);
}

/** What changed at this time or later can be read again, Unix ms. */
export function keepFromMs({ place, emissions }: ChangesState): number {
	const bounds = [place, ...emissions.map(({ before }) => before)].map((one) => {
		if (one.kind === 'list') return one.sinceMs - ROUNDING_MS;
		// The stream goes on behind its last event; it reads nothing again unless an emission failed.
		return one.kind === 'stream' && emissions.length === 0 ? Number.POSITIVE_INFINITY : 0;
	});
	return Math.min(...bounds);
}

/** The state after the platform's clock was set back: no walk, begun or to be repeated, ends above the bound. */
export function withSetBack(state: ChangesState, sinceMs: number): ChangesState {
	const lowered = (place: Place): Place =>
		place.kind === 'list' ? walkFrom(place, Math.min(place.sinceMs, sinceMs)) : place;
	const emissions = state.emissions.map((one) => ({ ...one, before: lowered(one.before) }));
	return { ...state, emissions, place: lowered(state.place), etag: undefined };
}
