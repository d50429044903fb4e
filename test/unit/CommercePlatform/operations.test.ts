import type { INodeProperties } from 'n8n-workflow';

import { propertiesOf } from '../../../nodes/CommercePlatform/resources/properties';
import { api, resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';

/** The end of the name of an operation that the platform may refuse, if there is no other way to do the same. */
const IN_DEVELOPMENT = ' (In Development)';

it('keeps its lists in alphabetical order, with the endpoints in development last and marked', () => {
	const inOrder = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));
	const resourceNames = resources.map(({ name }) => name);
	expect(resourceNames).toEqual(inOrder(resourceNames));
	for (const { operations } of resources) {
		const names = operations.map(({ option }) => option.name);
		const marked = names.filter((name) => name.endsWith(IN_DEVELOPMENT));
		const others = names.filter((name) => !name.endsWith(IN_DEVELOPMENT));
		expect(names).toEqual([...inOrder(others), ...inOrder(marked)]);
	}
});

const ALL = resources.flatMap(({ operations }) => operations);
const inDevelopment = ALL.filter((operation) => operation.inDevelopment !== undefined);

it('knows what is in development', () => {
	const marked = inDevelopment.map(({ option }) => option.value);
	expect(marked.sort()).toEqual(['rotateSecret', 'test', 'update', 'upsert']);
});

it.each(inDevelopment.map((operation) => [operation.option.value, operation] as const))(
	'says that %s is in development, in the list and in the panel, and what to do meanwhile',
	(name, { option, fields, inDevelopment: meanwhile }) => {
		const [first] = fields;
		expect(first.type).toBe('notice');
		expect(first.displayName).toMatch(/in development/i);
		// n8n's lint prescribes the text of a Create or Update, which leaves no room for it.
		if (name !== 'upsert') {
			expect(option.name.endsWith(IN_DEVELOPMENT)).toBe(true);
			expect(option.description).toContain('in development');
		}
		expect(meanwhile).toMatch(/^Meanwhile/);
		const alternative = name === 'upsert' ? 'If Batch Is Not Available' : meanwhile;
		expect(first.displayName).toContain(alternative);
	},
);

it('says of every operation that answers with a secret that it is shown once', () => {
	const webhook = resources.find(({ value }) => value === 'webhook');
	const saying = webhook?.operations.filter(({ option }) =>
		/shown this once/.test(option.description ?? ''),
	);
	expect(saying?.map(({ option }) => option.value)).toEqual(
		expect.arrayContaining(['create', 'recreate']),
	);
});

it('describes every field that a user or a model fills', () => {
	const isBare = ({ type, description }: INodeProperties) => type !== 'notice' && !description;
	const without = ALL.flatMap(({ option, fields }) =>
		leaves(fields)
			.filter(isBare)
			.map(({ name }) => `${option.value} ${name}`),
	);
	expect(without).toEqual([]);
});

/**
 * Instructions that only a person in the editor can follow: choose, click, look at a list. They belong in a hint, which
 * no model sees.
 */
const FOR_THE_EDITOR =
	/\bexpressions?\b|\bclick|\blists? (shows?|above|below)\b|\bfrom (the )?list\b|^choose\b|<[a-z]/i;

/** n8n's lint requires these words if choices come from the shop. */
const DEMANDED = /Choose from the list, or specify (?:an ID|IDs) using an <a href=/;

it('has no description that only a person in the editor can follow, since models read them too', () => {
	const fields = leaves(propertiesOf(api));
	expect(fields.length).toBeGreaterThan(200);
	const meant = fields.filter(({ description = '' }) => FOR_THE_EDITOR.test(description));
	const own = meant.filter(({ description = '' }) => !DEMANDED.test(description));
	expect(own.map(({ displayName, description }) => `${displayName}: ${description}`)).toEqual([]);
	expect(new Set(meant.map(({ name }) => name))).toEqual(new Set(['categories']));
});

it('says what a choice means, and not what to do', () => {
	const asking = leaves(propertiesOf(api)).filter(({ description = '' }) =>
		description.startsWith('What to do'),
	);
	expect(asking.map(({ displayName }) => displayName)).toEqual([]);
});

it.each(['get', 'getAll'])(
	'gives an AI tool the field Output in place of Simplify: %s',
	(operation) => {
		const shown = propertiesOf(api).filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(operation),
		);
		const forTool = (isTool: boolean, wanted: string) =>
			shown
				.filter(({ name, displayOptions }) => {
					const [condition] = displayOptions?.show?.['@tool'] ?? [];
					return name === wanted && condition === isTool;
				})
				.flatMap(({ displayOptions }) => displayOptions?.show?.resource ?? []);
		expect(forTool(true, 'output')).toEqual(['customer', 'order', 'product']);
		expect(forTool(false, 'simplify')).toEqual(['customer', 'order', 'product']);
		expect(forTool(true, 'simplify')).toEqual([]);
		expect(forTool(true, 'selectedFields')).toEqual(['customer', 'order', 'product']);
	},
);

it('has Sort under Options in every list that can be sorted', () => {
	const lists = ALL.filter(({ fields }) => leaves(fields).some(({ name }) => name === 'sort'));
	expect(lists.length).toBeGreaterThan(2);
	expect(lists.flatMap(({ fields }) => fields).filter(({ name }) => name === 'sort')).toEqual([]);
});

/** Parameters that say how the request is sent and what is returned. */
const NOT_SENT = ['options', 'simplify'];

it('has no default for numbers and switches that a write sends', () => {
	const writes = ALL.filter(({ option }) => option.routing.request.method !== 'GET');
	expect(writes.length).toBeGreaterThan(15);
	const preset = writes.flatMap(({ option, fields }) =>
		leaves(fields.filter(({ name }) => !NOT_SENT.includes(name)))
			.filter((field) => /number|boolean/.test(field.type) && field.default !== '')
			.map(({ name }) => `${option.value}: ${name}`),
	);
	expect(preset).toEqual([]);
});

/** All fields, also those in collections. */
function leaves(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		const inside = (field.options ?? []).flatMap((option) =>
			'values' in option ? leaves(option.values) : 'type' in option ? leaves([option]) : [],
		);
		return [field, ...inside];
	});
}
