import { join } from 'node:path';

import { ensureInstalled } from '../../test/support/n8n/host';
import type { Progress } from '../../test/support/progress';
import { REPOSITORY } from '../../test/support/repository';

/** Git-ignored. The engine and its database; the package has it for no dependency. */
export const ENGINE_FOLDER = join(REPOSITORY, '.engine');

/** Installs the engine into `.engine/` if it is not there in the pinned versions. @throws NpmFailure */
export const ensureEngine = async (progress: Progress): Promise<void> =>
	await ensureInstalled(
		'the engine into .engine/',
		{ recipe: __dirname, folder: ENGINE_FOLDER, native: ['bcrypt'] },
		progress,
	);
