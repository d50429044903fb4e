import { repeatedLines } from '../../support/structure/repeatedLines';
import { sourcesIn } from '../../support/structure/sources';

/** This many lines in a row may occur only once. */
const LINES = 10;

it.each([
	['shipped code', 'nodes', 'credentials'],
	['the tests, the local platform and the lab', 'test', 'platform', 'lab'],
])('has no ten lines of %s twice', (_what, ...folders) => {
	expect(repeatedLines(sourcesIn(...folders), LINES)).toEqual([]);
});

describe('the check', () => {
	const lines = (count: number, indent = '') =>
		Array.from({ length: count }, (_, n) => `${indent}line ${n};`).join('\n');

	const found = (a: string, b: string) => repeatedLines(new Map(Object.entries({ a, b })), LINES);

	it('finds lines that occur in two files, apart from blank lines and indents, and accepts fewer lines', () => {
		const other = `\n\n${lines(10, '\t').replace(';', ';\n\n')}`;
		expect(found(`first;\n${lines(10)}`, other)).toEqual(['a:2 and b:3']);
		expect(found(`${lines(9)}\none;`, `${lines(9)}\nother;`)).toEqual([]);
	});
});
