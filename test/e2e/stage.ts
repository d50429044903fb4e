import { randomBytes } from 'node:crypto';

import { startPlatform, type Platform, type PlatformOptions } from '../platform';
import { removeFolder, temporaryFolder } from './leftovers';
import { N8nClient } from './n8n/client';
import { installPackage, isPacked, packPackage } from './n8n/community-package';
import { ensureHost, type N8nHost } from './n8n/host';
import { N8nProcess, type N8nOptions } from './n8n/n8n-process';
import type { Credential, Owner } from './n8n/types';
import type { Progress } from './progress';

export const CREDENTIAL_TYPE = 'commercePlatformApi';

/** A local platform and a real n8n with this package, its owner and a credential for the platform. */
export interface Stage {
	platform: Platform;
	n8n: N8nProcess;
	client: N8nClient;
	owner: Owner;
	credential: Credential;
	/** Ends n8n and the platform and removes their folders. */
	close(): Promise<void>;
}

export interface StageOptions {
	platform?: PlatformOptions;
	n8n?: Omit<N8nOptions, 'host' | 'userFolder'>;
}

/**
 * Installs, packs and starts everything; says on the way what it does.
 *
 * @throws Obstacle for whatever the user can remove (old Node, no network, taken port, no compiler)
 */
export async function setStage(progress: Progress, options: StageOptions = {}): Promise<Stage> {
	const host = await ensureHost(progress);
	const userFolder = temporaryFolder('n8n');
	await installOurPackage(userFolder, progress);
	const platform = await startThePlatform(options.platform, progress);
	const n8n = await startN8n({ ...options.n8n, host, userFolder }, progress);
	const client = new N8nClient(n8n.url);
	const owner = newOwner();
	await client.setUpOwner(owner);
	progress.say(`Owner ${owner.email} set up and logged in`);
	const credential = await client.createCredential('Commerce Platform (local)', CREDENTIAL_TYPE, {
		baseUrl: platform.baseUrl,
		apiKey: platform.apiKey,
	});
	progress.say(`Credential ${credential.id} created`);
	const close = async () => {
		await n8n.stop();
		await platform.close();
		removeFolder(userFolder);
	};
	return { platform, n8n, client, owner, credential, close };
}

async function installOurPackage(userFolder: string, progress: Progress): Promise<void> {
	const packing = isPacked() ? 'Taking the packed package' : 'Building and packing this package';
	const { tarball, bytes } = await progress.during(packing, packPackage);
	progress.detail(`${tarball.split(/[\\/]/).at(-1)}, ${(bytes / 1000).toFixed(1)} kB`);
	await progress.during('Installing it as a community node', async () => {
		await installPackage(tarball, userFolder);
	});
}

async function startThePlatform(
	options: PlatformOptions | undefined,
	progress: Progress,
): Promise<Platform> {
	const platform = await startPlatform(options);
	progress.say(`Local platform answers at ${platform.baseUrl}`);
	return platform;
}

async function startN8n(
	options: N8nOptions & { host: N8nHost },
	progress: Progress,
): Promise<N8nProcess> {
	const n8n = await progress.during(`Starting n8n ${options.host.version}`, async () => {
		return await N8nProcess.start(options);
	});
	progress.say(`n8n answers at ${n8n.url} (process ${n8n.pid})`);
	return n8n;
}

/** n8n wants eight characters with a capital and a digit. */
const newOwner = (): Owner => ({
	email: 'demo@commerce-platform.example',
	password: `Demo-1${randomBytes(4).toString('hex')}`,
});
