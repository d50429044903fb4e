import { hasField, isObject } from '../../../nodes/shared/values/json';

it.each([{}, { a: 1 }, { toJSON: 'a field of a record' }, Object.create(null) as object])(
	'takes %j for a JSON object',
	(value) => expect(isObject(value)).toBe(true),
);

it.each([null, undefined, [], 'text', 1, new Date(0)])('takes %j for none', (value) =>
	expect(isObject(value)).toBe(false),
);

it('hasField knows an object’s own fields from those of every object', () => {
	expect(hasField({ toString: 1 }, 'toString')).toBe(true);
	expect(hasField({ a: undefined }, 'a')).toBe(true);
	for (const name of ['toString', 'constructor', '__proto__', 'b'])
		expect(hasField({ a: 1 }, name)).toBe(false);
});
