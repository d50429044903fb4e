import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../temporaryFolder';
import { runNpm } from './npm';

const REPOSITORY = join(__dirname, '..', '..', '..');
/** Git-ignored; outlives a failure, so that its log can be read. */
const LOGS = join(REPOSITORY, '.demo');

/** Names a tarball that was packed already, so that each suite need not build again. */
export const TARBALL_VARIABLE = 'COMMERCE_PLATFORM_TARBALL';

/** This package as it would be published. */
export interface PackedPackage {
	tarball: string;
	bytes: number;
}

/** Whether the environment names a tarball, so that nothing need be built. */
export const isPacked = (): boolean => process.env[TARBALL_VARIABLE] !== undefined;

/**
 * `npm run build` and `npm pack` into a temporary folder; or the tarball that the environment names.
 *
 * @throws NpmFailure with the compiler's output when the build fails
 */
export async function packPackage(): Promise<PackedPackage> {
	const ready = process.env[TARBALL_VARIABLE];
	if (ready) return await packed(ready);
	const folder = temporaryFolder('package');
	await mkdir(LOGS, { recursive: true });
	const run = { folder: REPOSITORY, logFile: join(LOGS, 'pack.log') };
	await writeFile(run.logFile, '');
	await runNpm(['run', 'build'], run);
	await runNpm(['pack', '--pack-destination', folder], run);
	const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
	if (name === undefined) throw new Error(`npm pack left no tarball in ${folder}.`);
	return await packed(join(folder, name));
}

/**
 * Installs the tarball where n8n keeps community packages, with npm and without the peer
 * n8n-workflow, which n8n itself provides.
 *
 * @param userFolder the N8N_USER_FOLDER of an n8n that does not run yet
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	await rm(join(nodes, 'node_modules'), { recursive: true, force: true });
	await mkdir(nodes, { recursive: true });
	await writeFile(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }, null, 2),
	);
	await runNpm(
		[
			'install',
			tarball,
			'--ignore-scripts',
			'--legacy-peer-deps',
			'--offline',
			'--no-audit',
			'--no-fund',
		],
		{ folder: nodes, logFile: join(userFolder, 'install-package.log') },
	);
}

async function packed(tarball: string): Promise<PackedPackage> {
	return { tarball, bytes: (await stat(tarball)).size };
}
