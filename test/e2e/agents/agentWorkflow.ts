import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';

import type { Credential, WorkflowFile } from '../../support/n8n/types';
import { connectTools, toolNodes } from '../../support/n8n/agentTools';
import { using } from '../../support/n8n/workflows';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
export const AGENT = 'Agent';
const MCP_SERVER = 'MCP Server';

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters = {},
): INode => ({ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters });

/** Start → AI Agent with a chat model and the tools. */
export function agentWorkflow(shop: Credential, openAi: Credential): WorkflowFile {
	const tools = toolNodes(shop);
	const model = node('Model', `${LANGCHAIN}.lmChatOpenAi`, 1.3, {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		responsesApiEnabled: false,
	});
	model.credentials = using(openAi);
	return {
		name: 'Agent',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1),
			node(AGENT, `${LANGCHAIN}.agent`, 3.1, { promptType: 'define', text: 'Look after my shop.' }),
			model,
			...tools,
		],
		connections: {
			Start: { main: [[{ node: AGENT, type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]] },
			...connectTools(tools, AGENT),
		},
	};
}

/** MCP Server Trigger with the tools, at `/mcp/<path>` once it is published. */
export function mcpWorkflow(shop: Credential, path: string): WorkflowFile {
	const tools = toolNodes(shop);
	const server = node(MCP_SERVER, `${LANGCHAIN}.mcpTrigger`, 2, { path });
	server.webhookId = path;
	return {
		name: 'MCP',
		nodes: [server, ...tools],
		connections: connectTools(tools, MCP_SERVER),
	};
}
