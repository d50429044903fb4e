import { once } from 'node:events';
import type { Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer, type ServerFactory } from '@verdaccio/node-api';
import { startServer } from '@verdaccio/server';

import { runNpm } from '../../support/n8n/npm';
import { LOOPBACK, freePort } from '../../../platform/support/ports';
import { removeFolder, temporaryFolder } from '../../support/temporaryFolder';

/** n8n accepts another registry only for the packages of a scope. */
export const SCOPE = '@loopback';

/** A registry of npm packages on loopback; it asks no other registry. */
export async function startRegistry() {
	const ownFolder = temporaryFolder('registry');
	const port = await freePort();
	const url = `http://${LOOPBACK}:${port}/`;
	// Verdaccio's published types belong to another major version of its configuration.
	const app = (await runServer(settings(ownFolder), startServer as ServerFactory)) as Server;
	await once(app.listen(port, LOOPBACK), 'listening');
	const npmrc = join(ownFolder, 'npmrc');
	await writeFile(npmrc, npmSettings(url, ownFolder, await tokenOfNewUser(url)));
	return {
		/** The npmrc file for clients of this registry. */
		npmrc,
		/**
		 * Publishes the content of a folder, with npm.
		 *
		 * @throws NpmFailure with npm's message if the registry refuses it
		 */
		publish: async (folder: string) => {
			const environment = { NPM_CONFIG_USERCONFIG: npmrc };
			const logFile = join(ownFolder, 'publish.log');
			await runNpm(['publish', '--ignore-scripts'], { folder, logFile, environment });
		},
		close: async () => {
			app.closeAllConnections();
			await once(app.close(), 'close');
			removeFolder(ownFolder);
		},
	};
}

const settings = (folder: string) => ({
	storage: join(folder, 'storage'),
	self_path: join(folder, 'config.yaml'),
	uplinks: {},
	auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: 1 } },
	packages: { [`${SCOPE}/*`]: { access: '$all', publish: '$authenticated' } },
	log: { type: 'stdout', format: 'pretty', level: 'fatal' },
});

/**
 * npm's settings: the registry of the scope, no retries, and a separate cache, since the user's cache must not answer.
 */
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

/** npm needs a user to publish. */
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
