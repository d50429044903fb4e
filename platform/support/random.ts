import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random numbers from 0 to below 1; the same seed gives the same ones. */
export function seeded(seed: number): () => number {
	const generator = xoroshiro128plus(seed);
	return () => uniformFloat64(generator);
}

/** A random entry of a list. */
export const pick = <T>(list: readonly T[], random: () => number): T =>
	list[Math.floor(random() * list.length)];

/** The same list in another order. */
export const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
	list
		.map((entry) => ({ entry, at: random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ entry }) => entry);
