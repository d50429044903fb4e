import fc from 'fast-check';

import { isObject } from '../../../../nodes/shared/values/json';
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

/** What a reader refuses a value with: its message and what to do. */
function refusal(read: () => unknown): [message: string, remedy: string] {
	try {
		read();
	} catch (error) {
		if (error instanceof InputError) return [error.message, error.remedy];
		throw error;
	}
	throw new Error('It was not refused');
}

describe('text', () => {
	it('is taken exactly as it was entered, blanks included', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (entered) => {
				expect(text('Title', entered)).toBe(entered);
			}),
		);
	});

	it.each([
		[7, '7'],
		[-7, '-7'],
		[0, '0'],
		[1.5, '1.5'],
		[-12.25, '-12.25'],
		[9_007_199_254_740_991, '9007199254740991'],
	])('writes the number %s out', (entered, written) => {
		expect(text('Title', entered)).toBe(written);
	});

	it.each([[9_007_199_254_740_992], [1e21], [1.5e-7], [-1.5e-7], [Number.NaN], [Infinity]])(
		'refuses the number %s, whose digits may not be those that were meant',
		(entered) => {
			expect(refusal(() => text('Title', entered))).toEqual([
				'“Title” must be text',
				`It is the number ${entered}, which may have lost digits.`,
			]);
		},
	);

	it.each([
		[undefined, 'It is undefined.'],
		[null, 'It is null.'],
		[true, 'It is true.'],
		[['a'], 'It is ["a"].'],
		[{ a: 1 }, 'It is {"a":1}.'],
	])('refuses %j and says what it is', (entered, remedy) => {
		expect(refusal(() => text('Title', entered))).toEqual(['“Title” must be text', remedy]);
	});

	it('refuses half of a character', () => {
		expect(refusal(() => text('Title', 'a\ud83d'))).toEqual([
			'“Title” is not valid Unicode text',
			'Half of a character is missing.',
		]);
	});
});

describe('text that must say something', () => {
	it('keeps the blanks around it', () => {
		expect(someText('Name', ' Ada ')).toBe(' Ada ');
		expect(someText('Name', 5)).toBe('5');
	});

	it.each([[''], ['  '], ['\n\t'], [undefined], [null]])('refuses %j as empty', (entered) => {
		expect(refusal(() => someText('Name', entered))).toEqual(['“Name” is empty', '']);
	});
});

describe('text by which a record is searched', () => {
	it('has 2,000 characters at most, as a web address holds them', () => {
		const longest = `${'ü'.repeat(333)}ab`;
		expect(encodeURIComponent(longest)).toHaveLength(2_000);
		expect(searchedText('SKU', longest)).toBe(longest);
		expect(refusal(() => searchedText('SKU', `${longest}c`))).toEqual([
			'“SKU” is too long',
			'Nothing was sent. Check the expression.',
		]);
	});
});

describe('text that may be empty', () => {
	it.each([[''], ['  '], [undefined], [null]])('is none where %j was entered', (entered) => {
		expect(optionalText('Note', entered)).toBeUndefined();
	});

	it('loses the blanks around it', () => {
		expect(optionalText('Note', ' a b ')).toBe('a b');
		expect(optionalText('Note', 0)).toBe('0');
	});

	it('refuses what is not text', () => {
		expect(refusal(() => optionalText('Note', false))[0]).toBe('“Note” must be text');
	});
});

describe('a list of texts', () => {
	it.each([
		['a, b ,c', ['a', 'b', 'c']],
		[
			['a', ' b ', 7],
			['a', 'b', '7'],
		],
		[['a,b'], ['a,b']],
		[' , ,', []],
		[['', ' '], []],
		[undefined, []],
		[null, []],
		[12, ['12']],
	])('is read from %j', (entered, list) => {
		expect(textList('Tags', entered)).toEqual(list);
	});

	it('refuses an entry that is not text', () => {
		expect(refusal(() => textList('Tags', ['a', null]))[0]).toBe('“Tags” must be text');
		expect(refusal(() => textList('Tags', { a: 1 }))[0]).toBe('“Tags” must be text');
	});
});

