import { parseDialect, type Dialect } from '../../platform/dialects/dialect';

/** A dialect under the name by which it can be had again. */
export interface ChosenDialect {
	/** What `--dialect` takes. */
	name: string;
	dialect: Dialect;
}

const RANDOM_DIALECTS = 20;
/** The same in each run, so that what is green stays green; `npm run test:dialects` looks for others. */
const FIRST_SEED = 1;

/**
 * The dialects that the suites of this folder run in: the default one, the contrary one, and random ones.
 *
 * `DIALECT_COUNT` is the number of random dialects (20), `DIALECT_SEED` the seed of the first one,
 * `DIALECTS` names dialects in place of all of these, with semicolons between.
 */
export function chosenDialects(): ChosenDialect[] {
	const { DIALECTS, DIALECT_COUNT, DIALECT_SEED } = process.env;
	const names = DIALECTS?.split(';') ?? [
		'default',
		'contrary',
		...seeds(Number(DIALECT_SEED ?? FIRST_SEED), Number(DIALECT_COUNT ?? RANDOM_DIALECTS)),
	];
	return names.map((name) => ({ name, dialect: parseDialect(name) }));
}

const seeds = (first: number, count: number): string[] =>
	Array.from({ length: count }, (_, n) => String(first + n));
