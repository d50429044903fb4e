import { randomBytes } from 'node:crypto';

import { startPlatform, type Platform, type PlatformOptions } from '../../../platform';
import { N8nClient } from '../n8n/client';
import { installPackage, packPackage } from '../n8n/community-package';
import { ensureHost, type N8nHost } from '../n8n/host';
import { N8nProcess, type N8nOptions } from '../n8n/n8n-process';
import { NEWEST, restDialectOf } from '../n8n/restDialect';
import type { Credential, Owner } from '../n8n/types';
import type { Progress } from '../progress';
import { removeFolder, temporaryFolder } from '../temporaryFolder';
import { startQueueMode, type QueueMode } from './queueMode';

/**
 * n8n prepares a sandbox for each delivery even if there is no expression, except for its own Webhook node. That takes
 * several times as long as everything else. With this setting n8n waits for the first expression, as docs/scaling.md
 * advises.
 */
export const SANDBOXES_WHEN_NEEDED = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/**
 * Durable cursors, which n8n has off by default: its database keeps the schedule of polls, and saves what a poll noted
 * together with the execution.
 */
export const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/** `COMMERCE_PLATFORM_EXPRESSION_ENGINE=legacy` measures without sandboxes. */
export const EXPRESSION_ENGINE = {
	N8N_EXPRESSION_ENGINE: process.env.COMMERCE_PLATFORM_EXPRESSION_ENGINE ?? 'vm',
	...SANDBOXES_WHEN_NEEDED,
};

/** A local platform and a real n8n with this package, its owner and a credential for the platform. */
export interface TestEnvironment {
	platform: Platform;
	/** The process that serves the editor; in regular mode the only one. */
	n8n: N8nProcess;
	client: N8nClient;
	owner: Owner;
	credential: Credential;
	/** Stops n8n and the platform and removes their folders. */
	close(): Promise<void>;
}

/** The same with n8n in queue mode: one worker, two webhook processors behind a balancer, PostgreSQL and Redis. */
export type QueueEnvironment = TestEnvironment & Omit<QueueMode, 'stop'>;

export interface TestEnvironmentOptions {
	platform?: PlatformOptions;
	/** An n8n of another version than the tests are made for. */
	host?: N8nHost;
	/** Options of each process of n8n. */
	n8n?: Pick<N8nOptions, 'port' | 'environment' | 'encryptionKey'>;
	/** n8n's folder, if it must outlive the environment; a temporary one, if absent. */
	keptFolder?: string;
	/** The owner and credential that the kept folder has already: logs in instead of setting up. */
	known?: Pick<TestEnvironment, 'owner' | 'credential'>;
}

/**
 * Installs, packs and starts everything on loopback, and reports its progress.
 *
 * @throws UserError for a problem that the user can solve (old Node, no network, taken port, no compiler)
 */
export async function startTestEnvironment(
	progress: Progress,
	options?: TestEnvironmentOptions & { mode?: 'regular' },
): Promise<TestEnvironment>;
export async function startTestEnvironment(
	progress: Progress,
	options: TestEnvironmentOptions & { mode: 'queue' },
): Promise<QueueEnvironment>;
export async function startTestEnvironment(
	progress: Progress,
	options: TestEnvironmentOptions & { mode?: 'regular' | 'queue' } = {},
): Promise<TestEnvironment | QueueEnvironment> {
	const host = options.host ?? (await ensureHost(progress));
	const userFolder = options.keptFolder ?? temporaryFolder('n8n');
	const tarball = await progress.during('Packing this package', packPackage);
	await installPackage(tarball, userFolder);
	const platform = await startPlatform(options.platform);
	progress.say(`Local platform answers at ${platform.baseUrl}`);
	const start = async (process: Partial<N8nOptions> = {}) =>
		await N8nProcess.start({ ...options.n8n, ...process, host, userFolder });
	const { stop, ...n8n } = await progress.during(`Starting n8n ${host.version}`, async () =>
		options.mode === 'queue'
			? await startQueueMode(start, options.n8n?.environment)
			: await startRegularMode(start),
	);
	progress.say(`n8n answers at ${n8n.n8n.url} (process ${n8n.n8n.pid})`);
	const close = async () => {
		await stop();
		await platform.close();
		if (options.keptFolder === undefined) removeFolder(userFolder);
	};
	const client = new N8nClient(
		n8n.n8n.url,
		options.host === undefined ? NEWEST : restDialectOf(host.version),
	);
	if (options.known) await client.logIn(options.known.owner);
	const user = options.known ?? (await setUp(client, platform, progress));
	return { platform, ...n8n, client, ...user, close };
}

async function startRegularMode(start: () => Promise<N8nProcess>) {
	const n8n = await start();
	return { n8n, stop: async () => await n8n.stop() };
}

/** The first user, logged in, and a credential for the platform. */
async function setUp(client: N8nClient, platform: Platform, progress: Progress) {
	const owner = newOwner();
	await client.setUpOwner(owner);
	progress.say(`Owner ${owner.email} set up and logged in`);
	const credential = await client.createShopCredential('Commerce Platform (local)', platform);
	progress.say(`Credential ${credential.id} created`);
	return { owner, credential };
}

/** n8n requires a password of eight characters with a capital and a digit. */
export const newOwner = (): Owner => ({
	email: 'demo@commerce-platform.example',
	password: `Demo-1${randomBytes(4).toString('hex')}`,
});
