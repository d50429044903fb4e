import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a platform may answer, and what must come of it with the node's default settings. */
export interface CorpusCase<Given, Expected> {
	name: string;
	/** Ordinary cases must go through, dangerous ones must not. */
	side: 'ordinary' | 'dangerous';
	given: Given;
	expect: Expected;
}

/** How a case is played: throws where something else comes of it than the case expects. */
export type Player<Given, Expected> = (given: Given, expected: Expected) => Promise<void>;

/** Plays every case of data files beside this one, each as a test. */
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
