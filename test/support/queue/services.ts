import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import execa, { type ExecaChildProcess } from 'execa';

import { isRunning, launch, signal } from '../processes';
import { temporaryFolder } from '../temporaryFolder';
import { LOOPBACK, freePort } from '../../../platform/support/ports';
import { UserError } from '../userError';
import { until } from '../../../platform/support/until';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const SUPERUSER = 'n8n';
/** Keys that Redis reads when it starts again, and the time for each: some two seconds in all. */
const KEYS_TO_LOAD = 20_000;
const LOAD_DELAY_US = 100;

/** A server that can be stopped and started again on the same data. */
export interface Service {
	port: number;
	start(): Promise<void>;
	/** Stops it in good order. */
	stop(): Promise<void>;
}

/** Whether this machine has the services for queue mode. */
export function hasQueueServices(): boolean {
	return commandPath('redis-server') !== undefined && postgresFolder() !== undefined;
}

/**
 * Redis on loopback that persists everything, so that a stop loses nothing. Like a Redis with much data, it refuses all
 * commands for the first seconds after a restart.
 *
 * @throws UserError if it is not installed
 */
export async function startRedis(): Promise<Service> {
	const command = needed(commandPath('redis-server'), 'Redis', 'redis-server');
	const folder = temporaryFolder('redis');
	const port = await freePort();
	const settings = {
		bind: LOOPBACK,
		port: String(port),
		dir: folder,
		appendonly: 'yes',
		save: '',
		daemonize: 'no',
		'key-load-delay': String(LOAD_DELAY_US),
	};
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	const service = serviceOf(port, () => launch(command, args, { stdio: 'ignore' }));
	await service.start();
	const fill = `for i = 1, ${KEYS_TO_LOAD} do redis.call('set', 'filler:' .. i, i) end`;
	execa.sync('redis-cli', ['-h', LOOPBACK, '-p', String(port), 'eval', fill, '0']);
	return service;
}

/** PostgreSQL on loopback with one database; it trusts connections from loopback. */
export interface Postgres extends Service {
	user: string;
	database: string;
	/** Runs a statement. @returns the lines that psql prints, unaligned */
	query(sql: string): string[];
}

/**
 * A new PostgreSQL cluster.
 *
 * @throws UserError if it is not installed
 */
export async function startPostgres(): Promise<Postgres> {
	const bin = needed(postgresFolder(), 'PostgreSQL', 'postgresql');
	const folder = temporaryFolder('postgres');
	const owner = unprivilegedUser();
	const data = join(folder, 'data');
	mkdirSync(data, { mode: 0o700 });
	for (const path of [folder, data]) if (owner) chownSync(path, owner.uid, owner.gid);
	execa.sync(join(bin, 'initdb'), ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8'], {
		...owner,
		cwd: folder,
		stdio: 'ignore',
	});
	const port = await freePort();
	// It always stops in good order, so it need not wait for the disk, which may be slow on a shared machine.
	const settings = {
		port: String(port),
		listen_addresses: LOOPBACK,
		unix_socket_directories: folder,
		fsync: 'off',
		synchronous_commit: 'off',
	};
	const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const args = ['-D', data, ...options];
	const service = serviceOf(port, () =>
		launch(join(bin, 'postgres'), args, { ...owner, cwd: folder, stdio: 'ignore' }),
	);
	const psql = (database: string, sql: string): string[] => {
		const address = ['-h', LOOPBACK, '-p', String(port), '-U', SUPERUSER, '-d', database];
		const { stdout } = execa.sync(join(bin, 'psql'), [...address, '-Atc', sql], {
			maxBuffer: 1 << 28,
		});
		return stdout.split('\n').filter((line) => line !== '');
	};
	const start = async () => {
		await service.start();
		// Its port answers while it is still starting up.
		await until('PostgreSQL to take statements', START_TIMEOUT_MS, async () => {
			try {
				return psql('postgres', 'SELECT 1');
			} catch {
				return undefined;
			}
		});
	};
	await start();
	psql('postgres', 'CREATE DATABASE n8n');
	const query = (sql: string) => psql('n8n', sql);
	return { ...service, start, user: SUPERUSER, database: 'n8n', query };
}

/** Environment variables that make n8n store its data in this PostgreSQL. */
export function postgresEnvironment(postgres: Postgres): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: postgres.database,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: 'trusted',
	};
}

function serviceOf(port: number, run: () => ExecaChildProcess): Service {
	let child: ExecaChildProcess | undefined;
	const ended = () => !isRunning(child);
	return {
		port,
		start: async () => {
			child = run();
			await until(`port ${port} to answer`, START_TIMEOUT_MS, async () => {
				if (ended()) throw new Error(`The server for port ${port} ended while starting.`);
				return await accepts(port);
			});
		},
		stop: async () => {
			// SIGINT is PostgreSQL's "fast shutdown"; Redis also stops in good order.
			if (child !== undefined) signal(child, 'SIGINT');
			await until('the server to end', STOP_TIMEOUT_MS, async () => ended());
		},
	};
}

const accepts = async (port: number): Promise<boolean> =>
	await new Promise((resolve) => {
		const socket = connect(port, LOOPBACK);
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});

function needed(path: string | undefined, what: string, debianPackage: string): string {
	if (path !== undefined) return path;
	throw new UserError(
		`${what} is not installed; queue mode needs it.`,
		`Install it (Debian, Ubuntu: \`sudo apt-get install -y ${debianPackage}\`). It is started by the test itself.`,
	);
}

function commandPath(command: string): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin'];
	return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

/** Debian installs the server's programs outside PATH, in one folder per version. */
function postgresFolder(): string | undefined {
	if (!existsSync(POSTGRES_VERSIONS)) return undefined;
	const newestFirst = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a));
	return newestFirst
		.map((version) => join(POSTGRES_VERSIONS, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL refuses to run as root; its Debian package creates a user for it. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const id = (flag: string) => Number(execa.sync('id', [flag, 'postgres']).stdout);
	return { uid: id('-u'), gid: id('-g') };
}
