import { randomUUID } from 'node:crypto';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
} from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { byId } from '../parameters';
import type { Credential } from './types';
import { using } from './workflows';

/** A tool's resource and operation. */
type Place = [resource: string, operation: string];

const ORDERS: Place = ['order', 'getAll'];
const ORDER: Place = ['order', 'get'];
const NOTE: Place = ['order', 'update'];
const FULFILL: Place = ['order', 'fulfill'];

/** The number of a row in a path. */
const ROW = /\[\d+\]$/;

const of = ([resource, operation]: Place) => ({ resource, operation });

/**
 * The node as a tool, by the name that a model sees. Values that the model decides are written as the editor writes
 * them for “Let the model define this parameter”, with the field's own help text as description. A field with choices
 * has no such button; it has the same expression, as a person writes it.
 */
const TOOLS: Record<string, INodeParameters> = {
	List_orders: {
		...of(ORDERS),
		limit: fromAi(ORDERS, 'limit'),
		filters: {
			status: fromAi(ORDERS, 'filters.status'),
			updated_since: fromAi(ORDERS, 'filters.updated_since'),
		},
	},
	Get_order: { ...of(ORDER), orderId: byId(fromAi(ORDER, 'orderId')) },
	Write_note: {
		...of(NOTE),
		orderId: byId(fromAi(NOTE, 'orderId')),
		updateFields: { merchant_note: fromAi(NOTE, 'updateFields.merchant_note') },
	},
	Fulfill_order: {
		...of(FULFILL),
		orderId: byId(fromAi(FULFILL, 'orderId')),
		trackingNumber: fromAi(FULFILL, 'trackingNumber'),
		// With “All Open Items”, the default of a new node, the model could not choose.
		specifyItems: 'defineBelow',
		items: {
			item: [
				{
					line_item_id: byId(fromAi(FULFILL, 'items.item[0].line_item_id')),
					quantity: fromAi(FULFILL, 'items.item[0].quantity'),
				},
			],
		},
	},
};

/** The tool nodes for an agent or an MCP server. */
export const toolNodes = (credential?: Credential): INode[] =>
	Object.entries(TOOLS).map(([name, parameters], row) => ({
		id: randomUUID(),
		name: name.replace('_', ' '),
		type: 'n8n-nodes-commerce-platform.commercePlatformTool',
		typeVersion: 1,
		position: [0, row * 200],
		parameters: { descriptionType: 'auto', ...parameters },
		...(credential && { credentials: using(credential) }),
	}));

/** Connections from each tool to the node that may call them. */
export const connectTools = (tools: INode[], to: string) =>
	Object.fromEntries(
		tools.map(({ name }) => [
			name,
			{ ai_tool: [[{ node: to, type: 'ai_tool' as const, index: 0 }]] },
		]),
	);

/** @param path names of the field and its parents, e.g. `filters.status` or `items.item[0].quantity` */
function fromAi(place: Place, path: string): string {
	const { displayName, description = '', type } = fieldAt(place, path);
	const rows = path.split('.').filter((name) => ROW.test(name));
	const key = [...rows, displayName]
		.join('_')
		.replace(/[[\]]/g, '')
		.replace(/[^\w-]/g, '_');
	const kind = type === 'number' || type === 'boolean' ? type : 'string';
	const mark = type === 'options' ? '' : '/*n8n-auto-generated-fromAI-override*/ ';
	return `={{ ${mark}$fromAI('${key}', \`${description}\`, '${kind}') }}`;
}

function fieldAt([resource, operation]: Place, path: string): INodeProperties {
	const names = path.split('.').map((name) => name.replace(ROW, ''));
	const { fields } = resources
		.find(({ value }) => value === resource)!
		.operations.find(({ option }) => option.value === operation)!;
	let inside: Array<INodeProperties | INodePropertyCollection> = fields;
	for (const name of names.slice(0, -1)) {
		const found = inside.find((field) => field.name === name)!;
		inside = ('values' in found ? found.values : found.options) as typeof inside;
	}
	const field = inside.find(({ name }) => name === names.at(-1));
	if (field === undefined || 'values' in field) throw new Error(`No field ${path} of ${operation}`);
	return field;
}
