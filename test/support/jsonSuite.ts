/**
 * Cases of JSON parsing, in the structure of JSONTestSuite (github.com/nst/JSONTestSuite): `y` must be read, `n` must
 * be refused, `i` may be either.
 */
export interface JsonCase {
	name: string;
	kind: 'y' | 'n' | 'i';
	/** The bytes. */
	text: Buffer;
}

const MUST_READ = String.raw`[] {} [[]] [{}] {"":0} {"a":{"b":[]}} [null,1,"1",{}] [true,false,null] true false null
	"" "a" "\"\\\/\b\f\n\r\t" "\u0000" "\u0061\u30af\u30EA" "\ud834\udd1e" "\uD801\udc37" "\uFFFF" "\u2028\u2029"
	"\u0022" "/*not*/a//comment" "a,b:c]{}" "€𝄞" "\\u0000" "\u005C" [""] {"a":"b","a":"c"} {"a":1,"a":1}
	{"__proto__":{"x":1}} {"constructor":1,"toString":"x"} {"toJSON":"x","length":5} {"data":[],"error":null}
	0 -0 1 -1 123 0.5 -0.1 1e3 1E+2 1e-2 1.5E2 0e1 0e+1 123.456e78 1e-400 0.1234567890123456789 1e308
	9007199254740991 -9007199254740991 1000000000000000 {"a":[1,2,[3,{"b":null}]]}`;

const MUST_REFUSE = String.raw`[1,] [,1] [,] [1,,2] [1;2] [1 {"a":1,} {,} {"a"} {"a":} {"a"1} {:1} {1:1} {a:1} {'a':1}
	{"a":1;"b":2} {"a":1}} [1]] ] } [ { [" {" {"a {"a": {"a":" [{ [[ {[ [} {] "a 'a' a NaN -NaN Infinity -Infinity
	undefined nul tru fals True NULL 01 -01 00 0x1 0b1 0o7 1. .5 -.5 +1 ++1 -- - 1e 1e+ 1.e1 1e1.5 1_000 1.2.3 1a -1a
	１ [１] /**/ //x #x 1/**/ [1]/**/ [1]#x {"a":1}//x "\x" "\u" "\u00" "\u00g0" "\" "\a" "\U0041" \u0022 “a” <null>
	01234567890123456789 -+12345678901234567890 12345678901234567890. {12345678901234567890:1}
	1n [x] {"a":b} 1-1 [1]x {"a":1}x "a"x ⁠1 💩 (1) [a,1] * ; $ @`;

const text = (value: string) => Buffer.from(value);
const words = (list: string) => list.trim().split(/\s+/);
const nested = (open: string, inside: string, close: string, levels: number) =>
	text(open.repeat(levels) + inside + close.repeat(levels));
const quoted = (...bytes: number[]) => Buffer.from([0x22, ...bytes, 0x22]);

/** Levels of nesting that crash a careless reader. */
const LEVELS = 50_000;

export const JSON_CASES: readonly JsonCase[] = [
	...words(MUST_READ).map((one): JsonCase => ({ name: one, kind: 'y', text: text(one) })),
	...words(MUST_REFUSE).map((one): JsonCase => ({ name: one, kind: 'n', text: text(one) })),
	{ name: 'blanks', kind: 'y', text: text(' \t\r\n[ \n1\t,\r2 ] ') },
	{
		name: 'a long whole number',
		kind: 'y',
		text: text('[12345678901234567890,-9007199254740993]'),
	},
	{
		name: 'one with zeros behind the point',
		kind: 'y',
		text: text('9007199254740993.0'),
	},
	{ name: 'a text of DEL and of U+10FFFF', kind: 'y', text: text('"\u007f\u{10ffff}"') },
	{ name: 'nothing', kind: 'n', text: text('') },
	{ name: 'two values', kind: 'n', text: text('1 2') },
	{ name: 'a no-break space between', kind: 'n', text: text('[\u00a01]') },
	{ name: 'a raw tab in a text', kind: 'n', text: text('"\t"') },
	{ name: 'a raw NUL in a text', kind: 'n', text: text('"\0"') },
	{ name: 'open lists', kind: 'n', text: text('['.repeat(LEVELS)) },
	{ name: 'open objects', kind: 'n', text: text('{"a":'.repeat(LEVELS)) },
	{ name: 'deep lists', kind: 'i', text: nested('[', '', ']', LEVELS) },
	{ name: 'deep objects', kind: 'i', text: nested('{"a":', '1', '}', LEVELS) },
	{ name: 'a deep long number', kind: 'i', text: nested('[', '9007199254740993', ']', LEVELS) },
	{
		name: 'deep amounts',
		kind: 'i',
		text: nested('{"amount":1,"currency":"EUR","a":', '1', '}', 5_000),
	},
	{ name: 'half a character', kind: 'i', text: text(String.raw`"\ud800"`) },
	{ name: 'UTF-8 that is cut off', kind: 'i', text: quoted(0xe2, 0x82) },
	{ name: 'an overlong slash', kind: 'i', text: quoted(0xc0, 0xaf) },
	{ name: 'bytes beyond Unicode', kind: 'i', text: quoted(0xf4, 0xbf, 0xbf, 0xbf) },
	{ name: 'a byte order mark', kind: 'i', text: text('\ufeff{}') },
	{ name: 'UTF-16', kind: 'i', text: Buffer.from('{}', 'utf16le') },
	{ name: 'a huge exponent', kind: 'i', text: text('1e400') },
	{ name: 'a whole number of a thousand digits', kind: 'i', text: text('9'.repeat(1_000)) },
];

/** A JSON text that contains a case. */
export const around = (before: string, { text: inside }: JsonCase, after: string): Buffer =>
	Buffer.concat([text(before), inside, text(after)]);

/** The value of a case that must be read. */
export const valueOf = (jsonCase: JsonCase): unknown =>
	JSON.parse(jsonCase.text.toString()) as unknown;
