import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import execa from 'execa';

import { demoFolder, REPOSITORY } from '../repository';
import { UserError } from '../userError';
import type { Progress } from '../progress';
import { NpmFailure, runNpm, type NpmRun } from './npm';

const RECIPE = join(REPOSITORY, 'test', 'e2e', 'host');
const MANIFESTS = ['package.json', 'package-lock.json'];
/** Written last; says what the installation is valid for. */
const FINISHED = '.finished.json';

/** n8n 2.41 and its native parts need this version of Node or a newer one; the npm package `node` brings it. */
const NODE_MAJOR_NEEDED = 24;

/** The folder of the npm package that `node` installs on this machine, which holds Node.js itself. */
export const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** An installed n8n. */
export type N8nHost = ReturnType<typeof host>;

/**
 * The pinned n8n, installed into its own folder if it is not there yet. An incomplete or outdated installation is
 * replaced.
 *
 * @throws UserError if Node is too old, or a compiler is needed and missing
 * @throws NpmFailure with npm's message, e.g. if the registry cannot be reached
 */
export async function ensureHost(progress: Progress): Promise<N8nHost> {
	requireNode();
	const manifest = readFileSync(join(RECIPE, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { dependencies: { n8n: string } };
	return await ensureHostOf(dependencies.n8n, RECIPE, progress);
}

/**
 * An n8n of another version, installed as {@link ensureHost} does.
 *
 * @param recipe folder with the package.json that names it, with or without a lock
 */
export async function ensureHostOf(
	version: string,
	recipe: string,
	progress: Progress,
): Promise<N8nHost> {
	const folder = hostFolder(version);
	const what = `n8n ${version} (once, 3 to 5 minutes, 2.2 GB)`;
	await ensureInstalled(what, { recipe, folder, native: ['isolated-vm', 'sqlite3'] }, progress);
	return host(folder, version);
}

/** The folder of this version of n8n. */
export const hostFolder = (version: string): string => join(demoFolder(), `n8n-${version}`);

/** A package.json and its lock, what it is installed into, and the packages whose native part is compiled. */
interface Installation {
	recipe: string;
	folder: string;
	native: string[];
}

/**
 * Installs what a recipe names into a folder of its own, if it is not there for this lock and this Node.
 *
 * @param what for the progress
 * @throws NpmFailure if the registry cannot be reached
 */
export async function ensureInstalled(
	what: string,
	installation: Installation,
	progress: Progress,
): Promise<void> {
	const { folder, recipe } = installation;
	const finished = join(folder, FINISHED);
	const wanted = holdsFor(recipe);
	if (existsSync(finished) && readFileSync(finished, 'utf8') === wanted) return;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	for (const file of MANIFESTS.filter((name) => existsSync(join(recipe, name))))
		cpSync(join(recipe, file), join(folder, file));
	await progress.during(`Installing ${what}`, async () => await install(installation));
	writeFileSync(finished, wanted);
}

/** Installs without the install scripts of the packages, but for the native parts that are needed. */
async function install({ folder, native }: Installation): Promise<void> {
	const headers = nodeHeaders();
	const run: NpmRun = {
		folder,
		logFile: join(folder, 'install.log'),
		environment: headers === undefined ? {} : { npm_config_nodedir: headers },
	};
	const quick = ['--fetch-retries=1', '--no-audit', '--no-fund'];
	await runNpm(['install', '--ignore-scripts', '--legacy-peer-deps', ...quick], run);
	try {
		await runNpm(['rebuild', ...native], run);
	} catch (error) {
		const missing = COMPILER_TOOLS.filter(isMissing);
		if (!(error instanceof NpmFailure) || missing.length === 0) throw error;
		throw new UserError(
			`${native.join(' or ')} has no ready binary for this machine, and cannot be compiled: ${missing.join(', ')} not found.`,
			'Install python3, make and a C++ compiler (Debian, Ubuntu: `sudo apt-get install -y python3 make g++`; macOS: `xcode-select --install`) and run this again.',
		);
	}
}

/** The programs that node-gyp calls if there is no prebuilt binary. */
const COMPILER_TOOLS = ['python3', 'make', 'g++'];

const isMissing = (tool: string): boolean =>
	execa.sync(tool, ['--version'], { stdio: 'ignore', reject: false }).exitCode === undefined;

/**
 * The headers to compile native parts against: those beside this Node, or beside the Node of the npm package `node`.
 */
function nodeHeaders(): string | undefined {
	const modules = join(REPOSITORY, 'node_modules');
	return [
		join(dirname(process.execPath), '..'),
		join(modules, 'node', 'node_modules', NODE_PACKAGE),
		join(modules, NODE_PACKAGE),
	].find((folder) => existsSync(join(folder, 'include', 'node', 'node_api.h')));
}

/**
 * What an installation is valid for: one lock, or one package.json if there is no lock, and one kind of machine and
 * Node.
 */
function holdsFor(recipe: string): string {
	const lock = join(recipe, 'package-lock.json');
	const pinning = readFileSync(existsSync(lock) ? lock : join(recipe, 'package.json'));
	return JSON.stringify({
		lock: createHash('sha256').update(pinning).digest('hex'),
		platform: `${process.platform}-${process.arch}`,
		modules: process.versions.modules,
	});
}

function requireNode(): void {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= NODE_MAJOR_NEEDED) return;
	throw new UserError(
		`This runs under Node ${process.versions.node}; n8n needs Node ${NODE_MAJOR_NEEDED} or newer.`,
		'Start it through an npm script (`npm run demo`) after `npm ci`: the development dependency `node` then puts the right Node first. If it still says this, `npm ci` ran without install scripts (--ignore-scripts).',
	);
}

function host(folder: string, version: string) {
	const own = join(folder, 'node_modules', NODE_PACKAGE, 'bin', 'node');
	return {
		/** Folder that holds `node_modules`. */
		folder,
		version,
		/** n8n's command line script. */
		script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		/** The Node.js to run it with: the one installed beside it, or else the one of this process. */
		node: existsSync(own) ? own : process.execPath,
	};
}
