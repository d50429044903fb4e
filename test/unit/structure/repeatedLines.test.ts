import { repeatedLines } from '../../support/structure/repeatedLines';
import { sourcesIn } from '../../support/structure/sources';

/** As many lines in a row may stand once only. */
const LINES = 10;

it.each([
	['shipped code', 'nodes', 'credentials'],
	['the tests', 'test'],
])('has no ten lines of %s twice', (_what, ...folders) => {
	expect(repeatedLines(sourcesIn(...folders), LINES)).toEqual([]);
});

describe('the check', () => {
	const lines = (count: number, indent = '') =>
		Array.from({ length: count }, (_, n) => `${indent}line ${n};`).join('\n');

	it('finds lines that stand in two files, blank lines and indents aside', () => {
		const sources = new Map([
			['a.ts', `first;\n${lines(10)}`],
			['b.ts', `\n\n${lines(10, '\t').replace(';', ';\n\n')}`],
		]);
		expect(repeatedLines(sources, LINES)).toEqual(['a.ts:2 and b.ts:3']);
	});

	it('lets fewer stand', () => {
		const sources = new Map([
			['a.ts', `${lines(9)}\none;`],
			['b.ts', `${lines(9)}\nother;`],
		]);
		expect(repeatedLines(sources, LINES)).toEqual([]);
	});
});
