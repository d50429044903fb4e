import fc from 'fast-check';

import { InputError } from '../../../../nodes/shared/errors/errors';
import {
	boolean,
	describe as described,
	json,
	jsonObject,
	oneOf,
	optionalText,
	rowsOf,
	saysNothing,
	searchedText,
	someText,
	text,
	textList,
} from '../../../../nodes/shared/values/readers';

const READERS = {
	text,
	someText,
	searchedText: (field: string, value: unknown) => searchedText(field, value as string),
	optionalText,
	textList,
	boolean,
	json,
	jsonObject,
	oneOf: (field: string, value: unknown) => oneOf(field, value, ['records', 'pages']),
	rowsOf: (field: string, value: unknown) => rowsOf(field, value, 'row'),
};
type Name = keyof typeof READERS;

/** What a reader refuses a value with: its message and what to do. */
function refusal(name: Name, entered: unknown): [message: string, remedy: string] {
	try {
		READERS[name]('Field', entered);
	} catch (error) {
		if (error instanceof InputError) return [error.message, error.description];
		throw error;
	}
	throw new Error('It was not refused');
}

/** 2,000 characters, as a web address holds them. */
const LONGEST = `${'ü'.repeat(333)}ab`;

/** The same of each of some values. */
const all = <Rest extends unknown[]>(name: Name, entered: unknown[], ...rest: Rest) =>
	entered.map((one): [Name, unknown, ...Rest] => [name, one, ...rest]);

it.each<[Name, unknown, unknown]>([
	['text', 7, '7'],
	['text', -7, '-7'],
	['text', 0, '0'],
	['text', 1.5, '1.5'],
	['text', -12.25, '-12.25'],
	['text', 9_007_199_254_740_991, '9007199254740991'],
	['someText', ' Ada ', ' Ada '],
	['someText', 5, '5'],
	['searchedText', LONGEST, LONGEST],
	...all('optionalText', ['', '  ', undefined, null], undefined),
	['optionalText', ' a b ', 'a b'],
	['optionalText', 0, '0'],
	['textList', 'a, b ,c', ['a', 'b', 'c']],
	['textList', ['a', ' b ', 7], ['a', 'b', '7']],
	['textList', ['a,b'], ['a,b']],
	...all('textList', [' , ,', ['', ' '], undefined, null], []),
	['textList', 12, ['12']],
	...all('boolean', [true, 'true', ' TRUE '], true),
	...all('boolean', [false, 'false', ' False'], false),
	['json', '[1.0,1e3,1.5E+2,-0.25,0.1,0,-12.5e-3]', [1, 1000, 150, -0.25, 0.1, 0, -0.0125]],
	['json', '{"":"0.1234567890123456789"}', { '': '0.1234567890123456789' }],
	['json', '["\\" 0.1234567890123456789 \\\\"]', ['" 0.1234567890123456789 \\']],
	['json', '{"t":"12345678901234567890"}', { t: '12345678901234567890' }],
	['json', '-9007199254740991', -9007199254740991],
	['jsonObject', '{"a":[1]}', { a: [1] }],
	['jsonObject', { a: null }, { a: null }],
	...all('oneOf', [undefined, null], 'records'),
	['oneOf', 'pages', 'pages'],
	...all('rowsOf', [undefined, null, '', {}, { row: null }, { row: [] }], undefined),
	['rowsOf', [], []],
	['rowsOf', [{ a: 1 }], [{ a: 1 }]],
	['rowsOf', { row: [{ a: 1 }, {}] }, [{ a: 1 }, {}]],
	['rowsOf', { row: { a: 1 } }, [{ a: 1 }]],
])('%s reads %j as %j', (name, entered, value) => {
	expect(READERS[name]('Field', entered)).toEqual(value);
});

const CHECK = 'Nothing was sent. Check the expression.';

