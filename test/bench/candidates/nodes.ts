import Module from 'node:module';
import { join } from 'node:path';

import {
	NodeConnectionTypes,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type IVersionedNodeType,
} from 'n8n-workflow';
import pLimit from 'p-limit';

import type { NodeRun } from '../../support/engine/runNode';
import type { Job } from '../job';

/** What is built or installed is there only when this runs. */
const load = Module.createRequire(__filename);

/** Nodes of n8n itself come from the installed n8n, but run on the same n8n-workflow as ours. */
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

/** What a user installs: the built node. */
export function builtNode(): INodeType {
	const dist = join(__dirname, '..', '..', '..', 'dist');
	const file = join(dist, 'nodes', 'CommercePlatform', 'CommercePlatform.node.js');
	const { CommercePlatform } = load(file) as {
		CommercePlatform: new () => INodeType;
	};
	return new CommercePlatform();
}

const CREDENTIAL = 'commercePlatformApi';

/** A node that is nothing but its work. */
const bareNode = (execute: NonNullable<INodeType['execute']>): INodeType => ({
	description: {
		displayName: 'Least',
		name: 'commercePlatform',
		group: ['input'],
		version: 1,
		description: '',
		defaults: { name: 'Least' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [{ displayName: 'ID', name: 'id', type: 'string', default: '' }],
	},
	execute,
});

/** The least that a node can do for a list: n8n's helper a page, an item a record; no check, no retry, no pacing. */
export const leastListNode = ({ baseUrl, list }: Job, maxPages: number): INodeType =>
	bareNode(async function (this: IExecuteFunctions) {
		const items: INodeExecutionData[] = [];
		let cursor: string | null = '';
		for (let pages = 0; cursor !== null && pages < maxPages; pages++) {
			const page = (await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
				url: `${baseUrl}${list.path}`,
				qs: { limit: 250, ...(cursor === '' ? {} : { cursor }) },
				json: true,
			})) as { data: IDataObject[]; pagination: { next_cursor: string | null } };
			for (const json of page.data) items.push({ json, pairedItem: 0 });
			cursor = page.pagination.next_cursor;
		}
		return [items];
	});

/** The least that a node can do for single records, four at a time: read the ID, n8n's helper once, an item. */
export const leastGetNode = ({ baseUrl }: Job): INodeType =>
	bareNode(async function (this: IExecuteFunctions) {
		const limit = pLimit(4);
		const items: INodeExecutionData[] = [];
		const read = async (item: number) => {
			const id = this.getNodeParameter('id', item) as string;
			const { data } = (await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
				url: `${baseUrl}/products/${id}`,
				json: true,
			})) as { data: IDataObject };
			items.push({ json: data, pairedItem: { item } });
		};
		await Promise.all(this.getInputData().map(async (_, item) => await limit(read, item)));
		return [items];
	});

/** A node that gives its input back, after a time in which it can be looked at what n8n holds. */
export const passNode = (afterMs: number): INodeType =>
	bareNode(async function (this: IExecuteFunctions) {
		await sleep(afterMs);
		return [this.getInputData()];
	});
