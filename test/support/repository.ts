import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const REPOSITORY = join(__dirname, '..', '..');

/** Text of a file. @param path from the root of the repository @throws if there is no such file */
export const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

/**
 * The git-ignored folder of installations, logs and the kept demo. It holds logins and keys, so only this user may look
 * into it.
 */
export function demoFolder(): string {
	const folder = join(REPOSITORY, '.demo');
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o700);
	return folder;
}
