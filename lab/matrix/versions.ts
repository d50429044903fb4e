import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
	ensureHost,
	ensureHostOf,
	hostFolder,
	NODE_PACKAGE,
	type N8nHost,
} from '../../test/support/n8n/host';
import { isOlder } from '../../test/support/n8n/restDialect';
import type { Progress } from '../../test/support/progress';

/** The n8n that all other tests run in. */
const PINNED = '2.41.1';

/**
 * The oldest available version that has everything the nodes use; the last 1.x; the first generation of 2.x; the last
 * version that answers a delivery before its execution exists, and the first that does not; one in between; the newest
 * that installs.
 */
export const VERSIONS = ['1.88.0', '1.123.81', '2.0.3', '2.7.5', '2.8.4', '2.20.12', PINNED];

/** Packages that older versions need in versions that the registry no longer has, or that no longer fit. */
const OVERRIDES = {
	linkedom: '0.18.12',
	xlsx: '0.18.5',
	'@langchain/langgraph-checkpoint': '1.0.0',
	'@langchain/langgraph': '1.0.2',
};

/** Peer dependencies of their packages; npm installs them only if it resolves all peers. */
const PEERS = { '@opentelemetry/core': '2.12.1' };

/** n8n before 1.123 does not start under Node 24, so it gets its own Node from the npm package `node`. */
const nodeOf = (version: string): Record<string, string> =>
	isOlder(version, '1.123.0') ? { [NODE_PACKAGE]: '22.22.3' } : {};

/**
 * An n8n of this version, installed into `.demo/` if it is not there (2.2 GB, 3 to 5 minutes).
 *
 * @throws NpmFailure if the registry cannot be reached
 */
export async function hostOf(version: string, progress: Progress): Promise<N8nHost> {
	if (version === PINNED) return await ensureHost(progress);
	const recipe = `${hostFolder(version)}.recipe`;
	await mkdir(recipe, { recursive: true });
	const manifest = {
		name: 'n8n-host',
		private: true,
		overrides: OVERRIDES,
		dependencies: { n8n: version, ...PEERS, ...nodeOf(version) },
	};
	await writeFile(join(recipe, 'package.json'), JSON.stringify(manifest, null, 2));
	return await ensureHostOf(version, recipe, progress);
}
