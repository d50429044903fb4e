import { globSync } from 'node:fs';
import { sep } from 'node:path';

import { REPOSITORY, textOf } from '../repository';

/** Texts of source files by their path from the repository's root, with slashes. */
export type Sources = ReadonlyMap<string, string>;

/** All TypeScript files in some folders of the repository. */
export function sourcesIn(...folders: string[]): Sources {
	const patterns = folders.map((folder) => `${folder}/**/*.ts`);
	const files = globSync(patterns, { cwd: REPOSITORY }).sort();
	return new Map(files.map((file) => [file.split(sep).join('/'), textOf(file)]));
}
