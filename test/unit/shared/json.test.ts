import {
	findUnsendable,
	hasField,
	inexactNumbers,
	isExact,
	isListOfObjects,
	isObject,
	isSame,
} from '../../../nodes/shared/values/json';

const NAMED_DIGITS =
	'{"9007199254740993":"say \\"9007199254740993\\" 0.1234567890123456789","c":1e-400}';

it.each([
	[
		'[9007199254740993,["-1234567890123456789",-9007199254740995]]',
		['9007199254740993', '-9007199254740995'],
	],
	['[0.1234567890123456789,0.1,1.50,1e2,-0]', ['0.1234567890123456789']],
	[NAMED_DIGITS, ['1e-400']],
	...[`1.${'0'.repeat(400)}`, '9007199254740993.0', '1234567890123456789e-1'].map((one) => [
		`[${one}]`,
		[one],
	]),
	[
		'[1.00000000000000000001,"x",12345678901234567890.5]',
		['1.00000000000000000001', '12345678901234567890.5'],
	],
	...[
		'[1e400,9007199254740991]',
		'[0.000000000000125,-100.100000000000,1.50e+3,2.5E-7]',
		'[0e5,-0.00,0.0e-7]',
		`[1.${'0'.repeat(398)}]`,
		'{"a":"x"}',
		'',
		// The end of a text is missing: it is one text all the same.
		'{"a":"9007199254740993',
		'"9007199254740993\\',
	].map((text) => [text, []]),
])('the inexact numbers of %s are %j', (text, expected) => {
	expect(inexactNumbers(text as string)).toEqual(expected);
});

it('a number is exact also with blanks around it', () => {
	expect([' 0.50 ', '\t1234567890123.5', ' 0.1234567890123456789 '].map(isExact)).toEqual([
		true,
		true,
		false,
	]);
});

describe('findUnsendable', () => {
	const DIGITS = 'has more digits than a number holds exactly; enter it as a text';

	it.each([
		[{ amount: undefined }, 'amount', 'is undefined'],
		[{ prices: [{ amount: Number.NaN }] }, 'prices[0].amount', 'is NaN, which is no number'],
		[[1, [2, Number.NEGATIVE_INFINITY]], '[1][1]', 'is -Infinity, which is no number'],
		[{ n: 2 ** 53 }, 'n', DIGITS],
		...[1n, () => 1, Symbol('x'), new Map([['a', 1]]), new Error('x')].map(
			(n): [object, string, string] => [{ n }, 'n', 'is not JSON'],
		),
		[{ n: [/x/] }, 'n[0]', 'is not JSON'],
		[{ at: new Date(Number.NaN) }, 'at', 'is not a valid date'],
		[{ toJSON: undefined }, 'toJSON', 'is undefined'],
		[undefined, '', 'is undefined'],
		[
			{ note: 'To [object Object].' },
			'note',
			'holds “[object Object]”: an expression has put an object where a text is wanted',
		],
		// A hole in a list, which JSON would make null.
		// eslint-disable-next-line no-sparse-arrays -- the hole is what is tested
		[[1, , 2], '[1]', 'is undefined'],
	])('names %p by its path', (value, path, problem) => {
		const found = findUnsendable(value);
		expect(found?.path).toBe(path);
		expect(found?.problem).toContain(problem);
	});

	it('searches a body of tens of thousands of entries as fast as others, in their order', () => {
		// An import has this many. A search with quadratic time would take minutes.
		const operations: object[] = Array.from({ length: 40_000 }, (_, n) => ({
			sku: `${n}`,
			x: [n],
		}));
		operations.push({ sku: 'late', x: [Number.NaN] }, { sku: 'later', stock: undefined });
		expect(findUnsendable({ operations })?.path).toBe('operations[40000].x[0]');
	});

	it('refuses nesting that no body has, rather than overflow', () => {
		const nested = (levels: number): unknown => {
			let value: unknown = 1;
			for (let n = 0; n < levels; n++) value = [value];
			return value;
		};
		const cycle: Record<string, unknown> = {};
		cycle.self = cycle;
		const problems = [nested(200), nested(201), nested(20_000), cycle].map(findUnsendable);
		const TOO_DEEP = 'is nested too deeply';
		expect(problems.map((found) => found?.problem)).toEqual([
			undefined,
			...Array(3).fill(TOO_DEEP),
		]);
	});

	it('takes dates, and numbers up to the exact ones', () => {
		const body = {
			at: new Date(0),
			text: 'undefined',
			n: Number.MAX_SAFE_INTEGER,
			x: 1.5,
			zero: -0,
			no: null,
		};
		expect(findUnsendable(body)).toBeUndefined();
	});
});

it.each<[unknown, unknown, boolean]>([
	[{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
	[{ a: 1 }, { a: 1, b: undefined }, true],
	[{ a: 1 }, { a: '1' }, false],
	[[1, 2], [2, 1], false],
	[undefined, null, false],
	[null, {}, false],
])('%j and %j are the same: %s, whatever the order of their names', (a, b, expected) => {
	expect(isSame(a, b)).toBe(expected);
});

it('a list of objects has no other entries, and is a list', () => {
	expect([[], [{}], [{ a: 1 }, { b: 2 }]].map(isListOfObjects)).toEqual([true, true, true]);
	const others = [[{}, 1], [null], [[]], {}, { every: () => true }, 'text', null, undefined];
	expect(others.filter(isListOfObjects)).toEqual([]);
});

it('distinguishes JSON objects from everything else, and own fields from inherited ones', () => {
	const objects = [{}, { a: 1 }, { toJSON: 'a field of a record' }, Object.create(null) as object];
	expect(objects.map(isObject)).toEqual([true, true, true, true]);
	expect([null, undefined, [], 'text', 1, new Date(0)].filter(isObject)).toEqual([]);
	expect([hasField({ toString: 1 }, 'toString'), hasField({ a: undefined }, 'a')]).toEqual([
		true,
		true,
	]);
	const names = ['toString', 'constructor', '__proto__', 'b'];
	expect(names.filter((name) => hasField({ a: 1 }, name))).toEqual([]);
});
