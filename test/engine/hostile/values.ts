import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';

/** A value that may reach a field by accident or by malice. */
export type HostileValue = [name: string, value: unknown];

/** Values in a list, separated by blanks. */
const words = (list: string): string[] => list.trim().split(/\s+/);

const NUMBERS =
	words(`0 -0 1 -1 1.5 -2.25 0.1 0.30000000000000004 1e-7 5e-324 1e15 1e21 1e22 1e308 2147483648 -2147483648
	4294967296 9007199254740991 9007199254740992 -9007199254740992 9007199254740993 NaN Infinity -Infinity 1769896800
	1769896800000 8.64e15 9e15 12345678901234567890 19.99`).map(Number);

const NUMBER_TEXTS =
	words(`0 -0 +0 00 007 +5 -5 1.0 1.50 .5 5. 1e3 1E3 1e-3 1e400 -1e400 0x10 0b11 0o17 1_000
	1,5 1.000,50 9007199254740993 -9007199254740993 12345678901234567890 0.1234567890123456789
	1.00000000000000000001 99999999999999999999999999 Infinity -Infinity NaN ١٢٣ ５ ½ 1/2 10% €5 --1 1-1`);

const DATES: unknown[] = [
	...words(`2026-01-31 2026-02-31 2026-02-29 2028-02-29 2026-13-01 2026-00-10 2026-01-32 2026-01-31T22:00:00Z
		2026-01-31T22:00:00.123Z 2026-01-31T22:00:00.123456789Z 2026-01-31T22:00:00+02:00 2026-01-31T24:00:00Z
		2026-01-31T25:00:00Z 2026-01-31T22:60:00Z 2026-06-31T00:00:00Z 0000-01-01 0001-01-01T00:00:00Z 1899-12-30
		9999-12-31T23:59:59Z 10000-01-01 -000001-01-01T00:00:00Z 31.01.2026 01/02/2026 20260131T220000Z 2026-W05-6
		2026-031 yesterday now 1769896800 1769896800000 2026-03-29T02:30:00`),
	'2026-01-31 22:00',
	'Sat, 31 Jan 2026 22:00:00 GMT',
	'31 Feb 2026 10:00 GMT',
	new Date('2026-01-31T22:00:00.000Z'),
	new Date(Number.NaN),
	new Date(0),
	DateTime.fromISO('2026-01-31T22:00:00.000Z'),
	DateTime.invalid('made for a test'),
];

/** Texts in JSON's notation: blanks, control characters, halves of characters. */
const ESCAPED_TEXTS =
	words(String.raw`"\u0020" "\u0020\u0020x\u0020\u0020" "\t" "\n" "a\nb" "a\r\nX-Injected:\u00201"
	"\u0000" "a\u0000b" "\u007f" "\u001b[31m" "\ufeffbom" "\u200b" "\u00a0" "\u2028" "u\u0308" "\u202eabc" "\ud800"
	"\udc00" "a\ud83d" "\u0020,\u0020" "{{\u00201\u0020}}" "';\u0020DROP\u0020TABLE\u0020x;--" "[object\u0020Object]"`);

const TEXTS: string[] = [
	...ESCAPED_TEXTS.map((text) => JSON.parse(text) as string),
	'Ω'.repeat(300),
	'x'.repeat(5_000),
	'['.repeat(20_000),
	...words(String.raw`ü ß İ 日本 مرحبا 😀 👩‍👩‍👧 ﬁ . .. ../.. / \ a/b a?b=c a#b a%2Fb % %00 %zz a&b=c a+b a;b a,b , ' " $ $&
		{orderId} <script>alert(1)</script> __proto__ constructor toString hasOwnProperty null undefined true false TRUE
		NULL None EUR eur XXX order.paid https://a.example/x http://a.example javascript:alert(1) file:///etc/passwd
		updated_at:asc * "7" W/"7"`),
	'`',
	'${x}',
];

