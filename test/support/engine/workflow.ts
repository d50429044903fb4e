import type { IConnections, IDataObject, INode, INodeType, INodeTypes } from 'n8n-workflow';

import { n8nWorkflow } from './n8nCore';
import type { NodeRun } from './runNode';

const { NodeConnectionTypes, Workflow } = n8nWorkflow;

/** Outputs the input items. */
const startNode = (items: IDataObject[]): INodeType => ({
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	execute: async () => [items.map((json) => ({ json }))],
});

export const WORKFLOW_ID = 'workflow-1';

/** Name of the node whose output counts. */
export const RESULT_NODE = 'Commerce Platform';

/** Node types, looked up by name as n8n does. */
export const nodeTypesOf = (find: (name: string) => INodeType): INodeTypes => ({
	getByName: find,
	getByNameAndVersion: find,
	getKnownTypes: () => ({}),
});

/** A node of the workflow; its position does not matter. */
const nodeOf = (name: string, type: string, more: Partial<INode> = {}): INode => ({
	id: type,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...more,
});

const to = (node: string) => ({ main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]] });

/** Start → the tested node, in a loop if there is one. */
export function workflowOf(options: NodeRun, nodeType: INodeType) {
	const { loopedBy, retryOnFail, onError, typeName = 'test.node' } = options;
	const types: Record<string, INodeType> = {
		'test.start': startNode(options.items ?? [{}]),
		[typeName]: nodeType,
	};
	const tested = loopedBy === undefined ? RESULT_NODE : 'Before';
	const nodes = [
		nodeOf('Start', 'test.start'),
		nodeOf(tested, typeName, {
			id: 'node-1',
			typeVersion: options.typeVersion ?? (nodeType.description.version as number),
			parameters: options.parameters as INode['parameters'],
			credentials: { commercePlatformApi: { id: 'credential-1', name: 'Shop' } },
			onError,
			...(retryOnFail && { retryOnFail: true, waitBetweenTries: 1, ...retryOnFail }),
		}),
	];
	const connections: Record<string, IConnections[string]> = { Start: to(tested) };
	if (loopedBy !== undefined) {
		types['test.loop'] = loopedBy;
		const parameters = { batchSize: 1, options: {} };
		nodes.push(nodeOf(RESULT_NODE, 'test.loop', { typeVersion: 3, parameters }));
		connections.Start = to(RESULT_NODE);
		connections[RESULT_NODE] = { main: [[], ...to(tested).main] };
		connections[tested] = to(RESULT_NODE);
	}
	return new Workflow({
		id: WORKFLOW_ID,
		nodes,
		connections,
		active: false,
		nodeTypes: nodeTypesOf((name) => types[name]),
		settings: { executionOrder: 'v1' },
	});
}
