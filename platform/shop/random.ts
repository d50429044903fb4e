/**
 * A well mixed 32-bit number: the same (seed, n, salt) always gives the same one, so record n can be generated without
 * its neighbours.
 */
export function mix(seed: number, n: number, salt: number): number {
	let h = (seed ^ Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) >>> 0;
	h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
	h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
	return (h ^ (h >>> 15)) >>> 0;
}

/** The entry of `list` that a mixed number selects. */
export function pick<T>(list: readonly T[], mixed: number): T {
	return list[mixed % list.length];
}
