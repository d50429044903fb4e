import fc from 'fast-check';

import {
	boolean,
	describe as described,
	integer,
	json,
	jsonObject,
	number,
	oneOf,
	optionalText,
	rowsOf,
	saysNothing,
	searchedText,
	someText,
	text,
	textList,
	wholeNumber,
	wholeOf,
} from '../../../../nodes/shared/values/readers';
import { anyText } from '../../../support/anyText';
import { told } from '../../../support/told';

const READERS = {
	text,
	someText,
	searchedText: (field: string, value: unknown) => searchedText(field, value as string),
	optionalText,
	textList,
	boolean,
	integer,
	number,
	wholeNumber: (field: string, value: unknown) => wholeNumber(field, value, 1, 250),
	json,
	jsonObject,
	oneOf: (field: string, value: unknown) => oneOf(field, value, ['records', 'pages']),
	rowsOf: (field: string, value: unknown) => rowsOf(field, value, 'row'),
};
type Name = keyof typeof READERS;

/** The result of a reader, or its message and remedy. */
const read = (name: Name, entered: unknown) => told(() => READERS[name]('Field', entered));

/** 2,000 characters in a web address. */
const LONGEST = `${'ü'.repeat(333)}ab`;
const MAX = Number.MAX_SAFE_INTEGER;

const NEW_YEAR = '2026-01-01T00:00:00.000Z';

/** A reader, its result, and the entries that all have that result. */
it.each<[Name, unknown, unknown[]]>([
	...[7, -7, 0, 1.5, -12.25, MAX].map((n): [Name, string, number[]] => ['text', String(n), [n]]),
	['text', NEW_YEAR, [new Date(NEW_YEAR), { toISO: () => NEW_YEAR }]],
	['someText', ' Ada ', [' Ada ']],
	['someText', '5', [5]],
	['searchedText', LONGEST, [LONGEST]],
	['optionalText', undefined, ['', '  ', undefined, null]],
	['optionalText', 'a b', [' a b ']],
	['optionalText', '0', [0]],
	['textList', ['a', 'b', '7'], ['a, b ,7', ['a', ' b ', 7]]],
	['textList', ['a,b'], [['a,b']]],
	['textList', [], [' , ,', ['', ' '], undefined, null]],
	['textList', ['12'], [12]],
	['boolean', true, [true, 'true', ' TRUE ', 1, '1', 'yes', ' Yes']],
	['boolean', false, [false, 'false', ' False', 0, '0', 'no', 'NO ']],
	['integer', 7, ['+7', '007', '7.0', '7.00', '7.0000']],
	['integer', -12, ['-0012']],
	['wholeNumber', 1, [1]],
	['wholeNumber', 250, [250]],
	['number', 0.5, ['+00.50', '5e-1', '.5', '500E-3']],
	['number', 0.55, ['.55']],
	['number', 1001, ['1001']],
	['number', 10.01, ['10.010']],
	['number', 100, ['100', '1e2']],
	['number', 1234, ['1234.000']],
	['number', 0, ['0.000']],
	['number', 0.001, ['0.0010']],
	['json', [1, 1000, 150, -0.25, 0.1, 0, -0.0125], ['[1.0,1e3,1.5E+2,-0.25,0.1,0,-12.5e-3]']],
	['json', ['" 0.1234567890123456789 \\'], ['["\\" 0.1234567890123456789 \\\\"]']],
	['jsonObject', { a: [null] }, ['{"a":[null]}', { a: [null] }]],
	['oneOf', 'records', [undefined, null]],
	['oneOf', 'pages', ['pages']],
	['rowsOf', undefined, [undefined, null, '', {}, { row: null }, { row: [] }]],
	['rowsOf', [], [[]]],
	['rowsOf', [{ a: 1 }], [[{ a: 1 }], { row: [{ a: 1 }] }, { row: { a: 1 } }]],
])('%s reads %j from each of %j', (name, value, entered) => {
	for (const one of entered) expect(read(name, one)).toEqual(value);
});

const CHECK = 'Nothing was sent. Check the expression.';
const UNCLEAR = 'has more digits than a number can hold exactly';
const NO_DIGITS = '1.000 7. 70e-1 7E2 0x10 1_000 1,5 7.5 .5 . e5 7e x7 7x Infinity 1e400';

