import fc from 'fast-check';

import { readCredential } from '../../../../nodes/shared/rest/credential';

const KEY = 'cpk_test/0123"456\\789';

const scrubberOf = (apiKey: string) =>
	readCredential({ baseUrl: 'https://api.shop.example/v1', apiKey }).scrub;

const scrub = scrubberOf(KEY);

describe('a scrubber', () => {
	it('removes the key from messages, as often as it occurs', () => {
		expect(scrub.message(`${KEY} and ${KEY}!`)).toBe('[API key] and [API key]!');
		expect(scrubberOf('k').message('a k')).toBe('a [API key]');
	});

	it('removes the key from answers in JSON’s notation', () => {
		const written = JSON.stringify(KEY).slice(1, -1);
		for (const form of [written, written.replace('/', '\\/')]) {
			const answer = scrub.parse(`{"note":"key ${form}, again ${form}"}`);
			expect(answer).toEqual({ note: 'key [API key], again [API key]' });
		}
	});

	it('removes the key from the names of fields as well', () => {
		const answer = scrub.parse(`{"errors":[{${JSON.stringify(`key ${KEY}`)}:"unknown","b":1}]}`);
		expect(answer).toEqual({ errors: [{ 'key [API key]': 'unknown', b: 1 }] });
	});

	it('removes a key from a header literally', () => {
		expect(scrub.header(`"${KEY}"`)).toBe('"[API key]"');
	});

	it('changes nothing in an answer without the key, or for a key so short that it may occur by chance', () => {
		expect(scrubberOf('elevenchars').parse('"elevenchars"')).toBe('elevenchars');
		expect(scrubberOf('elevenchars').header('elevenchars')).toBe('elevenchars');
		expect(scrubberOf('twelve-chars').parse('"twelve-chars"')).toBe('[API key]');
		fc.assert(
			fc.property(fc.json(), (json) => {
				for (const { parse } of [scrub, scrubberOf('cpk_live_abcdef')])
					expect(JSON.stringify(parse(json))).toBe(JSON.stringify(JSON.parse(json)));
			}),
		);
	});

	it('leaves a key alone that differs in a letter’s case', () => {
		expect(scrubberOf('cpk_live_abcdef').parse('"cpk_live_ABCDEF \\u0041"')).toBe(
			'cpk_live_ABCDEF A',
		);
	});

	it('does not take half of an escape for the beginning of the key', () => {
		const { parse } = scrubberOf('ncpk_live_abcdef');
		expect(parse('{"a":"\\ncpk_live_abcdef","b":"\\\\ncpk_live_abcdef\\u0041"}')).toEqual({
			a: '\ncpk_live_abcdef',
			b: '\\[API key]A',
		});
	});

	/** One character in the spellings that JSON has for it; in the others, the key's text stands as it is. */
	const spelt = (character: string) => {
		const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
		const short = { '"': ['\\"'], '\\': ['\\\\'], '/': ['/', '\\/'] }[character] ?? [character];
		return fc.constantFrom(...short, ...short, `\\u${hex}`, `\\u${hex.toUpperCase()}`);
	};
	const letters = [...'nu\\/"+c', 'A', '-', '~', '0', '3'];
	const keys = fc.oneof(
		fc.stringMatching(/^[\x21-\x7e]{12,40}$/),
		fc
			.array(fc.constantFrom(...letters), { minLength: 12, maxLength: 14 })
			.map((all) => all.join('')),
	);

	it('takes any key out in any spelling, and leaves the rest as it was', () => {
		const around = fc.array(fc.constantFrom('\\\\', '\\n', '\\u006e', '\\/', '\\"', 'x', 'n', ''), {
			maxLength: 4,
		});
		const drawn = keys.chain((key) =>
			fc.tuple(fc.constant(key), fc.tuple(...Array.from(key, spelt)), around, around),
		);
		fc.assert(
			fc.property(drawn, ([key, spelling, before, after]) => {
				const [start, end] = [before.join(''), after.join('')];
				const json = `{"note":"${start}${spelling.join('')}${end}"}`;
				const { note } = scrubberOf(key).parse(json) as { note: string };
				expect(note).not.toContain(key);
				const [wordsBefore, wordsAfter] = [start, end].map(
					(words) => JSON.parse(`"${words}"`) as string,
				);
				if (!(wordsBefore + key + wordsAfter).replace(key, '').includes(key.slice(0, 3)))
					expect(note).toBe(`${wordsBefore}[API key]${wordsAfter}`);
			}),
			{ numRuns: 500 },
		);
	});

	it('finds the key that begins inside what only looks like it', () => {
		const { parse } = scrubberOf('nAAAAAAAAAAn');
		expect(parse('"\\nAAAAAAAAAAnAAAAAAAAAAn"')).toBe('\nAAAAAAAAAA[API key]');
	});

	it('takes no time for the longest answer of nothing but escapes', () => {
		const { parse } = scrubberOf('cpk_live_abcdef');
		for (const escape of ['\\\\', '\\/', '\\u0063pk_live_abcde']) {
			const json = `"${escape.repeat((16 * 1024 * 1024) / escape.length)}"`;
			const text: unknown = JSON.parse(json);
			const before = process.cpuUsage();
			expect(parse(json) === text).toBe(true);
			const { user, system } = process.cpuUsage(before);
			expect((user + system) / 1000).toBeLessThan(3_000);
		}
	});

	it('takes any key out of any place', () => {
		const key = fc.stringMatching(/^[\x21-\x7e]{12,40}$/);
		fc.assert(
			fc.property(key, fc.string(), fc.string(), (apiKey, before, after) => {
				const json = JSON.stringify({ note: `${before}${apiKey}${after}` });
				const { note } = scrubberOf(apiKey).parse(json) as { note: string };
				expect(note).not.toContain(apiKey);
			}),
		);
	});
});
