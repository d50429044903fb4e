import fc from 'fast-check';

import {
	ExactNumber,
	findUnsendable,
	numbersIn,
	parseExactly,
	parseForReturn,
	parseForSending,
	readable,
	stringifyExactly,
} from '../../../nodes/shared/values/json';

describe('parseExactly', () => {
	it.each([
		['9007199254740993', '9007199254740993'],
		['-9007199254740993', '-9007199254740993'],
		['9007199254740992', '9007199254740992'],
		['12345678901234567890', '12345678901234567890'],
		['9007199254740993.0', '9007199254740993'],
		['-12345678901234567890.00', '-12345678901234567890'],
		['9007199254740991.0', 9007199254740991],
		['9007199254740991', 9007199254740991],
		['-9007199254740991', -9007199254740991],
		['1000000000000000', 1000000000000000],
		['1234567890123456.5', 1234567890123456.5],
		['12345678901234567890.5', Number('12345678901234567890.5')],
		['12345678901234567890e2', Number('12345678901234567890e2')],
		['123456789012345', 123456789012345],
		['0.12345678901234567', Number('0.12345678901234567')],
		['1.12345678901234567890', Number('1.12345678901234567890')],
		['1e-99999999999999999999', 0],
	])('reads %s as %p', (text, value) => {
		expect(parseExactly(text)).toBe(value);
		expect(parseExactly(`[${text}]`)).toEqual([value]);
		expect(parseExactly(`[1,${text}, ${text}]`)).toEqual([1, value, value]);
		expect(parseExactly(`[12345678901234567890,${text}]`)).toEqual(['12345678901234567890', value]);
		expect(parseExactly(`{"a":${text},"b":\n${text}}`)).toEqual({ a: value, b: value });
	});

	it('leaves digits alone that stand in a text, whatever is around them', () => {
		const texts = [
			'12345678901234567890',
			': 12345678901234567890',
			'\\" , 12345678901234567890 "',
		];
		const body = JSON.stringify({ texts, '12345678901234567890': 'key', number: 1 });
		expect(parseExactly(body.replace('"number":1', '"number":12345678901234567890'))).toEqual({
			texts,
			'12345678901234567890': 'key',
			number: '12345678901234567890',
		});
	});

	it('reads deep nesting, and texts of some megabytes, beside such a number', () => {
		const deep = `${'['.repeat(20_000)}12345678901234567890${']'.repeat(20_000)}`;
		let value = parseExactly(deep);
		while (Array.isArray(value)) value = value[0];
		expect(value).toBe('12345678901234567890');
		const long = 'x\\n'.repeat(3_000_000);
		const read = parseExactly(`{"text":"${long}","n":12345678901234567890}`) as { n: string };
		expect(read.n).toBe('12345678901234567890');
	});

	it.each(['', '{', '[1,]', '12345678901234567890 1', '01234567890123456789'])(
		'refuses %j as JSON.parse does',
		(text) => {
			expect(() => parseExactly(text)).toThrow(SyntaxError);
		},
	);

	it('is JSON.parse for everything without such a number', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				fc.pre(!/\d{16}/.test(text));
				expect(parseExactly(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	it('keeps the digits of every whole number', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), (number) => {
				const { n } = parseExactly(`{"n":${number}}`) as { n: unknown };
				const isSafe = Number.isSafeInteger(Number(number));
				expect(n).toBe(isSafe ? Number(number) : String(number));
			}),
		);
	});
});

describe('what parseExactly costs', () => {
	const parses = (text: string): number => {
		const parse = jest.spyOn(JSON, 'parse');
		parseExactly(text);
		const times = parse.mock.calls.length;
		parse.mockRestore();
		return times;
	};
	/** The same text behind blanks, since only some of its places are looked at. */
	const everyPlace = (text: string) => Array.from({ length: 16 }, (_, n) => ' '.repeat(n) + text);

	it.each([
		'{"numbers":[1,23,456,7890,123456789012345,-5.25,1e3]}',
		'{"gtin":"12345678901234567890","id":"gid/12345678901234567890","word":"a12345678901234567890"}',
		'{"blanks":                    [\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n]}',
		'{"signs":"--------------------,,,,,,,,,,,,,,,,,,,,::::::::::::::::::::////////////////////"}',
		'{"letters":"abcdefghijklmnopqrstuvwxyz","time":"2026-01-31T22:00:00.125Z"}',
		'123456789012345',
	])('is one parse where no number has 16 digits: %s', (text) => {
		expect(everyPlace(text).map(parses)).toEqual(Array.from({ length: 16 }, () => 1));
	});

	it.each(['[1,9007199254740993]', '9007199254740993', '{"a": 12345678901234567890}'])(
		'is a second one where there is such a number: %s',
		(text) => {
			expect(everyPlace(text).map(parses)).toEqual(Array.from({ length: 16 }, () => 2));
		},
	);
});

