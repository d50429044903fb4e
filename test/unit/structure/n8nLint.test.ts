import { inspect } from 'node:util';

import * as parser from '@typescript-eslint/parser';
import { Linter, type ESLint } from 'eslint';
import type { INodeProperties } from 'n8n-workflow';

import { CommercePlatform } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { CommercePlatformChangesTrigger } from '../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.ts';
import { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.ts';

/* eslint-disable @typescript-eslint/no-require-imports -- it has no types */
const plugin = require('eslint-plugin-n8n-nodes-base') as ESLint.Plugin & {
	configs: { nodes: { rules: Linter.RulesRecord } };
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** n8n's rules about a description's fields; n8n's own config switches the last one off. */
const rules = Object.fromEntries(
	Object.entries(plugin.configs.nodes.rules).filter(
		([name]) =>
			name.includes('/node-param-') &&
			!name.endsWith('type-assertion') &&
			!name.endsWith('max-value-present'),
	),
);

const WHOLE = { depth: null, maxArrayLength: null, maxStringLength: null };

/** A value as source text for n8n's lint: names without quotes, without functions. */
const asSource = (value: object): string =>
	inspect(JSON.parse(JSON.stringify(value)), { ...WHOLE, compact: false });

/** Problems that n8n's lint finds in fields that builders make. */
function problemsOf(properties: INodeProperties[]): string[] {
	const code = `const properties: INodeProperties[] = ${asSource(properties)};`;
	const lines = code.split('\n');
	const plugins = { 'n8n-nodes-base': plugin };
	const config = { files: ['**/*.ts'], languageOptions: { parser }, plugins, rules };
	const filename = 'nodes/Shop/Shop.node.ts';
	const found = new Linter({ configType: 'flat' }).verify(code, [config], { filename });
	return found.map(({ ruleId, message, line }) => `${ruleId ?? message}: ${lines[line - 1]}`);
}

/** The same actions without the mark of what the platform has not released; the rule knows no brackets. */
const unmarked = (property: INodeProperties): INodeProperties =>
	JSON.parse(JSON.stringify(property).replaceAll(' (in development)', '')) as INodeProperties;

/** A model that names no limit gets fewer records than n8n requires for people. */
const forPeople = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@tool']?.[0] !== true;

it.each([CommercePlatform, CommercePlatformTrigger, CommercePlatformChangesTrigger])(
	'%p keeps n8n’s rules for what the editor shows',
	(Node) => {
		const { properties } = new Node().description;
		expect([...new Set(problemsOf(properties.filter(forPeople).map(unmarked)))]).toEqual([]);
	},
);

const field = { displayName: 'Some Name', name: 'x', type: 'string', default: '' } as const;

it.each<[string, INodeProperties]>([
	['node-param-display-name-miscased', { ...field, displayName: 'some name' }],
	[
		'node-param-options-type-unsorted-items',
		{ ...field, type: 'options', options: [...'BACDE'].map((name) => ({ name, value: name })) },
	],
])('would find %s', (rule, broken) => {
	expect(problemsOf([broken]).join()).toContain(rule);
});