/** If the remedy is absent, it repeats the entry; `any` accepts every remedy. */
it.each<[Name, string, unknown[], string?]>([
	...[MAX + 1, 1e21, 1.5e-7, -1.5e-7, Number.NaN, Infinity].map(
		(lost): [Name, string, unknown[], string] => [
			'text',
			'must be text',
			[lost],
			`It is the number ${lost}, which may have lost digits.`,
		],
	),
	['text', 'must be text', [undefined, null, true, ['a'], { a: 1 }]],
	['text', 'must be text', [new Date(Number.NaN), { toISO: () => null }, { toISO: NEW_YEAR }]],
	[
		'text',
		'holds “[object Object]”: an expression has put an object where a text is wanted',
		['to [object Object]'],
		CHECK,
	],
	['text', 'is not valid Unicode text', ['a\ud83d'], 'Half of a character is missing.'],
	['someText', 'is empty', ['', '  ', '\n\t', undefined, null], ''],
	['searchedText', 'is too long', [`${LONGEST}c`], CHECK],
	['optionalText', 'must be text', [false]],
	['textList', 'must be text', [['a', null]], 'It is null.'],
	['textList', 'must be text', [{ a: 1 }]],
	['boolean', 'must be true or false', ['y', '', 2, -1, '01', null, undefined, 'truee', []]],
	['integer', 'must be a whole number', [...NO_DIGITS.split(' '), '', '7 7', '9007199254740993']],
	['integer', 'must be a whole number', [7.5, Number.NaN, MAX + 1, Infinity]],
	['integer', 'must be a whole number', [null, undefined, true, { a: 7 }]],
	['wholeNumber', 'must be a whole number from 1 to 250', [0, 251, 'many']],
	['number', UNCLEAR, ['0.1234567890123456789', '9007199254740993', MAX + 1], 'any'],
	['number', UNCLEAR, ['12345678901234567890.5', '1.00000000000000000001', '1e-400'], 'any'],
	['number', 'must be a number', ['', '1,5', '0x1', 'abc', '1e400', Infinity, NaN, null, {}]],
	['number', 'may be meant as a thousand', ['1.000', ' 12.000 ', '-1.000'], 'any'],
	['json', 'is not valid JSON', ['{', '', "{'a':1}", '[1,]'], 'any'],
	['jsonObject', 'must be a JSON object', ['[1]', '"a"', 'null', 7]],
	...['', 'Pages', ['pages'], 1].map((other): [Name, string, unknown[], string] => [
		'oneOf',
		`cannot be ${described(other)}`,
		[other],
		'Choose one of the list.',
	]),
	['rowsOf', 'must be a list', ['a', 7, true, { amount: 5 }, new Date(0)]],
])('%s %s, if it is one of %j', (...[name, message, entered, remedy]) => {
	for (const one of entered) {
		const shown = name === 'jsonObject' ? (one as string) : described(one);
		const said = remedy ?? `It is ${shown}.`;
		const [first, second = ''] = String(read(name, one)).split('\n');
		expect([first, second]).toEqual([`'Field' ${message}`, said === 'any' ? second : said]);
		expect(second === '').toBe(said === '');
	}
});

it('a whole number is described with its minimum, if it has no upper bound', () => {
	expect(wholeNumber('Limit', MAX, 1)).toBe(MAX);
	expect(told(() => wholeNumber('Limit', 'many', 1))).toBe(
		'\'Limit\' must be a whole number of at least 1\nIt is "many".',
	);
});

it('text is taken exactly as it was entered, blanks included', () => {
	const isSame = (entered: string) => text('Title', entered) === entered;
	fc.assert(fc.property(anyText, isSame));
});

it('numbers are taken as they are, and as the digits that JavaScript writes', () => {
	const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(fc.maxSafeInteger(), anyDouble, (whole, double) => {
			expect([whole, ` ${whole} `].map((value) => read('integer', value))).toEqual([whole, whole]);
			if (Number.isInteger(double) && !Number.isSafeInteger(double)) return;
			expect(read('number', double)).toBe(double);
			// As text, minus zero is zero.
			expect(read('number', String(double))).toBe(double === 0 ? 0 : double);
		}),
	);
});

