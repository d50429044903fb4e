import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { EXPRESSION_ENGINE, environmentOfSuite } from '../environment';
import { strayed } from '../../support/strayed';
import { mcpWorkflow } from './agentWorkflow';

interface ToolResult {
	content: Array<{ type: string; text?: string }>;
}

describe("the node through n8n's MCP Server Trigger, with a real MCP client", () => {
	const environment = environmentOfSuite({ n8n: { environment: EXPRESSION_ENGINE } });
	let mcp: Client;
	let orderId: string;

	before(async () => {
		const { client, credential, n8n, platform } = environment;
		const path = randomUUID();
		const { id } = await client.createWorkflow(mcpWorkflow(credential, path));
		await client.activate(id);
		mcp = new Client({ name: 'test', version: '1.0.0' });
		await mcp.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${path}`)));
		orderId = String((await platform.control.payOrder()).order.id);
	});
	after(async () => await mcp?.close());

	async function call(name: string, args: Record<string, unknown>) {
		const result = (await mcp.callTool({ name, arguments: args })) as ToolResult;
		return result.content.map((part) => part.text ?? '').join('\n');
	}

	const record = async () => await environment.platform.control.record('orders', orderId);

	it('offers the tools with a description and a schema each', async () => {
		const { tools } = await mcp.listTools();
		const note = tools.find(({ name }) => name === 'Write_note')!;
		assert.match(note.description ?? '', /update order/i);
		assert.deepEqual(Object.keys(note.inputSchema.properties ?? {}), ['Order', 'Merchant_Note']);
	});

	it('writes a note', async () => {
		const text = await call('Write_note', { Order: orderId, Merchant_Note: 'By MCP' });
		assert.match(text, /By MCP/);
		assert.equal((await record())?.merchant_note, 'By MCP');
	});

	it('says of a failed call what was wrong', async () => {
		const text = await call('Get_order', { Order: 'ord_unknown' });
		assert.match(text, /“ord_unknown” was not found/);
	});

	it('refuses a write without an id', async () => {
		const before = await record();
		for (const args of [{ Order: '', Merchant_Note: 'No' }, { Merchant_Note: 'No' }]) {
			const text = await call('Write_note', args).catch((error: Error) => error.message);
			assert.match(text, /order/i);
		}
		assert.deepEqual(await record(), before);
	});

	it('strays from the API document nowhere', async () => {
		assert.deepEqual(await strayed(environment.platform), []);
	});
});
