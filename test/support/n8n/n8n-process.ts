import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import execa, { type ExecaChildProcess } from 'execa';

import { isRunning, launch, signal } from '../processes';
import { temporaryFolder } from '../temporaryFolder';
import { until } from '../../../platform/support/until';
import { quietEnvironment } from './environment';
import type { N8nHost } from './host';
import { LOOPBACK, freePort } from '../../../platform/support/ports';
import { environmentOf } from './restDialect';

/** The first start creates the database, which takes longest. */
const READY_TIMEOUT_MS = 300_000;
const POLL_MS = 100;
/** n8n ends running executions before it stops; after this time it is killed. */
const STOP_TIMEOUT_MS = 20_000;
const LOG_LINES_SHOWN = 25;

export interface N8nOptions {
	host: N8nHost;
	/** Port of the editor; any free one, if absent. */
	port?: number;
	/** Folder for `.n8n`; a temporary one, if absent. */
	userFolder?: string;
	/** n8n's own command: `start` (default), `worker` or `webhook`. */
	command?: string[];
	/** The same for all processes of one instance; a random one, if absent. */
	encryptionKey?: string;
	/** Further environment variables, e.g. of queue mode; they override the others. */
	environment?: Record<string, string>;
	/** Addresses that must answer 2xx before the process counts as ready. */
	readyPaths?: string[];
}

/** One process of n8n, which can be stopped, killed and started again on the same folder. */
export class N8nProcess {
	private child?: ExecaChildProcess;

	private constructor(
		private readonly options: N8nOptions,
		/** The environment it runs with. */
		readonly environment: Record<string, string>,
		readonly port: number,
		readonly userFolder: string,
	) {}

	/**
	 * Starts n8n and waits until it answers.
	 *
	 * @throws Error with the end of the log if n8n ends or does not answer within five minutes
	 */
	static async start(options: N8nOptions): Promise<N8nProcess> {
		const port = options.port ?? (await freePort());
		const userFolder = options.userFolder ?? temporaryFolder('n8n');
		const encryptionKey = options.encryptionKey ?? randomBytes(16).toString('hex');
		const environment = {
			...quietEnvironment({ userFolder, port, brokerPort: await freePort(), encryptionKey }),
			...environmentOf(options.host.version, `http://${LOOPBACK}:${port}/`),
			...options.environment,
		};
		const n8n = new N8nProcess(options, environment, port, userFolder);
		await n8n.start();
		return n8n;
	}

	get url(): string {
		return `http://${LOOPBACK}:${this.port}`;
	}

	/** Runs a command of n8n's command line on the same folder and database, e.g. `export:workflow --all`. */
	async run(...command: string[]): Promise<void> {
		const { script, node } = this.options.host;
		const options = { cwd: this.userFolder, env: this.environment, extendEnv: false };
		await execa(node, [script, ...command], options);
	}

	get pid(): number | undefined {
		return this.child?.pid;
	}

	get running(): boolean {
		return isRunning(this.child);
	}

	/** The log file with everything n8n prints, in all its starts. */
	get logFile(): string {
		return join(this.userFolder, `n8n-${this.port}.log`);
	}

	/** Everything n8n has printed so far. */
	readLog(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** Starts the process again after {@link stop} or {@link kill}, and waits until it answers. */
	async start(): Promise<void> {
		const log = openSync(this.logFile, 'a');
		const { command = ['start'] } = this.options;
		this.child = launch(this.options.host.node, [this.options.host.script, ...command], {
			cwd: this.userFolder,
			env: this.environment,
			stdio: ['ignore', log, log],
		});
		closeSync(log);
		await this.untilReady();
	}

	/** Ends the process as a service manager does: first politely, then by force. */
	async stop(): Promise<void> {
		if (!this.child || !this.running) return;
		signal(this.child, 'SIGTERM');
		if (!(await this.ended(STOP_TIMEOUT_MS))) await this.kill();
	}

	/** Ends the process at once (kill -9), as a crash would. */
	async kill(): Promise<void> {
		if (!this.child || !this.running) return;
		signal(this.child, 'SIGKILL');
		await this.ended(STOP_TIMEOUT_MS);
	}

	/** Calls {@link stop} and {@link start}. */
	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	private async ended(timeoutMs: number): Promise<boolean> {
		const deadline = Date.now() + timeoutMs;
		while (this.running && Date.now() < deadline) await wait(POLL_MS);
		return !this.running;
	}

	private async untilReady(): Promise<void> {
		const paths = this.options.readyPaths ?? ['/healthz/readiness', '/rest/settings'];
		try {
			for (const path of paths) {
				await until(`${path} of n8n to answer`, READY_TIMEOUT_MS, async () => {
					if (await answers(`${this.url}${path}`)) return true;
					if (!this.running) throw new Error('n8n ended while starting.');
					return undefined;
				});
			}
		} catch (error) {
			await this.kill();
			throw new Error(`${(error as Error).message}\n${this.endOfLog()}`);
		}
	}

	private endOfLog(): string {
		const lines = this.readLog().trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
		return `The end of its log (${this.logFile}):\n${lines.join('\n')}`;
	}
}

async function answers(address: string): Promise<boolean> {
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(2000) });
		// Until it is ready, n8n answers "n8n is starting up" with status 200 and no JSON.
		return response.ok && (response.headers.get('content-type') ?? '').includes('json');
	} catch {
		return false;
	}
}
