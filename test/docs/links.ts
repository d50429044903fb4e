import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { REPOSITORY, textOf } from '../support/repository';

/** A link of a document that leads nowhere, and why. */
export interface BrokenLink {
	target: string;
	reason: string;
}

/**
 * Links and pictures of a document that lead nowhere within the repository. @param path of the document, from the root
 */
export function brokenLinks(path: string): BrokenLink[] {
	return linksOf(textOf(path)).flatMap((target) => {
		const reason = problemOf(path, target);
		return reason === undefined ? [] : [{ target, reason }];
	});
}

/** Targets of a Markdown text, outside of code. Addresses of the web are left out. */
export function linksOf(text: string): string[] {
	const prose = withoutCode(text);
	const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
	const html = [...prose.matchAll(/<(?:img|a|source)\s[^>]*(?:src|srcset|href)="([^"]+)"/g)];
	return [...inline, ...html]
		.map(([, target]) => target)
		.filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** The anchors that GitHub gives the headings of a text. */
export function anchorsOf(text: string): string[] {
	const seen = new Map<string, number>();
	return [...withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, heading]) => {
		const anchor = anchorOf(heading);
		const before = seen.get(anchor) ?? 0;
		seen.set(anchor, before + 1);
		return before === 0 ? anchor : `${anchor}-${before}`;
	});
}

/** GitHub's rule: lower case, letters, digits, hyphens and underscores stay, a space becomes a hyphen. */
function anchorOf(heading: string): string {
	return heading
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
		.replaceAll(' ', '-');
}

function problemOf(path: string, target: string): string | undefined {
	const [file, anchor] = decodeURI(target).split('#');
	const linked = file === '' ? path : normalize(join(dirname(path), file));
	if (linked.startsWith('..')) return 'is outside of the repository';
	if (!existsSync(join(REPOSITORY, linked))) return 'there is no such file';
	if (anchor === undefined || !linked.endsWith('.md')) return undefined;
	return anchorsOf(textOf(linked)).includes(anchor) ? undefined : 'there is no such heading';
}

const withoutFences = (text: string): string => text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');

const withoutCode = (text: string): string => withoutFences(text).replace(/(`+)[^`\n]+\1/g, '');
