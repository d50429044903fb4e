import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { holdsFor, installNative } from '../../test/support/n8n/host';
import type { Progress } from '../../test/support/progress';
import { REPOSITORY } from '../../test/support/repository';

/** Git-ignored. The engine and its database. */
export const ENGINE_FOLDER = join(REPOSITORY, '.engine');

/**
 * Installs the engine into `.engine/` if it is not there in the pinned versions (about a minute). It is no dependency of
 * this package.
 *
 * @throws NpmFailure if the registry cannot be reached
 */
export async function ensureEngine(progress: Progress): Promise<void> {
	const wanted = holdsFor(__dirname);
	const finished = join(ENGINE_FOLDER, 'installed');
	if (existsSync(finished) && readFileSync(finished, 'utf8') === wanted) return;
	mkdirSync(ENGINE_FOLDER, { recursive: true });
	for (const file of ['package.json', 'package-lock.json'])
		cpSync(join(__dirname, file), join(ENGINE_FOLDER, file));
	const log = join(ENGINE_FOLDER, 'npm.log');
	await progress.during(
		'Installing the engine into .engine/',
		async () => await installNative(ENGINE_FOLDER, ['bcrypt'], log),
	);
	writeFileSync(finished, wanted);
}
