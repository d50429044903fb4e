import fc from 'fast-check';

import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodePropertyCollection,
} from 'n8n-workflow';

import {
	freeBody,
	listedField,
	otherFields,
} from '../../../nodes/CommercePlatform/fields/freeBody';
import type { Item } from '../../../nodes/shared/values/fields';
import { told } from '../../support/told';

/** The object that names and values become. */
const readPairs = (label: string, value: unknown, isExpression = false) =>
	otherFields('').send?.read(
		label,
		value,
		{
			entered: () => undefined,
			isExpression: (path: string) => isExpression && path === 'otherFields.field[0].value',
		} as unknown as Item,
		{},
		'otherFields',
	) as IDataObject;

const row = (name: unknown, type: string, value: unknown) => ({ field: [{ name, type, value }] });

it.each([
	'a',
	{ __rl: true, mode: 'list', value: 'a', cachedResultName: 'a · Text' },
	{ __rl: true, mode: 'name', value: 'a' },
	// A locator without a mode, as when a plain text was replaced.
	{ __rl: true, mode: '', value: 'a' },
])('accepts %j as a name', (name) =>
	expect(readPairs('Fields', row(name, 'string', 'x'))).toEqual({ a: 'x' }),
);

it.each([
	[{ __rl: true, mode: 'list', value: '' }, 'is empty'],
	[{ __rl: true, mode: 'name', value: null }, 'is empty'],
	[{ value: 'a' }, 'must be text'],
	[{ __rl: true, mode: 'id', value: 'rec_9' }, 'must be text'],
	[['a'], 'must be text'],
])('refuses the name %j', (name, problem) =>
	expect(() => readPairs('Fields', row(name, 'string', 'x'))).toThrow(`'Fields: Name' ${problem}`),
);

describe('a name From List', () => {
	const listed = (value: unknown, name = 'a') => ({
		__rl: true,
		mode: 'list',
		value: listedField(name, value).value,
	});
	const readListed = (inRecord: unknown, value: unknown) =>
		readPairs('Fields', { field: [{ name: listed(inRecord), value }] });

	it.each<[unknown, unknown, unknown]>([
		[true, 'Yes', true],
		[false, 'no', false],
		[true, '0', false],
		[true, 1, true],
		['x', 'Yes', 'Yes'],
		['x', 7, '7'],
		[null, 'true', 'true'],
		[1, '2.5', 2.5],
		[{ b: 1 }, '{ "c": 2 }', { c: 2 }],
		[[1], '[2]', [2]],
	])('that holds %j in the shop takes %j as %j', (inRecord, value, sent) =>
		expect(readListed(inRecord, value)).toEqual({ a: sent }),
	);

	it('refuses a text for a Boolean field, by its name', () => {
		expect(() => readListed(true, 'perhaps')).toThrow("'Fields: a' must be true or false");
		expect(() => readListed(1, 'many')).toThrow("'Fields: a'");
	});

	it('may hold what separates it from its type', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1 }), (name) => {
				fc.pre(name.trim() === name);
				const rows = { field: [{ name: listed('x', name), value: 'v' }] };
				expect(Object.entries(readPairs('Fields', rows))).toEqual([[name, 'v']]);
			}),
		);
	});

	it('has no type in the panel: a row is two lines', () => {
		const { options = [] } = freeBody('the customer', 'searchCustomerFields')[1];
		const { values } = options[0] as INodePropertyCollection;
		const rowOf = (mode: string): INodeParameters => ({ name: { __rl: true, mode, value: 'a' } });
		const shown = (mode: string) =>
			values
				.filter((one) => NodeHelpers.displayParameter(rowOf(mode), one, null, null))
				.map(({ name }) => name);
		expect(shown('list')).toEqual(['name', 'value']);
		expect(shown('name')).toEqual(['name', 'type', 'value']);
		expect(values.filter(({ hint }) => hint !== undefined)).toEqual([]);
	});
});

it('clears a field only by the type, which hides the value and is named if a value is missing', () => {
	const { options = [] } = freeBody('the customer')[1];
	const { values } = options[0] as INodePropertyCollection;
	const named = (name: string) => values.find((one) => one.name === name);
	const clear = { name: 'Clear (No Value)', value: 'null' };
	expect(named('type')?.options).toContainEqual(expect.objectContaining(clear));
	expect(named('value')?.displayOptions).toEqual({ hide: { type: ['null'] } });
	expect(readPairs('Fields', { field: [{ name: 'a', type: 'null' }] })).toEqual({ a: null });
	const description =
		'Nothing was sent. Enter a value, remove the field, or choose the type Clear (No Value).';
	const message = "'Fields: a' has no value";
	const refusal = told(() => readPairs('Fields', row('a', 'string', '')));
	expect(refusal).toBe(`${message}\n${description}`);
	// What an expression leaves empty says nothing.
	expect(readPairs('Fields', row('a', 'string', ''), true)).toEqual({});
});

it('reads exactly the fields that are sent, whatever their names', () => {
	const name = fc.string({ minLength: 1 }).filter((one) => one.trim() === one);
	const names = fc.uniqueArray(name);
	fc.assert(
		fc.property(fc.oneof(names, fc.constant(['__proto__', 'constructor', 'toString'])), (all) => {
			const rows = { field: all.map((name) => ({ name, type: 'string', value: name })) };
			const read = readPairs('Fields', rows);
			expect(Object.keys(read).sort()).toEqual([...all].sort());
			expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
			expect(JSON.parse(JSON.stringify(read))).toEqual(read);
		}),
	);
});

it('reads no rows as no fields', () => {
	expect(readPairs('Fields', {})).toEqual({});
	expect(readPairs('Fields', [])).toEqual({});
	expect(() => readPairs('Fields', 'a=b')).toThrow('must be a list');
});
