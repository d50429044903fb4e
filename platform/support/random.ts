import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Numbers from 0 up to, but without, 1; the same for the same seed. */
export function seeded(seed: number): () => number {
	const generator = xoroshiro128plus(seed);
	return () => uniformFloat64(generator);
}

/** One entry of a list. */
export const pick = <T>(list: readonly T[], random: () => number): T =>
	list[Math.floor(random() * list.length)];

/** The same list in another order. */
export const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
	list
		.map((entry) => ({ entry, at: random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ entry }) => entry);
