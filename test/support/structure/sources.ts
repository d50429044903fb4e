import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** Texts of source files by their path from the repository's root, with slashes. */
export type Sources = ReadonlyMap<string, string>;

/** All TypeScript files in some folders of the repository. */
export function sourcesIn(...folders: string[]): Sources {
	const files = folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
			.map((entry) => join(entry.parentPath, entry.name)),
	);
	return new Map(
		files.map((file) => [relative(ROOT, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
	);
}
