import { parseDialect, type Dialect } from '../../../platform/dialects/dialect';

const RANDOM_DIALECTS = 20;
/** The same in each run, so that what is green stays green; `npm run test:dialects` looks for others. */
const FIRST_SEED = 1;

/**
 * The dialects that the suites of this folder run in, by the names that `--dialect` takes: the default one, the
 * contrary one, and random ones.
 *
 * `DIALECT_COUNT` is the number of random dialects (20), `DIALECT_SEED` the seed of the first one,
 * `DIALECTS` names dialects in place of all of these, with semicolons between.
 */
function chosenDialects(): string[] {
	const { DIALECTS, DIALECT_COUNT, DIALECT_SEED } = process.env;
	const seeds = Array.from({ length: Number(DIALECT_COUNT ?? RANDOM_DIALECTS) }, (_, n) =>
		String(Number(DIALECT_SEED ?? FIRST_SEED) + n),
	);
	return DIALECTS?.split(';') ?? ['default', 'contrary', ...seeds];
}

/**
 * The same tests in each dialect.
 *
 * @param count only in the first few
 */
export function inEachDialect(what: string, tests: (dialect: Dialect) => void, count = Infinity) {
	describe.each(chosenDialects().slice(0, count))(`${what}, in the dialect %s`, (name) =>
		tests(parseDialect(name)),
	);
}
