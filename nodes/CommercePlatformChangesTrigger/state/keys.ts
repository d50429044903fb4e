import { KEY_LENGTH } from '../walk/change';

/** Versions that were emitted: the key of each, and when the record changed, Unix ms. */
export type Keys = ReadonlyMap<string, number>;

/** The same as JSON: the keys of one time behind each other, under that time in base 36. */
export type PackedKeys = Record<string, string>;

/** How many keys are remembered. */
export interface KeyBounds {
	/** Of versions that became executions, at most. Beyond it the oldest are forgotten: they can then be emitted once more, never lost. */
	max: number;
	/** Of emissions of which the end is not known; with more, the next emission waits. */
	maxPending: number;
	/** Of those that no walk can read again in the normal case, the newest, for a clock that is set back. */
	retain: number;
}

export const KEY_BOUNDS: KeyBounds = { max: 10_000, maxPending: 5_000, retain: 500 };

/** @returns keys that can be stored as JSON */
export function packKeys(keys: Keys): PackedKeys {
	const packed: PackedKeys = {};
	for (const [key, atMs] of keys) {
		const at = atMs.toString(36);
		packed[at] = (packed[at] ?? '') + key;
	}
	return packed;
}

/** @returns undefined where this is not what `packKeys` makes */
export function unpackKeys(packed: unknown): Keys | undefined {
	if (typeof packed !== 'object' || packed === null) return undefined;
	const keys = new Map<string, number>();
	for (const [at, text] of Object.entries(packed)) {
		const atMs = parseInt(at, 36);
		if (Number.isNaN(atMs) || typeof text !== 'string' || text.length % KEY_LENGTH !== 0) {
			return undefined;
		}
		for (let start = 0; start < text.length; start += KEY_LENGTH) {
			keys.set(text.slice(start, start + KEY_LENGTH), atMs);
		}
	}
	return keys;
}

/**
 * Forgets what need not be remembered, the oldest first.
 *
 * @param keepFromMs what changed at this time or later can be read again, Unix ms
 */
export function boundKeys(keys: Keys, keepFromMs: number, bounds: KeyBounds): Keys {
	const newestFirst = [...keys].sort(([, a], [, b]) => b - a);
	const needed = newestFirst.filter(([, atMs]) => atMs >= keepFromMs).length;
	const kept = Math.min(bounds.max, Math.max(needed, Math.min(keys.size, bounds.retain)));
	return kept === keys.size ? keys : new Map(newestFirst.slice(0, kept));
}
