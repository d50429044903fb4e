import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A platform's answer, and the outcome that it must have with the node's default settings. */
export interface CorpusCase<Given, Expected> {
	name: string;
	/** Ordinary cases must go through, dangerous ones must not. */
	side: 'ordinary' | 'dangerous';
	given: Given;
	expect: Expected;
}

/** Plays a case. Throws if the outcome is not the expected one. */
export type Player<Given, Expected> = (given: Given, expected: Expected) => Promise<void>;

/** Plays every case of the data files beside this one, each as a test. */
export function playCorpus<Given, Expected>(files: string[], play: Player<Given, Expected>): void {
	describe.each(files)('%s', (file) => {
		const cases = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as Array<
			CorpusCase<Given, Expected>
		>;
		describe.each(['ordinary', 'dangerous'])('%s', (side) => {
			it.each(cases.filter((each) => each.side === side))('$name', async (each) => {
				await play(each.given, each.expect);
			});
		});
	});
}
