import { globSync } from 'node:fs';

import type { INode } from 'n8n-workflow';

import { textsOfNodes } from '../../docs/texts';
import { REPOSITORY, textOf } from '../../support/repository';

/** What people read, with the parts that a command writes from the code. */
const pages = globSync(['*.md', 'docs/*.md'], { cwd: REPOSITORY }).filter(
	(path) => path !== 'LICENSE.md',
);

/** The pages for users. */
const userPages = pages.filter(
	(path) => !/(?:architecture|local-platform|publishing)\.md$/.test(path),
);

/** A part that `npm run docs` writes. */
const GENERATED = /<!-- [\w ’':]+: begin[\s\S]*?end -->/g;

const proseOf = (path: string): string =>
	textOf(path)
		.replace(/^```[\s\S]*?^```/gm, '')
		.replace(/`[^`]*`/g, 'code')
		.replace(/\]\([^)]*\)/g, ']');

/** Words that make our sentences sound translated, and what to write instead. */
const INSTEAD: Record<string, RegExp> = {
	'shows, tells, returns': /\bsay(?:s|ing)?\b/gi,
	'returns, shows, enter': /\bgiv(?:e|es|ing)\b/gi,
	'is, are': /\bstands?\b/gi,
	'next to, with': /\bbeside\b/gi,
	after: /\bbehind\b/gi,
	again: /\banew\b/gi,
	'automatically, itself': /\bby itself\b/gi,
	fix: /\bmend(?:s|ed)?\b/gi,
	'anyone who': /\bwhoever\b/gi,
	per: /\b(?:one|two|three|\d+)(?: more)? (?:items?|reads?|requests?|rows?|writes?) an? \w+/gi,
};

const wordsOfList = (text: string): string[] =>
	Object.entries(INSTEAD).flatMap(([instead, word]) =>
		(text.match(word) ?? []).map((used) => `${used} → ${instead}: ${text}`),
	);

const MOST_TOGETHER = 40;
const MOST_WORDS = 35;

it('finds the pages', () => expect(pages.length).toBeGreaterThan(15));

it(`uses the words of the list at most ${MOST_TOGETHER} times`, () => {
	const found = pages.flatMap((path) =>
		proseOf(path)
			.split('\n')
			.flatMap(wordsOfList)
			.map((word) => `${path}: ${word}`),
	);
	expect(found.slice(MOST_TOGETHER)).toEqual([]);
});

it('uses none of them in the panels and in the notes of the examples', () => {
	const panels = textsOfNodes().flatMap(([, texts]) => texts.flatMap(wordsOfList));
	const examples = globSync('examples/*.json', { cwd: REPOSITORY }).flatMap((path) => {
		const { nodes } = JSON.parse(textOf(path)) as { nodes: INode[] };
		return nodes.flatMap(({ notes, parameters }) =>
			wordsOfList(`${notes ?? ''} ${String(parameters.content ?? '')}`),
		);
	});
	expect([...panels, ...examples]).toEqual([]);
});

it.each(pages)(`%s has no sentence of more than ${MOST_WORDS} words`, (path) => {
	const sentences = proseOf(path)
		.replace(GENERATED, '')
		.split(/\n\s*\n|\n(?=[-|#\d])|(?<=[.!?:;])\s+|\|/)
		.map((sentence) => sentence.trim());
	expect(sentences.filter((text) => text.split(/\s+/).length > MOST_WORDS)).toEqual([]);
});

it('keeps README below 900 words and the other pages for users below 9,000', () => {
	const wordsOf = (paths: string[]) =>
		paths.flatMap((path) => textOf(path).replace(GENERATED, '').split(/\s+/)).length;
	const docs = userPages.filter((path) => path.startsWith('docs'));
	expect(wordsOf(['README.md'])).toBeLessThan(900);
	expect(wordsOf(docs)).toBeLessThan(9_000);
});
