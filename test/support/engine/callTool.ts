import type { IDataObject } from 'n8n-workflow';

import { additionalData } from './additionalData';
import type { ShopAccess } from './credentialsHelper';
import { n8nCore, n8nWorkflow } from './n8nCore';
import { actionNode } from './runNode';
import { RESULT_NODE, workflowOf } from './workflow';

/* eslint-disable @typescript-eslint/no-require-imports -- n8n-core does not export these at its top */
const UTILS = 'n8n-core/dist/execution-engine/node-execution-context/utils';
const { createNodeAsTool } = require(
	`${UTILS}/create-node-as-tool`,
) as typeof import('n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool');
const { makeHandleToolInvocation } = require(
	`${UTILS}/get-input-connection-data`,
) as typeof import('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');
/* eslint-enable @typescript-eslint/no-require-imports */

/** The tool that n8n makes of an operation with these parameters, and what it works with. */
function makeTool(name: string, parameters: IDataObject, credentials?: ShopAccess) {
	const [resource, operation] = name.split('.');
	// n8n names the tool that it makes of a node so; the node tells by it.
	const options = {
		parameters: { resource, operation, ...parameters },
		credentials,
		typeName: 'test.nodeTool',
	};
	const nodeType = actionNode(true);
	nodeType.description.name += 'Tool';
	const workflow = workflowOf(options, nodeType);
	const node = workflow.getNode(RESULT_NODE)!;
	const runExecutionData = n8nWorkflow.createRunExecutionData({});
	const contextFactory = (runIndex: number) =>
		new n8nCore.SupplyDataContext(
			workflow,
			node,
			additionalData(options),
			'manual',
			runExecutionData,
			runIndex,
			[{ json: {} }],
			{},
			n8nWorkflow.NodeConnectionTypes.AiTool,
			{ node, data: { main: [[{ json: {} }]] }, source: null },
			[],
		);
	const call = makeHandleToolInvocation(contextFactory, node, nodeType, runExecutionData);
	const { response: tool } = createNodeAsTool({ node, nodeType, handleToolInvocation: call });
	return { tool, call, workflow };
}

/** What a model is told of an operation, e.g. `order.get`. */
export const toolOf = (name: string, parameters: IDataObject) => makeTool(name, parameters).tool;

/**
 * Calls an operation as n8n lets a model call it.
 *
 * @param parameters of the node, with `$fromAI` where the model decides
 * @param args what the model says
 * @returns what the model is told: the records as JSON, or the error's words
 */
export async function callTool(
	name: string,
	parameters: IDataObject,
	args: IDataObject,
	credentials: ShopAccess,
): Promise<string> {
	const { tool, call, workflow } = makeTool(name, parameters, credentials);
	const { success, error } = tool.schema.safeParse(args);
	if (!success) return `Not called: ${error?.message}`;
	await workflow.expression.acquireIsolate();
	try {
		return await call(args);
	} catch (failure) {
		return (failure as Error).message;
	} finally {
		await workflow.expression.releaseIsolate();
	}
}
