import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const REPOSITORY = join(__dirname, '..', '..');

/** Text of a file. @param path from the root of the repository @throws where there is none */
export const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
