import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../../nodes/shared/values/fields';
import { enteredJson } from '../../../nodes/CommercePlatform/fields/jsonText';
import { jsonTemplates, ordinaryText } from '../../support/jsonTemplates';

const itemWith = (template: string) => ({ entered: () => `=${template}` }) as unknown as Item;

const read = (text: string, resolved: string) =>
	enteredJson('JSON', itemWith(text), 'json', resolved);

it('reads what the template means, or nothing', () => {
	fc.assert(
		fc.property(jsonTemplates, ({ text, resolved, meaning }) => {
			let result: unknown;
			try {
				result = read(text, resolved);
			} catch {
				return;
			}
			expect(result).toEqual(meaning);
		}),
		{ numRuns: 4_000 },
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
	// n8n keeps one of two backslashes between expressions: what comes out is JSON by chance.
	['["{{ $json.x }}\\\\", "{{ $json.y }}"]', '["\\\\", "Ann"]', /two backslashes/],
	['{ "a": 5, "b": "{{ x }}" }', '{ "a": 5, "b": "x", "a": 9, "b": "x" }', /"a" twice/],
	['{ "a": 5, "b": "{{ x }}" }', '{ "a": 5, "b": "x", "\\u0061": 9 }', /twice/],
	['[{ "a": "{{ x }}" }]', '[{ "a": "x" }, { "a": "y" }]', /left its quotes/],
	['{ "a": "{{ x }}" }', '{ "a": "C:\\new" }', /left its quotes/],
	['[] {{ x }}', '[] [object Object]', /Remove what is before or after|object Object/],
])('refuses %s where it gives %s', (text, resolved, message) =>
	expect(() => read(text, resolved)).toThrow(message),
);

it('of JSON that one expression puts together checks the names only', () => {
	const whole = '{{ \'{ "a": 5, "b": "\' + $json.x + \'" }\' }}';
	expect(() => read(whole, '{ "a": 5, "b": "x", "a": 9, "b": "x" }')).toThrow('twice');
	expect(read(whole, '{ "a": 5, "b": "x", "c": 9 }')).toEqual({ a: 5, b: 'x', c: 9 });
});

it('refuses a name that stands twice in JSON written by hand', () => {
	const item = { entered: () => '{"a":1,"a":2}' } as unknown as Item;
	expect(() => enteredJson('JSON', item, 'json', '{"a":1,"a":2}')).toThrow('twice');
});

it('takes an object as it is', () => {
	const value: IDataObject = { a: 'x", "b": "y' };
	expect(enteredJson('JSON', itemWith('{{ $json }}'), 'json', value)).toEqual(value);
});
