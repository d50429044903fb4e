import fc from 'fast-check';

import { inexactNumbers, parseExactly } from '../../../nodes/shared/values/json';

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
		const texts = ['', ': ', '\\" , '].map((before) => `${before}12345678901234567890 "`);
		const body = JSON.stringify({ texts, '12345678901234567890': 'key', number: 1 });
		expect(parseExactly(body.replace('"number":1', '"number":12345678901234567890'))).toEqual({
			texts,
			'12345678901234567890': 'key',
			number: '12345678901234567890',
		});
	});

	it.each([
		'',
		'{',
		'[1,]',
		'12345678901234567890 1',
		'01234567890123456789',
		'{12345678901234567890:1}',
		'{12345678901234567890 \n:1}',
		'-+12345678901234567890',
		'12345678901234567890.',
		'0x12345678901234567890',
	])('refuses %j as JSON.parse does', (text) => {
		expect(() => parseExactly(text)).toThrow(SyntaxError);
	});

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

describe('inexactNumbers', () => {
	it.each([
		[
			'{"a":9007199254740993,"b":["-12345678901234567890",-12345678901234567890]}',
			['9007199254740993', '-12345678901234567890'],
		],
		['[0.1234567890123456789,0.1,1.50,1e2,-0]', ['0.1234567890123456789']],
		[
			'{"9007199254740993":"say \\"9007199254740993\\" 0.1234567890123456789","c":1e-400}',
			['1e-400'],
		],
		[`[1.${'0'.repeat(400)}]`, [`1.${'0'.repeat(400)}`]],
		['9007199254740993.0', ['9007199254740993.0']],
		['1234567890123456789e-1', ['1234567890123456789e-1']],
		[
			'[1.00000000000000000001,"x",12345678901234567890.5]',
			['1.00000000000000000001', '12345678901234567890.5'],
		],
		['[1e400,9007199254740991]', []],
		['[0.000000000000125,-100.100000000000,1.50e+3,2.5E-7]', []],
		['{"a":"x"}', []],
		['', []],
	])('of %s are %j', (text, expected) => {
		expect(inexactNumbers(text)).toEqual(expected);
	});
});
