import fc from 'fast-check';

import type { IDataObject, INodePropertyCollection } from 'n8n-workflow';

import { freeBody, otherFields } from '../../../nodes/CommercePlatform/fields/freeBody';
import type { Item } from '../../../nodes/shared/values/fields';
import { told } from '../../support/told';

/** The object that names and values become. */
const readPairs = (label: string, value: unknown, isExpression = false) =>
	otherFields('').send?.read(
		label,
		value,
		{ isExpression: (path) => isExpression && path === 'otherFields.field[0].value' } as Item,
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