describe('true or false', () => {
	it.each([
		[true, true],
		['true', true],
		[' TRUE ', true],
		[false, false],
		['false', false],
		[' False', false],
	])('is read from %j', (entered, value) => {
		expect(boolean('Active', entered)).toBe(value);
	});

	it.each([['yes'], [''], [1], [0], [null], [undefined], ['truee'], [[]]])(
		'is not read from %j',
		(entered) => {
			expect(refusal(() => boolean('Active', entered))).toEqual([
				'“Active” must be true or false',
				`It is ${described(entered)}.`,
			]);
		},
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
		['[9007199254740993]', '9007199254740993'],
		['-9007199254740993', '-9007199254740993'],
		['{"n":0.1234567890123456789}', '0.1234567890123456789'],
		['{"n":-0.1234567890123456789}', '-0.1234567890123456789'],
		['[1.00000000000000000001]', '1.00000000000000000001'],
		['1234567890123456789e-1', '1234567890123456789e-1'],
		['{"t":"x","n":12345678901234567890.5}', '12345678901234567890.5'],
		['{"t":"\\"","n":1e-400}', '1e-400'],
	])('refuses %j, of which a number would hold other digits', (entered, number) => {
		expect(refusal(() => json('Body', entered))[0]).toBe(
			`“Body” holds "${number}", which no number can hold exactly`,
		);
	});

	it.each([
		'{"n":1.0}',
		'[1e3,1.5E+2,-0.25,0.1,0]',
		'{"t":"0.1234567890123456789"}',
		'{"t":"\\" 0.1234567890123456789 \\\\"}',
		'{"":"","n":-12.5e-3}',
		'{"t":"12345678901234567890","n":-9007199254740991}',
	])('takes %s', (entered) => {
		expect(json('Body', entered)).toEqual(JSON.parse(entered));
	});

	it('leaves infinite numbers to the check of the whole, which names the place', () => {
		expect(refusal(() => json('Body', '{"a":[1e400]}'))[0]).toMatch(/^“Body: a\[0\]” is Infinity/);
	});

	it.each([['{'], [''], ["{'a':1}"], ['[1,]']])('refuses the text %j', (entered) => {
		const [message, remedy] = refusal(() => json('Body', entered));
		expect(message).toBe('“Body” is not valid JSON');
		expect(remedy).not.toBe('');
	});

	it.each([
		[undefined, '“Body”'],
		[Number.NaN, '“Body”'],
		[{ price: { amount: undefined } }, '“Body: price.amount”'],
		[{ list: [1, Infinity] }, '“Body: list[1]”'],
	])('refuses what JSON would drop or change, and names its place: %j', (entered, place) => {
		const [message, remedy] = refusal(() => json('Body', entered));
		expect(message.startsWith(`${place} `)).toBe(true);
		expect(remedy).toBe('Nothing was sent. Check the expression.');
	});

	it('is an object where one is asked for', () => {
		expect(jsonObject('Body', '{"a":[1]}')).toEqual({ a: [1] });
		expect(jsonObject('Body', { a: null })).toEqual({ a: null });
	});

	it.each([
		['[1]', 'It is [1].'],
		['"a"', 'It is "a".'],
		['null', 'It is null.'],
		[7, 'It is 7.'],
	])('refuses %j in place of an object', (entered, remedy) => {
		expect(refusal(() => jsonObject('Body', entered))).toEqual([
			'“Body” must be a JSON object',
			remedy,
		]);
	});
});

describe('a value', () => {
	it.each([[undefined], [null], [''], [[]], [{}]])('that is %j says nothing', (value) => {
		expect(saysNothing(value)).toBe(true);
	});

	it.each([[0], [false], [' '], [[null]], [{ a: undefined }], [new Date(0)]])(
		'that is %j says something',
		(value) => {
			expect(saysNothing(value)).toBe(false);
		},
	);

	it.each([[{}], [{ a: 1 }], [Object.create(null)]])('that is %j is an object', (value) => {
		expect(isObject(value)).toBe(true);
	});

	it.each([[null], [[]], ['{}'], [7], [undefined], [new Date(0)]])(
		'that is %j is no object',
		(value) => {
			expect(isObject(value)).toBe(false);
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

	it.each([[undefined], [null]])('that is %j leaves a choice at its default', (value) => {
		expect(oneOf('Output', value, ['records', 'pages'])).toBe('records');
	});

	it('is one of the choices or refused', () => {
		expect(oneOf('Output', 'pages', ['records', 'pages'])).toBe('pages');
		for (const value of ['', 'Pages', ['pages'], 1])
			expect(refusal(() => oneOf('Output', value, ['records', 'pages']))).toEqual([
				`“Output” cannot be ${described(value)}`,
				'Choose one of the list.',
			]);
	});

	it.each([
		[undefined, undefined],
		[null, undefined],
		['', undefined],
		[{}, undefined],
		[{ row: null }, undefined],
		[{ row: [] }, undefined],
		[[], []],
		[[1], [1]],
		[{ row: [1, 2] }, [1, 2]],
		[{ row: { a: 1 } }, [{ a: 1 }]],
	])('that is %j holds the rows %j', (value, rows) => {
		expect(rowsOf('Prices', value, 'row')).toEqual(rows);
	});

	it.each([['a'], [7], [true], [{ amount: 5 }], [new Date(0)]])(
		'that is %j is not taken for no rows',
		(value) => {
			expect(refusal(() => rowsOf('Prices', value, 'row'))).toEqual([
				'“Prices” must be a list',
				`It is ${described(value)}.`,
			]);
		},
	);

	it('that holds itself is described too', () => {
		const loop: Record<string, unknown> = {};
		loop.loop = loop;
		expect(described(loop)).toBe('something that JSON cannot hold');
	});
});
