import Module from 'node:module';
import { join } from 'node:path';

import type { INodeType, IVersionedNodeType } from 'n8n-workflow';

import type { NodeRun } from '../../../test/support/engine/runNode';
import type { Job } from '../job';

/** Loads files that exist only after a build or an installation. */
const load = Module.createRequire(__filename);

/** A node of the installed n8n, run on the same n8n-workflow as ours. */
export function n8nNode({ n8nFolder }: Job, path: string, version: number): INodeType {
	const resolver = Module as unknown as {
		_resolveFilename: (name: string, ...rest: unknown[]) => string;
	};
	const original = resolver._resolveFilename;
	const ours = require.resolve('n8n-workflow');
	resolver._resolveFilename = (name, ...rest) =>
		name === 'n8n-workflow' ? ours : original.call(resolver, name, ...rest);
	const file = join(n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', path);
	const [nodeClass] = Object.values(
		load(file) as Record<string, new () => INodeType | IVersionedNodeType>,
	);
	const node = new nodeClass();
	return 'nodeVersions' in node ? node.nodeVersions[version] : node;
}

export const httpRequest = (job: Job, parameters: NodeRun['parameters']): NodeRun => ({
	nodeType: n8nNode(job, 'HttpRequest/HttpRequest.node.js', 4.5),
	typeVersion: 4.5,
	typeName: 'n8n-nodes-base.httpRequest',
	parameters: {
		method: 'GET',
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'commercePlatformApi',
		options: {},
		...parameters,
	},
});

/** The built node, as users install it. */
export function builtNode(): INodeType {
	const file = join(__dirname, '../../../dist/nodes/CommercePlatform/CommercePlatform.node.js');
	const { CommercePlatform } = load(file) as {
		CommercePlatform: new () => INodeType;
	};
	return new CommercePlatform();
}

/** The simplest possible node for a purpose, from `nodes/`. */
export function leastNode(name: 'LeastGet' | 'LeastList'): INodeType {
	const classes = load(`../nodes/${name}.node.js`) as Record<string, new () => INodeType>;
	return new classes[name]();
}
