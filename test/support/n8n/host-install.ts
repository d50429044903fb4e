import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import execa from 'execa';

import { UserError } from '../userError';
import type { Progress } from '../progress';
import { NODE_PACKAGE } from './hostNode';
import { Marker } from './marker';
import { NpmFailure, runNpm, type NpmRun } from './npm';

export interface HostInstallation {
	/** Folder with the package.json that names n8n, and the package-lock.json that pins all it needs, if there is one. */
	recipe: string;
	/** Folder that gets n8n; what an earlier attempt left there is used if it is whole, else removed. */
	folder: string;
	version: string;
	/** Folder that gets npm's log. */
	logs: string;
	/** Folder of an n8n whose compiled sqlite3 is taken, if it is of the same version. */
	sqliteFrom?: string;
}

/** The long first step is not done again when a later one fails. */
const PACKAGES_INSTALLED = '.packages-installed.json';

const LOCK = 'package-lock.json';

/** Of an n8n 2.x. */
const USUAL_PACKAGES = 2200;

const INSTALL = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];

/** npm could not reach the registry, waited ten seconds, and still could not. */
const SECOND_FAILURE = /attempt 2 failed with E[A-Z_]+/;

/** What node-gyp calls when sqlite3 has no ready binary for this machine. */
const COMPILER_TOOLS = ['python3', 'make', 'g++'];

/**
 * Installs n8n by its lock, without running the install scripts of its two thousand packages, and
 * then makes only the two native parts ready that it cannot do without.
 *
 * @throws UserError when the registry cannot be reached or sqlite3 cannot be built
 */
export async function installHost(job: HostInstallation, progress: Progress): Promise<void> {
	const logFile = join(job.logs, 'install.log');
	await writeFile(logFile, '');
	const run: NpmRun = { folder: job.folder, logFile, environment: nativeBuildEnvironment() };
	const packagesInstalled = await Marker.of(PACKAGES_INSTALLED, job.folder, job.recipe);
	if (!(await packagesInstalled.isSet())) {
		await copyRecipe(job);
		await installPackages(job, run, progress);
		await packagesInstalled.set();
	}
	await progress.during('Making isolated-vm ready', () => runNpm(['rebuild', 'isolated-vm'], run));
	await progress.during('Making sqlite3 ready (a minute where it must be compiled)', async () => {
		if (!(await takeSqlite(job))) await buildSqlite(run);
	});
}

async function copyRecipe({ recipe, folder }: HostInstallation): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder);
	for (const file of ['package.json', LOCK]) {
		if (existsSync(join(recipe, file))) await copyFile(join(recipe, file), join(folder, file));
	}
}

async function installPackages(
	job: HostInstallation,
	run: NpmRun,
	progress: Progress,
): Promise<void> {
	const total = await packagesIn(job.recipe);
	let seen = 0;
	const onLine = (line: string) => {
		if (line.startsWith('npm http fetch GET 200') || line.startsWith('npm http cache')) seen += 1;
	};
	const giveUpOn = (line: string) => seen === 0 && SECOND_FAILURE.test(line);
	await progress.during(
		`Installing n8n ${job.version} and its ${total} packages (once, 2 to 4 minutes, 2.2 GB)`,
		() => runNpm([...INSTALL, '--loglevel=http'], { ...run, onLine, giveUpOn }),
		() =>
			seen < total
				? `${seen} of ${total} packages fetched`
				: 'packages fetched, now unpacking them',
	);
}

/** How many packages will be fetched; a usual number where no lock tells. */
async function packagesIn(recipe: string): Promise<number> {
	const file = join(recipe, LOCK);
	if (!existsSync(file)) return USUAL_PACKAGES;
	const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, unknown> };
	return Object.keys(lock.packages).length - 1;
}

/** Takes the binary of another n8n. It uses Node-API, so it serves every Node. @returns whether it fitted */
async function takeSqlite({ folder, sqliteFrom }: HostInstallation): Promise<boolean> {
	if (sqliteFrom === undefined) return false;
	const [from, to] = [sqliteFrom, folder].map((host) => join(host, 'node_modules', 'sqlite3'));
	const binary = join('build', 'Release', 'node_sqlite3.node');
	if ((await versionIn(from)) !== (await versionIn(to)) || !existsSync(join(from, binary))) {
		return false;
	}
	await mkdir(dirname(join(to, binary)), { recursive: true });
	await copyFile(join(from, binary), join(to, binary));
	return true;
}

async function versionIn(folder: string): Promise<string> {
	const manifest = await readFile(join(folder, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

async function buildSqlite(run: NpmRun): Promise<void> {
	try {
		await runNpm(['rebuild', 'sqlite3'], run);
	} catch (error) {
		const missing = COMPILER_TOOLS.filter(isMissing);
		if (!(error instanceof NpmFailure) || missing.length === 0) throw error;
		throw new UserError(
			`sqlite3, n8n's database, has no ready binary for this machine, and it cannot be compiled: ${missing.join(', ')} not found.`,
			'Install python3, make and a C++ compiler (Debian, Ubuntu: `sudo apt-get install -y python3 make g++`; macOS: `xcode-select --install`) and run this again.',
		);
	}
}

const isMissing = (tool: string): boolean =>
	execa.sync(tool, ['--version'], { stdio: 'ignore', reject: false }).exitCode === undefined;

/** Native parts are compiled against the headers that the npm package `node` brings beside its Node. */
function nativeBuildEnvironment(): Record<string, string> {
	const require = createRequire(__filename);
	const folders = [join(dirname(process.execPath), '..')];
	try {
		const nodePackage = dirname(require.resolve('node/package.json'));
		folders.push(
			join(nodePackage, 'node_modules', NODE_PACKAGE),
			join(nodePackage, '..', NODE_PACKAGE),
		);
	} catch {
		// Not installed through npm: the headers beside the running Node, or node-gyp's own, serve.
	}
	const headers = folders.find((folder) =>
		existsSync(join(folder, 'include', 'node', 'node_api.h')),
	);
	return headers === undefined ? {} : { npm_config_nodedir: headers };
}
