import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeType,
	IRunExecutionData,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import type { ShopAccess } from './credentialsHelper';
import { n8nCore, n8nWorkflow } from './n8nCore';
import { actionNode } from './runNode';
import { RESULT_NODE, workflowOf } from './workflow';

interface Tool {
	description: string;
	schema: { safeParse(args: unknown): { success: boolean; error?: Error } };
}

/* eslint-disable @typescript-eslint/no-require-imports -- n8n-core does not export these at its top */
const CONTEXT = 'n8n-core/dist/execution-engine/node-execution-context';
const { createNodeAsTool } = require(`${CONTEXT}/utils/create-node-as-tool`) as {
	createNodeAsTool: (options: {
		node: INode;
		nodeType: INodeType;
		handleToolInvocation: (args: unknown) => Promise<unknown>;
	}) => { response: Tool };
};
const { makeHandleToolInvocation } = require(`${CONTEXT}/utils/get-input-connection-data`) as {
	makeHandleToolInvocation: (
		contextFactory: (runIndex: number) => IExecuteFunctions,
		node: INode,
		nodeType: INodeType,
		runExecutionData: IRunExecutionData,
	) => (args: IDataObject) => Promise<string>;
};
/* eslint-enable @typescript-eslint/no-require-imports */

export interface ToolCall {
	/** Parameters of the node, with `$fromAI` where the model decides. */
	parameters: IDataObject;
	/** What the model says. */
	args: IDataObject;
	credentials?: ShopAccess;
}

/**
 * Calls the node as n8n lets a model call it.
 *
 * @returns what the model is told: the records as JSON, or the error's words
 */
export async function callTool({ parameters, args, credentials }: ToolCall): Promise<string> {
	// n8n names the tool that it makes of a node so; the node tells by it.
	const options = { parameters, credentials, typeName: 'test.nodeTool' };
	const nodeType = actionNode(true);
	nodeType.description.name += 'Tool';
	const workflow = workflowOf(options, nodeType);
	const node = workflow.getNode(RESULT_NODE)!;
	const runExecutionData = n8nWorkflow.createRunExecutionData({});
	const contextFactory = (runIndex: number) =>
		new n8nCore.SupplyDataContext(
			workflow,
			node,
			additionalData(options, workflow.id),
			'manual',
			runExecutionData,
			runIndex,
			[{ json: {} }],
			{},
			n8nWorkflow.NodeConnectionTypes.AiTool,
			{ node, data: { main: [[{ json: {} }]] }, source: null },
			[],
		) as unknown as IExecuteFunctions;
	const handleToolInvocation = makeHandleToolInvocation(
		contextFactory,
		node,
		nodeType,
		runExecutionData,
	) as (args: unknown) => Promise<string>;
	const { response } = createNodeAsTool({ node, nodeType, handleToolInvocation });
	const { success, error } = response.schema.safeParse(args);
	if (!success) return `Not called: ${error?.message}`;
	await workflow.expression.acquireIsolate();
	try {
		return await handleToolInvocation(args);
	} catch (failure) {
		return (failure as Error).message;
	} finally {
		await workflow.expression.releaseIsolate();
	}
}