it('numbersIn gives the numbers of a JSON text as they are written, and nothing of its texts', () => {
	const text = '{"a":[1.50,-2e+3,0],"b":"7","9":"say \\"8\\" 6","c":12345678901234567890}';
	expect(numbersIn(text)).toEqual(['1.50', '-2e+3', '0', '12345678901234567890']);
	expect(numbersIn('{"a":"x"}')).toEqual([]);
	expect(numbersIn('')).toEqual([]);
});

describe('what a user enters as JSON', () => {
	it('is sent digit for digit', () => {
		const text =
			'{"a":9007199254740993,"b":[12345678901234567890,-9007199254740993],"c":"9007199254740993"}';
		const body = parseForSending(text);
		expect(stringifyExactly(body)).toBe(text);
		expect(findUnsendable(body)).toBeUndefined();
	});

	it('stands as a number with its digits in between, also as the whole text', () => {
		const { n } = parseForSending('{"n":9007199254740993}') as { n: unknown };
		expect(n).toBeInstanceOf(ExactNumber);
		expect(String(n)).toBe('9007199254740993');
		expect(String(parseForSending('9007199254740993'))).toBe('9007199254740993');
		expect(parseForSending('{"n":5,"t":"x","e":null}')).toEqual({ n: 5, t: 'x', e: null });
	});

	it('is a text with its digits for everyone else who writes it as JSON', () => {
		const body = parseForSending('{"n":9007199254740993}');
		expect(stringifyExactly(body)).toBe('{"n":9007199254740993}');
		expect(JSON.stringify(body)).toBe('{"n":"9007199254740993"}');
	});

	it('is one also after a value that could not be written', () => {
		expect(() => stringifyExactly({ n: 1n })).toThrow(TypeError);
		expect(JSON.stringify(parseForSending('[9007199254740993]'))).toBe('["9007199254740993"]');
	});

	it('leaves every other value as it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(stringifyExactly(value)).toBe(JSON.stringify(value));
			}),
		);
	});
});

describe('what is read to be sent back', () => {
	it.each([
		'{"a":1.10,"b":-0,"c":1e2,"d":12345678901234567890,"e":0.1234567890123456789,"f":1E400}',
		'{"a":[1,-2,3.5,"1.10",null,true],"b":"a \\"1.10\\" b"}',
		'1.0',
	])('is the same text again: %s', (text) => {
		const read = parseForReturn(text);
		expect(stringifyExactly(read)).toBe(text);
		expect(findUnsendable(read)).toBeUndefined();
	});

	it('is the same text again, whatever JSON it is', () => {
		fc.assert(
			fc.property(fc.json(), (json) => {
				const text = JSON.stringify(JSON.parse(json));
				expect(stringifyExactly(parseForReturn(text))).toBe(text);
			}),
		);
	});

	it('holds plain numbers wherever they are exact', () => {
		expect(parseForReturn('{"amount":1999,"more":[0.5]}')).toEqual({ amount: 1999, more: [0.5] });
	});

	it.each(['', '{', '{"a":01}'])('is refused where it is no JSON: %s', (text) => {
		expect(() => parseForReturn(text)).toThrow(SyntaxError);
	});
});

describe('readable', () => {
	it.each([
		['1999.0', 1999],
		['1.10', 1.1],
		['1e2', 100],
		['-0', -0],
		['0.00', 0],
		['12345678901234567890', '12345678901234567890'],
		['-9007199254740993.0', '-9007199254740993'],
		['0.1234567890123456789', '0.1234567890123456789'],
		['1e20', '1e20'],
		['1E400', '1E400'],
	])('gives %s as %p, at any place', (text, value) => {
		expect(readable(parseForReturn(text))).toBe(value);
		expect(readable(parseForReturn(`{"a":[1,{"b":${text}}]}`))).toEqual({ a: [1, { b: value }] });
	});

	it('leaves all else as it is, and what it was given', () => {
		const at = new Date(0);
		const given = { at, none: undefined, no: null, list: [1, '1.10'], n: new ExactNumber('1.10') };
		const copy = { ...given, list: [...given.list] };
		expect(readable(given)).toEqual({ ...given, n: 1.1 });
		expect(readable(given).at).toBe(at);
		expect(given).toEqual(copy);
		expect(given.n).toBeInstanceOf(ExactNumber);
	});

	it('reads any depth', () => {
		let value = readable(parseForReturn(`${'['.repeat(20_000)}1.0${']'.repeat(20_000)}`));
		while (Array.isArray(value)) value = (value as unknown[])[0];
		expect(value).toBe(1);
	});
});
