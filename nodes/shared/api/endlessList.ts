import type { Page } from './answer';

/** A list that sends this many empty pages in a row will not end. */
const MAX_EMPTY_PAGES = 50;

/** Notices that a list would never end. */
export class EndlessListCheck {
	private readonly seen = new Set<string>();
	private emptyPages = 0;

	problemOf(page: Page, cursor: string | undefined): string | undefined {
		const next = String(page.nextCursor);
		this.emptyPages = page.records.length === 0 ? this.emptyPages + 1 : 0;
		if (this.emptyPages === MAX_EMPTY_PAGES) {
			return `The platform sent ${MAX_EMPTY_PAGES} empty pages in a row, so the list would never end.`;
		}
		if (this.seen.has(next) || next === cursor) {
			return 'The platform sent a cursor that it had sent before, so the list would never end.';
		}
		this.seen.add(next);
		return undefined;
	}
}
