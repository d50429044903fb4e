import { startPlatform, type PlatformOptions } from '../../../platform';
import { newOwner } from '../../support/environment/testEnvironment';
import { N8nClient } from '../../support/n8n/client';
import { ensureHost } from '../../support/n8n/host';
import { N8nProcess } from '../../support/n8n/n8n-process';
import { LOOPBACK, freePort } from '../../../platform/support/ports';
import { Progress } from '../../support/progress';
import { startRegistry } from './registry';

export type InstallEnvironment = Awaited<ReturnType<typeof startInstallEnvironment>>;

/** A local platform, a registry, and a real n8n that has no community node yet. */
export async function startInstallEnvironment(options?: PlatformOptions) {
	const host = await ensureHost(Progress.silent());
	const registry = await startRegistry();
	const platform = await startPlatform(options);
	// n8n asks two outside addresses about a package before it installs it; it needs no answer.
	const nowhere = `http://${LOOPBACK}:${await freePort()}`;
	const n8n = await N8nProcess.start({
		host,
		environment: {
			NPM_CONFIG_USERCONFIG: registry.npmrc,
			HTTPS_PROXY: nowhere,
			https_proxy: nowhere,
			NO_PROXY: LOOPBACK,
		},
	});
	const client = new N8nClient(n8n.url);
	const owner = newOwner();
	await client.setUpOwner(owner);
	const close = async () => {
		await n8n.stop();
		await platform.close();
		await registry.close();
	};
	return { platform, registry, n8n, client, owner, close };
}
