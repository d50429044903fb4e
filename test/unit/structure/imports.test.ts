import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY } from '../../support/repository';
import { filesInCircles, importsOf, reachedFrom } from '../../support/structure/imports';
import { sourcesIn } from '../../support/structure/sources';

const shipped = importsOf(sourcesIn('nodes', 'credentials'));

it('has no imports of shipped code that go in a circle, types included', () => {
	expect(filesInCircles(shipped)).toEqual([]);
});

it('keeps in shared/ only what more than one node or credential uses', () => {
	const owners = new Map<string, Set<string>>();
	for (const file of shipped.keys()) {
		const [room, node] = file.split('/');
		if (node === 'shared') continue;
		for (const target of reachedFrom(shipped, file)) {
			const known = owners.get(target) ?? new Set();
			owners.set(target, known.add(room === 'nodes' ? node : room));
		}
	}
	const ofOne = [...shipped.keys()].filter(
		(file) => file.startsWith('nodes/shared/') && (owners.get(file)?.size ?? 0) < 2,
	);
	expect(ofOne).toEqual([]);
});

/** What a file names by a path from itself. */
const NAMED = /\b(?:from|import|require)\s*\(?\s*'(\.[^']*)'/g;

it('has no name outside the shipped code for which Node finds a JSON file before the TypeScript file', () => {
	const named = [...sourcesIn('test', 'platform', 'lab')].flatMap(([file, text]) =>
		[...text.matchAll(NAMED)].map(([, target]) => ({ file, target })),
	);
	const isBoth = (path: string) => existsSync(`${path}.json`) && existsSync(`${path}.ts`);
	const unclear = named.filter(({ file, target }) => isBoth(join(REPOSITORY, file, '..', target)));
	expect(unclear).toEqual([]);
});

/** Names that a file declares at its top level. */
const DECLARATION =
	/^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/** Top-level names that more than one file declares. */
function namesTwice(texts: ReadonlyMap<string, string>): string[] {
	const names = [...texts.values()].flatMap((text) => [
		...new Set([...text.matchAll(DECLARATION)].map(([, name]) => name)),
	]);
	return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
}

it('has one name for one idea: no two files of shipped code declare the same name', () => {
	expect(namesTwice(sourcesIn('nodes', 'credentials'))).toEqual([]);
});

it('finds a name that two files declare, not one that a file declares twice or inside a function', () => {
	const texts = {
		'a.ts': 'export const keyOf = 1;\nfunction over(a: string);\nfunction over(a: number);',
		'b.ts': 'function keyOf() {\n\tconst over = 1;\n}',
	};
	expect(namesTwice(new Map(Object.entries(texts)))).toEqual(['keyOf']);
});

it('finds a circle of types, without the files that lead into it', () => {
	const texts = {
		'a.ts': "import './x/b';",
		'x/b.ts': "import type { C } from '../c';",
		'c/index.ts': "let b: import('../x/b').B;",
	};
	const imports = importsOf(new Map(Object.entries(texts)));
	expect(filesInCircles(imports)).toEqual(['x/b.ts', 'c/index.ts']);
});
