import { dirname, join } from 'node:path';

import { textOf } from '../../support/repository';

const PROOFS_FILE = 'docs/proofs.md';

/** First cells in bold, in the order of a table. */
const rowsOf = (text: string): string[] =>
	[...text.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, row]) => row);

/** Every file that a proof names, with the quoted titles. */
const proofs = [
	...textOf(PROOFS_FILE).matchAll(/\[[\w.]+\.ts\]\(([^)]+)\)(: (?:“[^”]+”(?:, )?)*)?/g),
].map(([, target, titles = '']) => ({
	file: join(dirname(PROOFS_FILE), target),
	titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title]) => title),
}));

const titles = proofs.flatMap(({ file, titles: own }) => own.map((title) => [title, file]));

describe('the feature table of the README', () => {
	const section = textOf('README.md').split('## What you get')[1].split('\n## ')[0];

	it('has a proof for each row, in the same order', () => {
		expect(rowsOf(section).length).toBeGreaterThan(10);
		expect(rowsOf(textOf(PROOFS_FILE))).toEqual(rowsOf(section));
	});

	it('names a file in every proof', () => {
		const rows = textOf(PROOFS_FILE).match(/^\| \*\*.+$/gm) ?? [];
		expect(rows.filter((row) => !/\[[\w.]+\.ts\]\(/.test(row))).toEqual([]);
	});

	it.each(titles)('“%s” is a test of %s', (title, file) => {
		expect(textOf(file)).toContain(title);
	});
});
