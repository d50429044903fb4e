import { globSync } from 'node:fs';

import { InputError } from '../../../nodes/shared/rest/errors';
import { labelsOfNodes, plainText, textsOfNodes } from '../../docs/texts';
import { REPOSITORY, textOf } from '../../support/repository';

const MAX_WORDS = 30;

const texts = textsOfNodes().flatMap(([, own]) => own.map(plainText));

const wordsOf = (text: string): number => text.split(/\s+/).length;

/** A sentence that occurs twice in a text. */
function doubled(text: string): string | undefined {
	const sentences = text.split(/(?<=[.!?;:])\s+/).map((one) => one.toLowerCase());
	return sentences.find((one, at) => sentences.indexOf(one) !== at);
}

/** “One item a record”, “40 a run”: readers stumble over it; “per” is clear. */
const RATE = /\b(?:one|two|three|\d+)(?: more)?(?: (?!without)\w+)? an? \w+/i;

it('finds the texts of all nodes and of the credential', () => {
	expect(textsOfNodes().map(([name]) => name)).toHaveLength(4);
	expect(texts.length).toBeGreaterThan(400);
});

it(`has no text of more than ${MAX_WORDS} words`, () => {
	expect(texts.filter((text) => wordsOf(text) > MAX_WORDS)).toEqual([]);
});

it('has no text that says a sentence twice, and none that says “one item a record”', () => {
	expect(texts.filter((text) => doubled(text) !== undefined)).toEqual([]);
	expect(texts.filter((text) => RATE.test(text))).toEqual([]);
});

it.each([
	['One item a record', true],
	['up to 40 a run', true],
	['one more request an order', true],
	['One item per record', false],
	['Get an order', false],
])('knows “%s”', (text, found) => {
	expect(RATE.test(text)).toBe(found);
	expect(doubled(`${text}. Then. ${text}.`)).toBeDefined();
});

it('quotes a parameter with single quotes, as n8n does, and what was entered with double ones', () => {
	const labels = labelsOfNodes();
	const read = ['{nodes,credentials}/**/*.ts', '{docs,.}/*.md', 'examples/*.json'];
	const doubled = globSync(read, { cwd: REPOSITORY }).flatMap((path) =>
		[...textOf(path).matchAll(/“([^”]+)”/g)]
			.filter(([, quoted]) => labels.has(quoted))
			.map(([quoted]) => `${path}: ${quoted}`),
	);
	expect(labels.size).toBeGreaterThan(200);
	expect(doubled).toEqual([]);
	expect(new InputError('Limit', 'cannot be “x”').message).toBe("'Limit' cannot be “x”");
});