it.each<[Name, unknown, string, string?]>([
	...[9_007_199_254_740_992, 1e21, 1.5e-7, -1.5e-7, Number.NaN, Infinity].flatMap((number) =>
		all(
			'text',
			[number],
			'must be text',
			`It is the number ${number}, which may have lost digits.`,
		),
	),
	...all('text', [undefined, null, true, ['a'], { a: 1 }], 'must be text'),
	['text', 'a\ud83d', 'is not valid Unicode text', 'Half of a character is missing.'],
	...all('someText', ['', '  ', '\n\t', undefined, null], 'is empty', ''),
	['searchedText', `${LONGEST}c`, 'is too long', CHECK],
	['optionalText', false, 'must be text'],
	['textList', ['a', null], 'must be text', 'It is null.'],
	['textList', { a: 1 }, 'must be text'],
	...all('boolean', ['yes', '', 1, 0, null, undefined, 'truee', []], 'must be true or false'),
	...all('jsonObject', ['[1]', '"a"', 'null', 7], 'must be a JSON object'),
	...['', 'Pages', ['pages'], 1].flatMap((other) =>
		all('oneOf', [other], `cannot be ${described(other)}`, 'Choose one of the list.'),
	),
	...all('rowsOf', ['a', 7, true, { amount: 5 }, new Date(0)], 'must be a list'),
])('%s refuses %j, for it %s', (...[name, entered, message, remedy]) => {
	const shown = name === 'jsonObject' ? entered : described(entered);
	expect(refusal(name, entered)).toEqual([
		`“Field” ${message}`,
		remedy ?? `It is ${shown as string}.`,
	]);
});

it('text is taken exactly as it was entered, blanks included', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (entered) => {
			expect(text('Title', entered)).toBe(entered);
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

	it.each([
		['{"id":12345678901234567890}', '12345678901234567890'],
		['{"n":-0.1234567890123456789}', '-0.1234567890123456789'],
		['{"t":"\\"","n":1e-400}', '1e-400'],
	])('refuses %j, of which a number would hold other digits', (entered, number) => {
		expect(refusal('json', entered)).toEqual([
			`“Field” holds "${number}", which no number can hold exactly`,
			'Nothing was sent. In quotes it is sent as a text.',
		]);
	});

	it.each(['{', '', "{'a':1}", '[1,]'])('refuses the text %j and says why', (entered) => {
		expect(refusal('json', entered)).toEqual([
			'“Field” is not valid JSON',
			expect.stringMatching(/./),
		]);
	});

	it.each([
		[undefined, '“Field” '],
		[Number.NaN, '“Field” '],
		['{"a":[1e400]}', '“Field: a[0]” is Infinity'],
		[{ price: { amount: undefined } }, '“Field: price.amount” '],
		[{ list: [1, Infinity] }, '“Field: list[1]” '],
	])('refuses what it would drop or change, and names its place: %j', (entered, begin) => {
		const [message, remedy] = refusal('json', entered);
		expect(message.startsWith(begin)).toBe(true);
		expect(remedy).toBe(CHECK);
	});
});

it.each([[[{}, 1]], [{ row: [{}, null] }], [[{}, ['a']]]])(
	'rows are refused by the place of one that is none: %j',
	(value) => {
		expect(refusal('rowsOf', value)[0]).toBe('“Field 2” must be an object');
	},
);

describe('a value', () => {
	it.each([undefined, null, '', [], {}])('that is %j says nothing', (value) => {
		expect(saysNothing(value)).toBe(true);
	});

	it.each([0, false, ' ', [[null]], { a: undefined }, new Date(0)])(
		'that is %j says something',
		(value) => {
			expect(saysNothing(value)).toBe(false);
		},
	);

	it.each([
		['a"b', '"a\\"b"'],
		[7, '7'],
		[undefined, 'undefined'],
		[[1, 'a'], '[1,"a"]'],
		['x'.repeat(78), `"${'x'.repeat(78)}"`],
		['x'.repeat(79), `"${'x'.repeat(79)}…`],
	])('is described for messages: %j', (value, words) => {
		expect(described(value)).toBe(words);
	});

	it('that holds itself is described too', () => {
		const loop: Record<string, unknown> = {};
		loop.loop = loop;
		expect(described(loop)).toBe('something that JSON cannot hold');
	});
});