describe('JSON', () => {
	it('is the same as text and as a value', () => {
		const values = [fc.string(), fc.boolean(), fc.constant(null), fc.maxSafeInteger()];
		const anyBody = fc.dictionary(fc.string(), fc.anything({ values, maxDepth: 3 }));
		fc.assert(
			fc.property(anyBody, (body) => {
				const written = JSON.stringify(body);
				expect(JSON.stringify(json('Body', written))).toBe(written);
				expect(json('Body', body)).toBe(body);
			}),
		);
	});

	it('that is not valid is refused with what is wrong, and how to write a text into it', () => {
		const QUOTES =
			'. If it holds an expression in quotes, the text may hold quotes or line breaks itself: write {{ JSON.stringify($json.text) }} without quotes around it.';
		const said = String(read('json', '{"a":}'));
		expect(said).toMatch(/^'Field' is not valid JSON\nUnexpected token/);
		expect(said.endsWith(QUOTES)).toBe(true);
	});

	it.each([
		['{"id":12345678901234567890}', '12345678901234567890'],
		['{"n":-0.1234567890123456789}', '-0.1234567890123456789'],
		['{"t":"\\"","n":1e-400}', '1e-400'],
	])('refuses %j, since a number would have other digits', (entered, digits) => {
		expect(read('json', entered)).toBe(
			`'Field' holds "${digits}", which no number can hold exactly\nNothing was sent. In quotes it is sent as a text.`,
		);
	});

	it.each([
		[undefined, "'Field' "],
		[Number.NaN, "'Field' "],
		['{"a":[1e400]}', "'Field: a[0]' is Infinity"],
		[{ price: { amount: undefined } }, "'Field: price.amount' "],
		[{ list: [1, Infinity] }, "'Field: list[1]' "],
	])('refuses values that JSON would drop or change, and names the place: %j', (entered, begin) => {
		const [message, remedy] = String(read('json', entered)).split('\n');
		expect([message.slice(0, begin.length), remedy]).toEqual([begin, CHECK]);
	});
});

it.each<[unknown, string]>([
	[[{}, 1], '1'],
	[{ row: [{}, null] }, 'null'],
	[[{}, ['a']], '["a"]'],
])('rows are refused by the place of one that is not a row: %j', (value, second) => {
	expect(read('rowsOf', value)).toBe(`'Field 2' must be an object\nIt is ${second}.`);
});

it.each([
	[0, [0, '0', '000']],
	[7, [7, '7', '007']],
	[MAX, [MAX, String(MAX)]],
	[undefined, [-1, '-1', '+7', 1.5, '1.5', ' 7', '7 ', '', MAX + 1, String(MAX + 1), true, null]],
	[undefined, [undefined, Number.NaN, [7], {}]],
])('a whole number of an answer is %p in each of %j', (whole, values) => {
	expect(values.map(wholeOf)).toEqual(values.map(() => whole));
});

it('a missing value, an invisible text, an empty list and an empty object say nothing', () => {
	const blanks = ['', ' ', '\t\n', '\u00a0', '\u200b \u2060', '\ufeff'];
	expect([undefined, null, ...blanks, [], {}].filter((value) => !saysNothing(value))).toEqual([]);
	const saying = [0, false, ' x ', 'null', [[null]], { a: undefined }, new Date(0), new Map(), /a/];
	expect(saying.filter(saysNothing)).toEqual([]);
});

it('a value is described for messages in 80 characters, even if it contains itself', () => {
	const loop: Record<string, unknown> = {};
	loop.loop = loop;
	const values = [
		'',
		'a"b',
		7,
		undefined,
		[1, 'a'],
		'x'.repeat(78),
		'x'.repeat(79),
		loop,
		/a/,
		new Error('b'),
	];
	expect(values.map(described)).toEqual([
		...['empty', '"a\\"b"', '7', 'undefined', '[1,"a"]'],
		`"${'x'.repeat(78)}"`,
		`"${'x'.repeat(79)}…`,
		...['something that JSON cannot hold', '/a/', 'Error: b'],
	]);
});
