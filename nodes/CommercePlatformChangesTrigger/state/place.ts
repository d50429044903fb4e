import type { ListPlace, Place } from './state';

/**
 * The place in which a walk begins at a lower bound.
 *
 * @param sinceMs another bound than the place has, Unix ms
 */
export function walkFrom({ fromMs, ...place }: ListPlace, sinceMs = place.sinceMs): ListPlace {
	return { kind: 'list', sinceMs, ...(fromMs === undefined ? {} : { fromMs }) };
}

/**
 * A place from which everything is read that either of two would read. Going on from there can read records
 * again, which are known; going on from the later one could pass over some.
 */
export function earlier(one: Place, other: Place): Place {
	if (one.kind === 'stream' && other.kind === 'stream') return one.read <= other.read ? one : other;
	if (one.kind !== 'list' || other.kind !== 'list') return one;
	// A cursor tells nothing of its place, but within one walk the number of its page does.
	if (one.sinceMs === other.sinceMs && one.walk === other.walk)
		return (one.pages ?? 0) <= (other.pages ?? 0) ? one : other;
	return walkFrom(one, Math.min(one.sinceMs, other.sinceMs));
}
