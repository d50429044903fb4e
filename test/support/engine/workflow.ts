import type { IConnections, IDataObject, INode, INodeType } from 'n8n-workflow';

import { n8nWorkflow } from './n8nCore';
import type { NodeRun } from './runNode';

const { NodeConnectionTypes, Workflow } = n8nWorkflow;

class StartNode implements INodeType {
	constructor(private readonly items: IDataObject[]) {}

	description = {
		displayName: 'Start',
		name: 'start',
		group: ['trigger' as const],
		version: 1,
		description: '',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute = async () => [this.items.map((json) => ({ json }))];
}

/** Name of the node whose output counts. */
export const RESULT_NODE = 'Commerce Platform';

/** Start → the node that is tested → the node behind it, where there is one. */
export function workflowOf(options: NodeRun, nodeType: INodeType) {
	const typeName = options.typeName ?? 'test.node';
	const types: Record<string, INodeType> = {
		'test.start': new StartNode(options.items ?? [{}]),
		[typeName]: nodeType,
	};
	const parameters = (values: IDataObject) => values as INode['parameters'];
	const isLast = options.followedBy === undefined && options.loopedBy === undefined;
	const tested = isLast ? RESULT_NODE : 'Before';
	const nodes: INode[] = [
		{
			id: 'start-1',
			name: 'Start',
			type: 'test.start',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: options.nodeId ?? 'node-1',
			name: tested,
			type: typeName,
			typeVersion: options.typeVersion ?? (nodeType.description.version as number),
			position: [200, 0],
			parameters: parameters(options.parameters),
			credentials: { commercePlatformApi: { id: 'credential-1', name: 'Shop' } },
			onError: options.onError,
			...(options.retryOnFail === undefined
				? {}
				: { retryOnFail: true, waitBetweenTries: 1, ...options.retryOnFail }),
		},
	];
	const to = (node: string) => ({ main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]] });
	const connections: Record<string, IConnections[string]> = { Start: to(tested) };
	if (options.followedBy !== undefined) {
		types['test.next'] = options.followedBy.nodeType;
		nodes.push({
			id: 'next-1',
			name: RESULT_NODE,
			type: 'test.next',
			typeVersion: 1,
			position: [400, 0],
			parameters: parameters(options.followedBy.parameters),
		});
		connections[tested] = to(RESULT_NODE);
	}
	if (options.loopedBy !== undefined) {
		types['test.loop'] = options.loopedBy;
		nodes.push({
			id: 'loop-1',
			name: RESULT_NODE,
			type: 'test.loop',
			typeVersion: 3,
			position: [100, 0],
			parameters: { batchSize: 1, options: {} },
		});
		connections.Start = to(RESULT_NODE);
		connections[RESULT_NODE] = { main: [[], ...to(tested).main] };
		connections[tested] = to(RESULT_NODE);
	}
	return new Workflow({
		id: options.workflowId ?? 'workflow-1',
		nodes,
		connections,
		active: false,
		nodeTypes: {
			getByName: (name: string) => types[name],
			getByNameAndVersion: (name: string) => types[name],
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
}
