/** So few records are got one by one: walking the list could save hardly a request. */
const FEW_RECORDS = 4;

/** How to find out what the platform has: the whole list page by page, or each record by a request of its own. */
export type LookupStrategy = 'list' | 'single';

/**
 * How to begin to look up records when each may cost a request, and a page of the list costs one as well.
 *
 * @param wanted how many different records
 */
export function firstStrategy(wanted: number): LookupStrategy {
	return wanted <= FEW_RECORDS ? 'single' : 'list';
}

/**
 * Whether the walk goes on. How long the list is cannot be known before its end, so it is given up as soon as
 * it has cost as much as getting the open records one by one would: it then never costs more than twice the cheaper
 * of the two ways, and where the list is the cheaper way, it is walked to its end.
 *
 * @param pagesRead requests that the walk has cost
 * @param open keys whose records it may not have found yet
 */
export function nextStrategy(pagesRead: number, open: number): LookupStrategy {
	return pagesRead < open ? 'list' : 'single';
}
