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

/** The tool that n8n makes from an operation with these parameters, and its context. */
function makeTool(name: string, parameters: IDataObject, credentials?: ShopAccess) {
	const [resource, operation] = name.split('.');
	// n8n gives the tool this name; the node recognises it by that.
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

/** The description of an operation for a model, e.g. `order.get`. */
export const toolOf = (name: string, parameters: IDataObject) => makeTool(name, parameters).tool;

/**
 * Calls an operation as a model does through n8n.
 *
 * @param parameters the node's, with `$fromAI` if the model decides
 * @param args the model's arguments
 * @returns the model's result: the records as JSON, or the text of the error
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
