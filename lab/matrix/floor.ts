import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import {
	type CommercePlatform,
	resources,
} from '../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { runNpm } from '../../test/support/n8n/npm';
import type { Progress } from '../../test/support/progress';

/** Its name on the command line. */
export const FLOOR = 'floor';

/**
 * `n8n-workflow` of the oldest n8n that docs/compatibility.md calls tried (1.88), and of the newest that is too old.
 */
const OLDEST = '1.86.0';
const TOO_OLD = '1.83.0';

const DEMO = join(__dirname, '..', '..', '.demo');
const NODE_FILE =
	'n8n-nodes-commerce-platform/dist/nodes/CommercePlatform/CommercePlatform.node.js';
const LIMIT = 3;

/**
 * Loads the packed package beside an older n8n's own `n8n-workflow`, which decides which stored fields a node receives.
 * Either it keeps the Limit of every list and all Request Options, or the package does not load and says why.
 *
 * @throws AssertionError if neither is so
 * @throws UserError if the registry cannot be reached
 */
export async function tryFloor(tarball: string, progress: Progress): Promise<void> {
	const tooOld = await besideWorkflow(TOO_OLD, tarball);
	assert.throws(() => tooOld(NODE_FILE), /need n8n 1\.87 or newer/);
	const oldest = await besideWorkflow(OLDEST, tarball);
	const kept = keeper(oldest);
	for (const { value: resource, operations } of resources)
		for (const { kind, option } of operations) {
			if (kind !== 'list') continue;
			const entered = { resource, operation: String(option.value), limit: LIMIT };
			assert.equal(kept(entered)?.limit, LIMIT, `${resource}.${entered.operation}`);
		}
	const requestOptions = { maxRetryWait: 5, pageSize: 10, timeout: 500 };
	// Lists have no option for a key.
	const sent = { ...requestOptions, idempotencyKey: 'key' };
	const list = kept({ resource: 'order', operation: 'getAll', requestOptions: sent });
	assert.deepEqual(list?.requestOptions, requestOptions);
	progress.say(
		`n8n-workflow ${TOO_OLD} is refused; ${OLDEST} keeps the Limit of every list, and its own Request Options beside ours`,
	);
}

/** Installs both into one folder. @returns the `require` of that folder */
async function besideWorkflow(version: string, tarball: string): Promise<NodeJS.Require> {
	const folder = join(DEMO, `n8n-workflow-${version}`);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	await writeFile(manifest, JSON.stringify({ name: 'floor', private: true }));
	await runNpm(
		['install', `n8n-workflow@${version}`, tarball, '--ignore-scripts', '--legacy-peer-deps'],
		{ folder, logFile: join(DEMO, 'floor.log') },
	);
	return createRequire(manifest);
}

/** What that n8n keeps of stored parameters, with its own Request Options beside ours. */
function keeper(load: NodeJS.Require) {
	const { NodeHelpers } = load('n8n-workflow') as typeof import('n8n-workflow') & {
		NodeHelpers: { applyDeclarativeNodeOptionParameters(node: CommercePlatform): void };
	};
	const { CommercePlatform: Node } = load(NODE_FILE) as {
		CommercePlatform: typeof CommercePlatform;
	};
	const type = new Node();
	NodeHelpers.applyDeclarativeNodeOptionParameters(type);
	const { description } = type;
	return (parameters: INodeParameters) => {
		const node = { typeVersion: 1, parameters };
		const { properties } = description;
		return NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description);
	};
}
