import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../../nodes/shared/values/fields';
import { enteredJson } from '../../../nodes/CommercePlatform/fields/jsonText';

/** A template of JSON, and what it means with the values of its expressions. */
interface Template {
	text: string;
	resolved: string;
	meaning: unknown;
}

const itemWith = (template: string) =>
	({ node: { parameters: { json: `=${template}` } } }) as unknown as Item;

const read = (text: string, resolved: string) =>
	enteredJson('JSON', itemWith(text), 'json', resolved);

/** Texts that attack: quotes, braces, backslashes, names of the template and new ones, unicode escapes. */
const hostileText = fc
	.array(
		fc.constantFrom(
			...['"', '\\', '{', '}', '[', ']', ',', ':', ' ', 'a', 'b', 'x', '1', '\\u0022', '\n', '{{'],
			...['", "a": "', '", "b": 2, "c": "', '"}, {"a": "', '" } ', '", "', '\\", "'],
		),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join(''));
const ordinaryText = fc.constantFrom('Ann', "O'Neil (x)", 'a {b} [c], d: e', 'naïve', '');
const drawnText = fc.oneof(hostileText, ordinaryText);

const literal = fc.constantFrom<unknown>(0, 99, true, null, 'text').map((meaning): Template => ({
	text: JSON.stringify(meaning),
	resolved: JSON.stringify(meaning),
	meaning,
}));
/** Code that keeps a text as it is, and code that writes escapes for something else. */
const codes = ['$json.x', "$json.x.replace('~', '')", '$json.x.replace(/~+$/, "")'];
const quoted = fc
	.tuple(
		fc.constantFrom('', 'No. '),
		drawnText,
		fc.constantFrom('', ' end'),
		fc.constantFrom(...codes),
	)
	.map(([before, text, after, code]): Template => ({
		text: `"${before}{{ ${code} }}${after}"`,
		resolved: `"${before}${text}${after}"`,
		meaning: before + text + after,
	}));
const stringified = drawnText.map((text): Template => ({
	text: '{{ JSON.stringify($json.x) }}',
	resolved: JSON.stringify(text),
	meaning: text,
}));
const { template } = fc.letrec<{ template: Template }>((tie) => ({
	template: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		fc.oneof(literal, quoted, quoted, stringified),
		fc
			.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('template')), {
				selector: ([name]) => name,
				minLength: 1,
			})
			.map((fields): Template => {
				const write = (part: 'text' | 'resolved') =>
					`{ ${fields.map(([name, value]) => `"${name}": ${value[part]}`).join(', ')} }`;
				return {
					text: write('text'),
					resolved: write('resolved'),
					meaning: Object.fromEntries(fields.map(([name, { meaning }]) => [name, meaning])),
				};
			}),
		fc.array(tie('template'), { minLength: 2, maxLength: 3 }).map((entries): Template => {
			const write = (part: 'text' | 'resolved') =>
				`[${entries.map((one) => one[part]).join(', ')}]`;
			return {
				text: write('text'),
				resolved: write('resolved'),
				meaning: entries.map(({ meaning }) => meaning),
			};
		}),
	),
}));

it('reads what the template means, or nothing', () => {
	fc.assert(
		fc.property(template, ({ text, resolved, meaning }) => {
			let result: unknown;
			try {
				result = read(text, resolved);
			} catch {
				return;
			}
			expect(result).toEqual(meaning);
		}),
		{ numRuns: 800 },
	);
});

it('reads every ordinary text in quotes', () => {
	fc.assert(
		fc.property(ordinaryText, ordinaryText, (x, y) => {
			const text = '{ "a": "{{ $json.x }}", "b": ["{{ $json.y }}", 1] }';
			expect(read(text, `{ "a": "${x}", "b": ["${y}", 1] }`)).toEqual({ a: x, b: [y, 1] });
		}),
	);
});

it.each<[string, string, unknown]>([
	['{ "a": {{ $json.list }} }', '{ "a": [{"x":1},{"x":2}] }', { a: [{ x: 1 }, { x: 2 }] }],
	['[{{ $json.entries }}]', '[1, 2, {"a":3}]', [1, 2, { a: 3 }]],
	['{{ $json.whole }}', '{"a":1}', { a: 1 }],
	['{{ $json.reply }}', '```json\n{"a":1}\n```', { a: 1 }],
	[
		'{ "a": "{{ $json.t.replaceAll(\'"\', \'\\\\"\') }}" }',
		'{ "a": "say \\"x\\"" }',
		{ a: 'say "x"' },
	],
])('reads %s', (text, resolved, meaning) => expect(read(text, resolved)).toEqual(meaning));

it.each<[string, string, RegExp]>([
	['{ "a": 5, "b": "{{ x }}" }', '{ "a": 5, "b": "x", "a": 9, "b": "x" }', /"a" twice/],
	['{ "a": 5, "b": "{{ x }}" }', '{ "a": 5, "b": "x", "\\u0061": 9 }', /twice/],
	['[{ "a": "{{ x }}" }]', '[{ "a": "x" }, { "a": "y" }]', /left its quotes/],
	['{ "a": "{{ x }}" }', '{ "a": "C:\\new" }', /left its quotes/],
	['[] {{ x }}', '[] [object Object]', /Remove what stands before or after|object Object/],
])('refuses %s where it gives %s', (text, resolved, message) =>
	expect(() => read(text, resolved)).toThrow(message),
);

it('refuses a name that stands twice in JSON written by hand', () => {
	const item = { node: { parameters: { json: '{"a":1,"a":2}' } } } as unknown as Item;
	expect(() => enteredJson('JSON', item, 'json', '{"a":1,"a":2}')).toThrow('twice');
});

it('takes an object as it is', () => {
	const value: IDataObject = { a: 'x", "b": "y' };
	expect(enteredJson('JSON', itemWith('{{ $json }}'), 'json', value)).toEqual(value);
});
