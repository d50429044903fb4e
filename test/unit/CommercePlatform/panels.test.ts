import type { INodeProperties } from 'n8n-workflow';

import {
	CommercePlatform,
	resources,
} from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.ts';

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map(({ option, fields }) => ({ name: `${value}.${option.value}`, option, fields })),
);
const fieldsOf = (operation: string) => operations.find(({ name }) => name === operation)!.fields;
const inside = (fields: readonly INodeProperties[], collection: string): INodeProperties[] =>
	(fields.find(({ name }) => name === collection)?.options ?? []) as INodeProperties[];
const filterOf = (operation: string, filter: string) =>
	inside(fieldsOf(operation), 'filters').find(({ name }) => name === filter);

/** All fields of a description, at any depth. */
function everyField(fields: readonly INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => [
		field,
		...(field.options ?? []).flatMap((option) => {
			if ('values' in option) return everyField(option.values);
			return 'type' in option ? everyField([option]) : [];
		}),
	]);
}

const all = [new CommercePlatform(), new CommercePlatformTrigger()].flatMap(({ description }) =>
	everyField(description.properties),
);

it('asks n8n neither to check nor to extract a value: the node reads them without that', () => {
	const modes = all.flatMap(({ modes: own = [] }) => own);
	expect(modes.length).toBeGreaterThan(5);
	for (const field of [...all, ...modes])
		for (const asked of ['validateType', 'extractValue'])
			expect([field.name, field]).not.toEqual([
				field.name,
				expect.objectContaining({ [asked]: expect.anything() }),
			]);
});

describe('the filters of a list', () => {
	it.each(['order.getAll', 'product.getAll', 'customer.getAll'])(
		'%s says under both dates how to write yesterday',
		(list) => {
			expect(filterOf(list, 'created_since')?.hint).toContain("{{ $today.minus(1, 'day') }}");
			expect(filterOf(list, 'created_until')?.hint).toContain('{{ $today }}');
			for (const name of ['created_since', 'created_until'])
				expect(filterOf(list, name)?.hint).toMatch(/yesterday/i);
		},
	);

	it('have an example of their own under Search', () => {
		const lists = operations.filter(({ fields }) =>
			inside(fields, 'filters').some(({ name }) => name === 'q'),
		);
		const examples = lists.map(({ name }) => filterOf(name, 'q')?.placeholder);
		expect(examples.length).toBeGreaterThanOrEqual(4);
		expect(new Set(examples).size).toBe(examples.length);
		expect(filterOf('order.getAll', 'q')?.placeholder).toBe('e.g. a name, an e-mail, #1318');
	});

	it('say that an order that was shipped meanwhile is no longer paid', () => {
		expect(filterOf('order.getAll', 'status')?.hint).toMatch(/shipped meanwhile is no longer paid/);
	});

	it('stand above the order of the records, which is an option', () => {
		for (const { name, fields } of operations)
			expect([name, fields.map((field) => field.name)]).not.toEqual([
				name,
				expect.arrayContaining(['sort']),
			]);
		expect(inside(fieldsOf('order.getAll'), 'options').map(({ name }) => name)).toContain('sort');
	});
});

describe('the words of the panels', () => {
	it('name actions as people say them', () => {
		const actions = operations.map(({ option }) => option.action);
		expect(actions).toContain('Set product prices');
		expect(actions).toContain('Rotate webhook secret (in development)');
	});

	it('name modes by what is entered, and begin SKUs From List', () => {
		const modes = all.flatMap(({ modes: offered = [] }) => offered);
		const names = new Set(modes.map(({ displayName }) => displayName));
		expect([...names].sort()).toEqual([
			'E-mail',
			'From List',
			'Handle',
			'ID',
			'Name',
			'Number',
			'SKU',
			'URL',
		]);
		const skus = all.filter(({ name, type }) => name === 'sku' && type === 'resourceLocator');
		expect(skus.length).toBeGreaterThan(0);
		for (const sku of skus) expect(sku.default).toMatchObject({ mode: 'list' });
	});

	it('explain what a field is, not what to do with it', () => {
		const texts = all.map(({ description = '' }) => description);
		expect(texts.filter((text) => text.startsWith('What to do with'))).toEqual([]);
		const described = [...texts, ...resources.map(({ description }) => description)];
		expect(described.filter((text) => /contracted enterprise/i.test(text))).toEqual([]);
		expect(resources.find(({ value }) => value === 'event')?.description).toContain(
			'Enterprise plan only',
		);
	});

	it('of Create or Update say in two sentences what batches are', () => {
		const notices = fieldsOf('product.upsert').filter(({ type }) => type === 'notice');
		expect(notices).toHaveLength(1);
		expect(notices[0].displayName.split(/[.!?](?:\s|$)/).filter(Boolean)).toHaveLength(2);
	});
});

describe('a product', () => {
	it.each(['create', 'upsert'])(
		'with one variant has its price beside SKU and title: %s',
		(name) => {
			const names = fieldsOf(`product.${name}`).map((field) => field.name);
			expect(names).toEqual(expect.arrayContaining(['title', 'sku', 'price', 'currency']));
		},
	);

	it.each([
		['create', 'additionalFields'],
		['update', 'updateFields'],
	])('has other fields, as an order has: %s', (name, collection) => {
		const names = inside(fieldsOf(`product.${name}`), collection).map((field) => field.name);
		expect(names).toContain('otherFields');
	});
});

it('the trigger offers its sample where one waits, without an option', () => {
	const { description } = new CommercePlatformTrigger();
	const names = description.properties.map(({ name }) => name);
	expect(names).toContain('sampleEvent');
	const { triggerPanel, eventTriggerDescription } = description;
	expect(JSON.stringify(triggerPanel)).toContain("No order at hand? Switch 'Sample Event' on");
	expect(eventTriggerDescription).toContain("No order at hand? Switch 'Sample Event' on");
	expect(description.description).toMatch(/^Starts the workflow when/);
});
