import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const REPOSITORY = join(__dirname, '..', '..');

/** Text of a file. @param path from the root of the repository @throws if there is no such file */
export const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
