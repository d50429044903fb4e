import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';

import type { Credential } from '../../support/n8n/types';

/** As the editor writes it for "Let the model define this parameter". */
const fromAi = (key: string, type = 'string', description = ''): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;

const order = { __rl: true, mode: 'id', value: fromAi('Order') };

/**
 * The node as a tool, by the name under which a model knows it. Keys and types are those that the editor makes of the
 * fields' names; a description stands where a person would add one.
 */
const TOOLS: Record<string, INodeParameters> = {
	List_orders: {
		resource: 'order',
		operation: 'getAll',
		limit: fromAi('Limit', 'number'),
		filters: {
			status: fromAi('Status'),
			updated_since: fromAi('Updated_Since', 'string', 'ISO 8601'),
		},
	},
	Get_order: { resource: 'order', operation: 'get', orderId: order },
	Write_note: {
		resource: 'order',
		operation: 'update',
		orderId: order,
		updateFields: { merchant_note: fromAi('Merchant_Note') },
	},
	Fulfill_order: {
		resource: 'order',
		operation: 'fulfill',
		orderId: order,
		trackingNumber: fromAi('Tracking_Number'),
		items: {
			item: [{ line_item_id: fromAi('Line_Item_ID'), quantity: fromAi('Quantity', 'number') }],
		},
	},
	Cancel_order: { resource: 'order', operation: 'cancel', orderId: order },
	Create_product: {
		resource: 'product',
		operation: 'create',
		title: fromAi('Title'),
		additionalFields: { description: fromAi('Description') },
	},
};

/** The tool nodes, for an agent or an MCP server to which they are then connected. */
export const toolNodes = (credential: Credential): INode[] =>
	Object.entries(TOOLS).map(([name, parameters], row) => ({
		id: randomUUID(),
		name: name.replace('_', ' '),
		type: 'n8n-nodes-commerce-platform.commercePlatformTool',
		typeVersion: 1,
		position: [0, row * 200],
		parameters: { descriptionType: 'auto', ...parameters },
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	}));

/** Connections from each tool to the node that may call them. */
export const connectTools = (tools: INode[], to: string) =>
	Object.fromEntries(
		tools.map(({ name }) => [
			name,
			{ ai_tool: [[{ node: to, type: 'ai_tool' as const, index: 0 }]] },
		]),
	);