const JSON_TEXTS = [
	...words(String.raw`{} [] "" { [ {"a":1} {"a":1,"a":2} {"a":null} {"a":""} {"a":[]} {"a":1e400}
		{"a":9007199254740993} {"a":12345678901234567890} {"a":0.1234567890123456789} {"a":1.0} {"a":-0}
		{"__proto__":{"x":1}} {"constructor":{"x":1}} {"a":"\ud800"} {"a":NaN} {'a':1} {"a":1,} [1,2] [null]
		[{"sku":"A"}] [{"sku":"A","prices":[{"amount":1,"currency":"EUR"}]}]
		[{"sku":"A","prices":[{"amount":null,"currency":"EUR"}]}] [{"line_item_id":"li_1","quantity":1}]
		{"sku":"A","title":"x","a":12345678901234567890} {"sku":"A","a":{"b":[9007199254740993]}}
		{"sku":"A","a":0.1234567890123456789} {"sku":"A","a":null,"b":"","c":[]} {"op":"delete","sku":"A"}
		{"operations":[{"op":"delete","sku":"A"}]} {"amount":5,"currency":"EUR"} "text" 1 true null`),
	'{"sku":"  ","title":"x"}',
	`${'['.repeat(2_000)}${']'.repeat(2_000)}`,
	`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
];

const OBJECTS: HostileValue[] = [
	['undefined', undefined],
	['null', null],
	['an empty text', ''],
	['an empty list', []],
	['an empty object', {}],
	['true', true],
	['false', false],
	['a list with an empty text', ['']],
	['a list with null', [null]],
	['a list of numbers', [1, 2]],
	['a list of texts', ['a', 'b']],
	['a list of lists', [[]]],
	['a list with a gap', [1, undefined, 2]],
	['an object with undefined', { a: undefined, b: 1 }],
	['an object with NaN', { a: Number.NaN }],
	['an object with Infinity deep inside', { a: [{ b: { c: Infinity } }] }],
	['an object with null', { a: null }],
	['an object with an unsafe number', { a: 2 ** 53 + 2 }],
	['an object with a date', { a: new Date('2026-01-31T22:00:00.000Z') }],
	['an object that looks like rows', { field: [{ name: 'a', type: 'string', value: 'x' }] }],
	['an object with text', { a: 'x' }],
	['an amount that is not a number', { amount: Number.NaN, currency: 'EUR' }],
	['an amount that is undefined', { amount: undefined, currency: 'EUR' }],
	['a locator', { __rl: true, mode: 'id', value: 'rec_9' }],
	['a deep object', deep(500)],
	['a big integer', 10n],
	['a symbol', Symbol('x')],
	['a regular expression', /x/],
	['a map', new Map([['a', 1]])],
	['an object with a map', { a: new Map([['a', 1]]) }],
	['an object with an invalid date', { a: new Date(Number.NaN) }],
	['a product with NaN', { sku: 'A', a: [{ b: Number.NaN }] }],
	['a product with undefined', { sku: 'A', a: undefined }],
	['an error', new Error('x')],
];

function deep(levels: number): object {
	let value: object = {};
	for (let level = 0; level < levels; level++) value = { a: value };
	return value;
}

const named = (values: unknown[]): HostileValue[] =>
	values.map((value) => {
		const written = typeof value === 'string' ? JSON.stringify(value) : String(value);
		return [`${typeof value} ${written.slice(0, 40)}`, value];
	});

/** The values by kind: numbers, texts of numbers, dates, other texts, texts of JSON, and everything else. */
const KINDS: HostileValue[][] = [
	named(NUMBERS),
	named(NUMBER_TEXTS),
	named(DATES),
	named(TEXTS),
	named(JSON_TEXTS),
	OBJECTS,
];

/** More than 260 values. */
export const HOSTILE_VALUES: HostileValue[] = KINDS.flat();

const SAMPLED_OF_A_KIND = 3;

/**
 * Some values of each kind, spread evenly over the kind. The same key always gives the same values; over many keys
 * every value is chosen.
 *
 * @param key where the values are tried
 */
export function sampleOf(key: string): HostileValue[] {
	const start = createHash('sha256').update(key).digest().readUInt32BE();
	return KINDS.flatMap((values) =>
		Array.from({ length: SAMPLED_OF_A_KIND }, (_, step) => {
			const place = start + Math.floor((step * values.length) / SAMPLED_OF_A_KIND);
			return values[place % values.length];
		}),
	);
}
