import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { UserError } from '../userError';
import type { Progress } from '../progress';
import { installHost } from './host-install';
import { nodeBeside } from './hostNode';
import { Marker } from './marker';

/** Names a folder that already holds `node_modules/n8n`, so that nothing is installed. */
export const HOST_VARIABLE = 'COMMERCE_PLATFORM_N8N_HOST';

const REPOSITORY = join(__dirname, '..', '..', '..');
const RECIPE = join(REPOSITORY, 'test', 'e2e', 'host');
const FINISHED = '.finished.json';

/** n8n 2.41 and its native parts need this Node or newer; the package `node` brings it. */
const NODE_MAJOR_NEEDED = 24;

/** An installed n8n. */
export interface N8nHost {
	/** Folder that holds `node_modules`. */
	folder: string;
	version: string;
	/** n8n's command line script. */
	script: string;
	/** The Node.js to run it with. */
	node: string;
}

/**
 * The pinned n8n, installed into a folder of its own if it is not there yet. A half-finished or
 * outdated installation is made anew.
 *
 * @throws UserError when Node is too old, the registry cannot be reached or a compiler is missing
 */
export async function ensureHost(progress: Progress): Promise<N8nHost> {
	requireNode();
	const version = await pinnedVersion();
	const given = process.env[HOST_VARIABLE];
	if (given) return await givenHost(given, version);
	return await ensureHostOf(version, RECIPE, progress);
}

/**
 * An n8n of a version of one's own, installed as {@link ensureHost} does.
 *
 * @param recipe folder with a package.json that names it, with a lock or without
 * @param sqliteFrom an n8n whose sqlite3 may serve this one, if it is of the same version
 */
export async function ensureHostOf(
	version: string,
	recipe: string,
	progress: Progress,
	sqliteFrom?: N8nHost,
): Promise<N8nHost> {
	const folder = hostFolder(version);
	const finished = await Marker.of(FINISHED, folder, recipe);
	if (!(await finished.isSet())) {
		const logs = dirname(folder);
		const unfinished = `${folder}.unfinished`;
		await rm(folder, { recursive: true, force: true });
		await mkdir(logs, { recursive: true });
		const job = { recipe, folder: unfinished, version, logs, sqliteFrom: sqliteFrom?.folder };
		await installHost(job, progress);
		await (await Marker.of(FINISHED, unfinished, recipe)).set();
		await rename(unfinished, folder);
	}
	return host(folder, version);
}

/** Where n8n of this version is installed. */
export const hostFolder = (version: string): string => join(REPOSITORY, '.demo', `n8n-${version}`);

function requireNode(): void {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= NODE_MAJOR_NEEDED) return;
	throw new UserError(
		`This runs under Node ${process.versions.node}; n8n needs Node ${NODE_MAJOR_NEEDED} or newer.`,
		'Start it through an npm script (`npm run demo`) after `npm ci`: the development dependency `node` then puts the right Node first. If it still says this, `npm ci` ran without install scripts (--ignore-scripts).',
	);
}

async function pinnedVersion(): Promise<string> {
	const recipe = JSON.parse(await readFile(join(RECIPE, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return recipe.dependencies.n8n;
}

async function givenHost(folder: string, pinned: string): Promise<N8nHost> {
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	if (!existsSync(manifest)) {
		throw new UserError(
			`${HOST_VARIABLE} names ${folder}, which holds no node_modules/n8n.`,
			'Correct the variable or remove it; without it n8n is installed into .demo/.',
		);
	}
	const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
	if (version !== pinned) {
		throw new UserError(
			`${HOST_VARIABLE} names n8n ${version}; this is made for ${pinned}.`,
			`Install n8n ${pinned} there, or remove the variable.`,
		);
	}
	return host(folder, version);
}

const host = (folder: string, version: string): N8nHost => ({
	folder,
	version,
	script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	node: nodeBeside(folder),
});
