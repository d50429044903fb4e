import { parseDialect, type Dialect } from '../../../platform/dialects/dialect';

const RANDOM_DIALECTS = 8;
/** The same seed in each run, so that green stays green; `npm run test:dialects` tries others. */
const FIRST_SEED = 1;

/**
 * The dialects for the suites of this folder, by the names that `--dialect` accepts: the default one, the contrary one,
 * and random ones. `DIALECT_COUNT` is the number of random dialects (8), `DIALECT_SEED` the seed of the first one.
 * `DIALECTS` replaces all of these; it separates dialects by semicolons.
 */
function chosenDialects(): string[] {
	const { DIALECTS, DIALECT_COUNT, DIALECT_SEED } = process.env;
	const seeds = Array.from({ length: Number(DIALECT_COUNT ?? RANDOM_DIALECTS) }, (_, n) =>
		String(Number(DIALECT_SEED ?? FIRST_SEED) + n),
	);
	return DIALECTS?.split(';') ?? ['default', 'contrary', ...seeds];
}

/** Runs the same tests in each dialect. @param count limits them to the first few dialects */
export function inEachDialect(what: string, tests: (dialect: Dialect) => void, count = Infinity) {
	describe.each(chosenDialects().slice(0, count))(`${what}, in the dialect %s`, (name) =>
		tests(parseDialect(name)),
	);
}
