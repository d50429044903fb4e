import type {
	ILoadOptionsFunctions,
	INode,
	INodeParameters,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { credentialsHelper } from '../../support/engine/credentialsHelper';

/* eslint-disable @typescript-eslint/no-require-imports -- after ../engine, which gives n8n-core a folder */
const { LoadOptionsContext } = require('n8n-core') as typeof import('n8n-core');
const { Workflow } = require('n8n-workflow') as typeof import('n8n-workflow');
const { CommercePlatform } =
	require('../../../nodes/CommercePlatform/CommercePlatform.node') as typeof import('../../../nodes/CommercePlatform/CommercePlatform.node');
/* eslint-enable @typescript-eslint/no-require-imports */

/**
 * What n8n hands to a search or a list of options while the node is being edited.
 *
 * @param parameters what is entered so far
 */
export function editing(
	credentials: { baseUrl: string; apiKey: string },
	parameters: INodeParameters = {},
): {
	node: InstanceType<typeof CommercePlatform>;
	context: ILoadOptionsFunctions;
} {
	const nodeType = new CommercePlatform();
	const node: INode = {
		id: 'node-1',
		name: 'Commerce Platform',
		type: 'test.node',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { commercePlatformApi: { id: 'credential-1', name: 'Shop' } },
	};
	const types: INodeType = nodeType;
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => types,
			getByNameAndVersion: () => types,
			getKnownTypes: () => ({}),
		},
	});
	const additionalData = {
		currentNodeParameters: parameters,
		credentialsHelper: credentialsHelper({ credentials }),
	} as unknown as IWorkflowExecuteAdditionalData;
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.productId');
	return { node: nodeType, context };
}
