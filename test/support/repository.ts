import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const REPOSITORY = join(__dirname, '..', '..');

/** Text of a file, empty if there is none. @param path from the root of the repository */
export const textOf = (path: string): string =>
	existsSync(join(REPOSITORY, path)) ? readFileSync(join(REPOSITORY, path), 'utf8') : '';
