import { traverseNodeParameters, type FromAIArgument, type INode } from 'n8n-workflow';

import { resources } from '../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { toolNodes } from '../support/n8n/agentTools';
import { withPart } from '../../platform/support/markdown';

/** A tool as n8n describes it to a model. */
export interface ToolSchema {
	name: string;
	description: string;
	parameters: {
		type: string;
		properties: Record<string, { type: string; description: string }>;
		required: string[];
	};
}

/** All tools of the tests, made from the node's own description as n8n makes them. */
export function toolSchemas(): ToolSchema[] {
	return toolNodes().map((node) => {
		const found: FromAIArgument[] = [];
		traverseNodeParameters(node.parameters, found);
		const properties = found.map(({ key, type = 'string', description = '' }) => [
			key,
			{ type, description },
		]);
		return {
			name: node.name.replace(' ', '_'),
			description: descriptionOf(node),
			parameters: {
				type: 'object',
				properties: Object.fromEntries(properties) as ToolSchema['parameters']['properties'],
				required: found.map(({ key }) => key),
			},
		};
	});
}

/** The description that n8n makes if *Set Automatically* is chosen. */
function descriptionOf({ parameters }: INode): string {
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(
		({ option }) => option.value === parameters.operation,
	);
	return `${operation?.option.action} in Commerce Platform`;
}

const SHOWN = ['List_orders', 'Write_note', 'Fulfill_order'];

/** Replaces the tools' schemas in the page. */
export const withToolSchemas = (page: string): string =>
	withPart(
		page,
		'tools as a model sees them',
		toolSchemas()
			.filter(({ name }) => SHOWN.includes(name))
			.map((schema) => `\`\`\`json\n${JSON.stringify(schema, null, '\t')}\n\`\`\``)
			.join('\n\n'),
	);
