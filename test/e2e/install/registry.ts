import type { Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer, type ServerFactory } from '@verdaccio/node-api';
import { startServer } from '@verdaccio/server';

import { runNpm } from '../../support/n8n/npm';
import { LOOPBACK, freePort } from '../../support/ports';
import { removeFolder, temporaryFolder } from '../../support/temporaryFolder';

/** n8n takes a registry of one's own for the packages of a scope only. */
export const SCOPE = '@loopback';

/** A registry of npm packages on loopback, which knows no other registry. */
export class Registry {
	private constructor(
		private readonly server: Server,
		private readonly folder: string,
		/** npm's settings for a client of this registry. */
		readonly npmrc: string,
	) {}

	static async start(): Promise<Registry> {
		const folder = temporaryFolder('registry');
		const port = await freePort();
		const url = `http://${LOOPBACK}:${port}/`;
		// Verdaccio's published types name another major version of its own configuration.
		const app = (await runServer(settings(folder), startServer as ServerFactory)) as Server;
		await new Promise<void>((resolve) => app.listen(port, LOOPBACK, resolve));
		const npmrc = join(folder, 'npmrc');
		await writeFile(npmrc, npmSettings(url, folder, await tokenOfNewUser(url)));
		return new Registry(app, folder, npmrc);
	}

	/**
	 * Publishes what a folder holds, with npm.
	 *
	 * @throws NpmFailure with npm's words when the registry refuses it
	 */
	async publish(folder: string): Promise<void> {
		const environment = { NPM_CONFIG_USERCONFIG: this.npmrc };
		const logFile = join(this.folder, 'publish.log');
		await runNpm(['publish', '--ignore-scripts'], { folder, logFile, environment });
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
		removeFolder(this.folder);
	}
}

const settings = (folder: string) => ({
	storage: join(folder, 'storage'),
	self_path: join(folder, 'config.yaml'),
	uplinks: {},
	auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: 1 } },
	packages: { [`${SCOPE}/*`]: { access: '$all', publish: '$authenticated' } },
	log: { type: 'stdout', format: 'pretty', level: 'fatal' },
});

/** The registry of the scope, no waiting for others, and a cache of its own, which the user's must not answer for. */
const npmSettings = (url: string, folder: string, token: string): string =>
	[
		`${SCOPE}:registry=${url}`,
		`${url.replace('http:', '')}:_authToken=${token}`,
		`cache=${join(folder, 'cache')}`,
		'prefer-online=true',
		'fetch-retries=0',
		'update-notifier=false',
		'audit=false',
		'fund=false',
		'',
	].join('\n');

/** npm publishes as somebody only. */
async function tokenOfNewUser(url: string): Promise<string> {
	const name = 'publisher';
	const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name, password: 'Loopback-only-1' }),
	});
	const { token } = (await response.json()) as { token?: string };
	if (token === undefined) throw new Error(`The registry gave no token: ${response.status}`);
	return token;
}
