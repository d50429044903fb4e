import { posix } from 'node:path';

import type { Sources } from './sources';

/** The imports of each file, types included, by path. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']*)'/g;

/** Reads which files import each other. */
export function importsOf(sources: Sources): Imports {
	return new Map(
		[...sources].map(([file, text]) => {
			const targets = [...text.matchAll(IMPORT)].map(([, target]) =>
				posix.join(posix.dirname(file), target),
			);
			const found = targets.flatMap((target) =>
				[`${target}.ts`, `${target}/index.ts`].filter((name) => sources.has(name)),
			);
			return [file, new Set(found)];
		}),
	);
}

/** All files that a file reaches by imports, directly or through others. */
export function reachedFrom(imports: Imports, file: string): Set<string> {
	const reached = new Set<string>();
	const open = [file];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		for (const target of imports.get(next) ?? []) {
			if (reached.has(target)) continue;
			reached.add(target);
			open.push(target);
		}
	}
	return reached;
}

/** Files that reach themselves by imports. */
export const filesInCircles = (imports: Imports): string[] =>
	[...imports.keys()].filter((file) => reachedFrom(imports, file).has(file));
