import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY, textOf } from '../../support/repository';

const text = textOf('docs/architecture.md');

const matches = (pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, found]) => found);

/** Paths in code spans. */
const spelled = matches(/`((?:nodes|credentials|test|docs|examples|icons)\/[^`*\s]*)`/g);

describe('docs/architecture.md', () => {
	it.each([...new Set(spelled)])('names %s, which exists', (path) => {
		expect(existsSync(join(REPOSITORY, path))).toBe(true);
	});

	it('names every folder of the shipped code, two levels deep, and of the tests', () => {
		const folders = globSync(['nodes/*/*/', 'credentials/', 'test/*/'], { cwd: REPOSITORY })
			.map((folder) => folder.replace(/\/?$/, '/'))
			.filter((folder) => !folder.includes('__schema__'));
		expect(folders).toEqual(expect.arrayContaining(['nodes/shared/rest/', 'test/support/']));
		expect(folders.filter((folder) => !text.includes(folder))).toEqual([]);
	});
});
