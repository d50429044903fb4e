import { globSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { demoFolder, REPOSITORY } from '../repository';
import { temporaryFolder } from '../temporaryFolder';
import { runNpm } from './npm';

/** Environment variable with a tarball that is already packed, so that a suite need not build again. */
export const TARBALL_VARIABLE = 'COMMERCE_PLATFORM_TARBALL';

/**
 * This package as it would be published: the tarball that the environment names, or the result of `npm pack`, which builds
 * it anew.
 *
 * @throws NpmFailure with the compiler's output if the build fails
 */
export async function packPackage(): Promise<string> {
	const ready = process.env[TARBALL_VARIABLE];
	if (ready) return ready;
	const folder = temporaryFolder('package');
	const run = { folder: REPOSITORY, logFile: join(demoFolder(), 'pack.log') };
	await runNpm(['pack', '--pack-destination', folder], run);
	const [tarball] = globSync(join(folder, '*.tgz'));
	return tarball;
}

/**
 * Unpacks the tarball where n8n keeps community packages. It needs only n8n-workflow, which n8n provides.
 *
 * @param userFolder the N8N_USER_FOLDER of an n8n that does not run yet
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-commerce-platform');
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await execa('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
