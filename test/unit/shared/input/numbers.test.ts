import fc from 'fast-check';

import { InputError } from '../../../../nodes/shared/errors/errors';
import { integer, number, wholeNumber } from '../../../../nodes/shared/values/readers';

const MAX = Number.MAX_SAFE_INTEGER;

describe('a whole number', () => {
	it('is taken as a number and as its digits, up to what JSON carries exactly', () => {
		fc.assert(
			fc.property(fc.maxSafeInteger(), (value) => {
				expect(integer('Quantity', value)).toBe(value);
				expect(integer('Quantity', ` ${value} `)).toBe(value);
			}),
		);
	});

	it.each([
		['+7', 7],
		['007', 7],
		['-0012', -12],
		['0', 0],
		['9007199254740991', MAX],
	])('is read from %j', (entered, value) => {
		expect(integer('Quantity', entered)).toBe(value);
	});

	const NO_DIGITS = '1.000 7.0 7. 70e-1 7E2 0x10 1_000 1,5 7.5 .5 . e5 7e x7 7x Infinity 1e400';

	it.each([
		...NO_DIGITS.split(' '),
		...['', '7 7', '9007199254740993', 7.5, Number.NaN, MAX + 1, Infinity],
		...[null, undefined, true, { a: 7 }],
	])('is not read from %j', (entered) => {
		expect(() => integer('Quantity', entered)).toThrow(/^“Quantity” must be a whole number$/);
	});

	it('keeps within its bounds, which the message names beside what was entered', () => {
		expect(wholeNumber('Limit', 1, 1, 250)).toBe(1);
		expect(wholeNumber('Limit', 250, 1, 250)).toBe(250);
		expect(wholeNumber('Limit', MAX, 1)).toBe(MAX);
		for (const entered of [0, 251])
			expect(() => wholeNumber('Limit', entered, 1, 250)).toThrow(/whole number from 1 to 250$/);
		expect(() => wholeNumber('Limit', 'many', 1)).toThrow(
			new InputError('Limit', 'must be a whole number of at least 1', 'It is "many".'),
		);
	});
});

describe('a number', () => {
	const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
	const isHeld = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value);

	it('is taken as it is, and as the digits that JavaScript writes', () => {
		fc.assert(
			fc.property(anyDouble.filter(isHeld), (value) => {
				expect(number('Weight', value)).toBe(value);
				// Written out, minus zero is zero.
				expect(number('Weight', String(value))).toBe(value === 0 ? 0 : value);
			}),
		);
	});

	it.each([
		['+00.50', 0.5],
		['5e-1', 0.5],
		['.5', 0.5],
		['.55', 0.55],
		['1001', 1001],
		['10.010', 10.01],
		['500E-3', 0.5],
		['-1.10', -1.1],
		['100', 100],
		['1e2', 100],
		['0.0010', 0.001],
		['-0.5', -0.5],
	])('is read from %j', (entered, value) => {
		expect(number('Weight', entered)).toBe(value);
	});

	it.each([
		'0.1234567890123456789',
		'9007199254740993',
		'12345678901234567890.5',
		'1.00000000000000000001',
		'1e-400',
		2 ** 53,
	])('is not rounded: %j is refused', (entered) => {
		expect(() => number('Weight', entered)).toThrow(
			'“Weight” has more digits than a number can hold exactly',
		);
	});

	it.each([[''], ['1,5'], ['0x1'], ['abc'], ['1e400'], [Infinity], [Number.NaN], [null], [{}]])(
		'is not read from %j',
		(entered) => {
			expect(() => number('Weight', entered)).toThrow('“Weight” must be a number');
		},
	);
});
