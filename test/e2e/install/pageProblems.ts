import type { Page } from 'playwright-core';

/** Matches addresses and messages that concern this package. */
const OURS = /commerce-?platform/i;

/** n8n's address of output schemas has no place for the slash in a scoped name. */
const SCOPED_SCHEMA = /\/schemas\/@/;

/**
 * Blocks all addresses outside n8n (its editor asks there about packages), and collects messages of the browser's
 * console that concern this package.
 *
 * @param url address of n8n
 * @returns the messages, each with its address
 */
export async function collectProblems(page: Page, url: string): Promise<string[]> {
	const problems: string[] = [];
	await page.route(
		(address) => address.origin !== url,
		async (route) => await route.abort(),
	);
	page.on('console', (message) => {
		const source = message.location().url;
		if (message.type() !== 'error' || !source.startsWith(url) || SCOPED_SCHEMA.test(source)) return;
		const text = `${message.text()} (${source})`;
		if (OURS.test(text)) problems.push(text);
	});
	page.on('pageerror', ({ message, stack = '' }) => {
		if (OURS.test(message + stack)) problems.push(message);
	});
	return problems;
}
