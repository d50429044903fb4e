import { parseDialect, type Dialect } from '../../../platform/dialects/dialect';

/**
 * The default dialect, the contrary one, and the fewest others with which every value of every switch is spoken, but
 * for the many shapes of an error; `npm run test:dialects` draws others.
 */
const FEWEST = [
	...['default', 'contrary', '444,recordTimes=offset', '2063,batchItems=none'],
	...['2488,inDevelopmentError=unavailable', '1242'],
];

/**
 * The dialects for the suites of this folder, by the names that `--dialect` accepts: the fewest, or those of
 * `DIALECTS`, separated by semicolons.
 */
export const chosenDialects = (): string[] => process.env.DIALECTS?.split(';') ?? FEWEST;

/** Runs the same tests in each dialect. @param dialects their names */
export function inEachDialect(
	what: string,
	tests: (dialect: Dialect) => void,
	dialects = chosenDialects(),
) {
	describe.each(dialects)(`${what}, in the dialect %s`, (name) => tests(parseDialect(name)));
}
