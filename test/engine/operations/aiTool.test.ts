import type { INode, INodeType } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/resources';
import { editing } from './loadOptions';
import { byId } from '../../support/parameters';

/* eslint-disable @typescript-eslint/no-require-imports -- n8n-core does not export it at its top */
const { createNodeAsTool } =
	require('n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool') as {
		createNodeAsTool: (options: {
			node: INode;
			nodeType: INodeType;
			handleToolInvocation: (args: unknown) => Promise<unknown>;
		}) => { response: { description: string; schema: { shape: Record<string, unknown> } } };
	};
/* eslint-enable @typescript-eslint/no-require-imports */

const { node: nodeType } = editing({ baseUrl: 'https://api.shop.example/v1', apiKey: 'none' });
const operations = resources.flatMap(({ value, operations: all }) =>
	all.map((operation) => [value, operation] as const),
);

const fromAi = (name: string) => `={{ $fromAI('${name}', 'What ${name} is', 'string') }}`;

it.each(operations)('%s makes a tool that says what it does', (resource, { option, fields }) => {
	// Of fields with one name, which one is shown depends on the unit of amounts.
	const byName = [...new Map(fields.map((field) => [field.name, field])).values()];
	const filled = byName.filter(({ type }) => type === 'string' || type === 'resourceLocator');
	const parameters = Object.fromEntries(
		filled.map(({ name, type }) => [name, type === 'string' ? fromAi(name) : byId(fromAi(name))]),
	);
	const { response } = createNodeAsTool({
		node: {
			id: 'tool-1',
			name: 'Shop Tool',
			type: 'test.node',
			typeVersion: 1,
			position: [0, 0],
			parameters: { resource, operation: option.value, ...parameters },
		},
		nodeType,
		handleToolInvocation: async (args) => args,
	});
	expect(response.description).toBe(`${option.action} in Commerce Platform`);
	expect(Object.keys(response.schema.shape).sort()).toEqual(filled.map(({ name }) => name).sort());
});
