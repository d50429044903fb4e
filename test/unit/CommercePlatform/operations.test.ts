import type { INodeProperties } from 'n8n-workflow';

import { CommercePlatform } from '../../../nodes/CommercePlatform/CommercePlatform.node';
import { resources } from '../../../nodes/CommercePlatform/resources';

/** Names on which workflows depend. */
const FIXED: Record<string, string[]> = {
	account: ['get'],
	category: ['create', 'getAll'],
	customer: ['create', 'get', 'getAll', 'update'],
	event: ['getAll'],
	inventory: ['adjust', 'getAll', 'set'],
	order: ['cancel', 'fulfill', 'get', 'getAll', 'refund', 'update'],
	product: ['create', 'delete', 'get', 'getAll', 'importCatalog', 'setPrices', 'update', 'upsert'],
	webhook: ['create', 'delete', 'get', 'getAll', 'recreate', 'rotateSecret', 'test', 'update'],
};

const { properties } = new CommercePlatform().description;

it('offers every operation under its fixed name', () => {
	const offered = Object.fromEntries(
		resources.map(({ value, operations }) => [value, operations.map(({ option }) => option.value)]),
	);
	for (const [resource, operations] of Object.entries(FIXED))
		expect([resource, [...offered[resource]].sort()]).toEqual([resource, operations]);
	expect(Object.keys(offered)).toEqual(Object.keys(FIXED));
});

it('keeps its lists in alphabetical order', () => {
	const names = (name: string) =>
		properties
			.filter((property) => property.name === name)
			.map(({ options }) => (options ?? []).map((option) => String(option.name)));
	for (const list of [...names('resource'), ...names('operation')])
		expect(list).toEqual([...list].sort((a, b) => a.localeCompare(b)));
});

it('marks what is in development in its description, and says what to do meanwhile', () => {
	const marked = resources.flatMap(({ operations }) =>
		operations.filter(({ inDevelopment }) => inDevelopment === true),
	);
	expect(marked.map(({ option }) => option.value).sort()).toEqual(
		expect.arrayContaining(['rotateSecret', 'test', 'update', 'upsert']),
	);
	for (const { option, fields, meanwhile } of marked) {
		// n8n's lint says the description of a Create or Update, so a notice stands beside it.
		const notices = fields.filter(({ type }) => type === 'notice');
		const texts = [option.description, ...notices.map(({ displayName }) => displayName)];
		expect(texts.join(' ')).toContain('in development');
		expect(meanwhile).toMatch(/^Until then/);
	}
});

it('says of every operation that answers with a secret that it is shown once', () => {
	const [webhook] = resources.filter(({ value }) => value === 'webhook');
	for (const { option } of webhook.operations) {
		if (!['create', 'recreate'].includes(option.value)) continue;
		expect(option.description).toContain('shown this once');
	}
});

it('describes every field that a user or a model fills', () => {
	const without = resources.flatMap(({ value, operations }) =>
		operations.flatMap(({ option, fields }) =>
			leaves(fields)
				.filter(({ type, description = '' }) => type !== 'notice' && description === '')
				.map(({ name }) => `${value} ${option.value} ${name}`),
		),
	);
	expect(without).toEqual([]);
});

/** All fields, those inside collections too. */
function leaves(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		const inside = (field.options ?? []).flatMap((option) =>
			'values' in option ? leaves(option.values) : 'type' in option ? leaves([option]) : [],
		);
		return [field, ...inside];
	});
}
