import { mayRefuseLimit, mayRefuseParameter, settled } from '../errors/errors';
import { type FetchedPage, type Page, readPage } from './answer';
import type { PlatformClient } from './client';
import { badPage, type Place, resumable } from '../errors/requestErrors';
import type { PlatformRequest, PlatformResponse } from './request';

/** Records a page at most (API document, "Limits"). */
export const MAX_PAGE_SIZE = 250;

/** A list that sends this many empty pages in a row will not end. */
const MAX_EMPTY_PAGES = 50;

export interface PaginateOptions {
	/** Records wanted; all where it is undefined. */
	limit?: number;
	/** Where to go on from, as an earlier walk named it. */
	startCursor?: string;
	/** Pages at most. */
	maxPages?: number;
	/** Records a page, 250 where it is undefined (API document, "Limits": more by contract only). */
	pageSize?: number;
	/** False for a list that takes no `limit`; what is too much is cut off here then. */
	takesQuery?: boolean;
	/** The request's sort where nobody chose it, so that an error names it beside the cursor. */
	unsaidSort?: string;
	/**
	 * How to go on in a list whose pages carry no `pagination`, or that refuses their cursor: after the last record,
	 * named by one of its fields, in this query parameter. Without `pagination` it ends with an empty page.
	 */
	keyset?: { field: string; query: string };
}

/** What a walk needs of a client. */
export interface PageSource {
	request(request: PlatformRequest): Promise<PlatformResponse>;
	readonly host: string;
}

/**
 * Walks a list by cursor (API document, "Pagination rules"): the query stays the same, cursors are passed on
 * unread, no more records are asked for than wanted. The next page is fetched while the current one is used.
 *
 * @param request of the first page, without `limit` and `cursor`
 * @throws PlatformError; after the first page it names the records fetched and the cursor to go on from
 */
export async function* paginate(
	source: PageSource,
	request: PlatformRequest,
	options: PaginateOptions = {},
): AsyncGenerator<FetchedPage> {
	const wanted = options.limit ?? Number.POSITIVE_INFINITY;
	const endless = new EndlessListCheck();
	const { startCursor, unsaidSort: sort } = options;
	let place: Place = { fetched: 0, cursor: startCursor, sort };
	let next: Promise<WalkedPage> = fetchPage(source, request, options, place);
	for (let pages = 1; ; pages++) {
		const page = await next;
		if (page.records.length > wanted - place.fetched) page.records.length = wanted - place.fetched;
		const fetched = place.fetched + page.records.length;
		const last = !page.hasMore || fetched === wanted || pages === options.maxPages;
		if (!last) {
			const problem = endless.problemOf(page, place.cursor);
			if (problem !== undefined) throw badPage(source, request, page.response, problem, place);
			const { nextCursor: cursor, parameter, key = place.key } = page;
			place = { fetched, cursor, parameter, key, sort };
			next = fetchPage(source, request, options, place);
			// The caller may stop here and never look at the next page, nor at its error.
			next.catch(() => undefined);
		}
		yield page;
		if (last) return;
	}
}

/** Notices that a list would never end. */
class EndlessListCheck {
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

interface WalkedPage extends FetchedPage, Pick<Place, 'parameter' | 'key'> {}

async function fetchPage(
	source: PageSource,
	request: PlatformRequest,
	options: PaginateOptions,
	place: Place,
): Promise<WalkedPage> {
	const { limit: total, pageSize = MAX_PAGE_SIZE } = options;
	const limit = total === undefined ? pageSize : Math.min(pageSize, total - place.fetched);
	const query = {
		...request.query,
		limit: options.takesQuery === false ? undefined : limit,
		[place.parameter ?? 'cursor']: place.cursor,
	};
	const headers = place.cursor === options.startCursor ? request.headers : unconditional(request);
	const sent = await settled(source.request({ ...request, headers, query }));
	if (sent.status === 'rejected') {
		const other = otherWay(request.path, options, place, sent.reason);
		if (other === undefined) throw resumable(sent.reason, place);
		return await fetchPage(source, request, { ...options, ...other.options }, other.place);
	}
	const response = sent.value;
	if (response.status === 304) return { records: [], hasMore: false, response };
	const page = readPage(response.body, options.keyset?.field);
	if (typeof page === 'string') throw badPage(source, request, response, page, place);
	return { ...withKeyset(page, options, place), response };
}

/** How else to ask for a page that was refused for a parameter which the list's row in the document does not name. */
function otherWay(
	path: string,
	{ takesQuery, keyset }: PaginateOptions,
	place: Place,
	error: unknown,
): { options?: PaginateOptions; place: Place } | undefined {
	if (takesQuery !== false && mayRefuseLimit(path, error))
		return { options: { takesQuery: false }, place };
	const { key, parameter } = place;
	if (key === undefined || parameter !== undefined || !mayRefuseParameter(error)) return undefined;
	return { place: { ...place, cursor: key, parameter: keyset?.query } };
}

/** An ETag belongs to the first page. */
function unconditional({ headers }: PlatformRequest): PlatformRequest['headers'] {
	const others = Object.entries(headers ?? {}).filter(
		([name]) => name.toLowerCase() !== 'if-none-match',
	);
	return Object.fromEntries(others);
}

function withKeyset(
	page: Page,
	{ keyset }: PaginateOptions,
	{ parameter }: Place,
): Page & Pick<Place, 'parameter' | 'key'> {
	const key = keyset && page.records.at(-1)?.[keyset.field];
	if (keyset === undefined || typeof key !== 'string') return page;
	const isKeyed =
		page.pagination === undefined ||
		(page.hasMore && (parameter !== undefined || page.nextCursor === undefined));
	return isKeyed
		? { ...page, hasMore: true, nextCursor: key, parameter: keyset.query }
		: { ...page, key };
}

/** The one sort field that the API document names ("Common query parameters on list endpoints"). */
export const NEWEST_FIRST = 'updated_at:desc';

/**
 * Walks a list from the record that changed last; in the platform's own order where it refuses to sort.
 *
 * @param request without `sort`
 * @throws the same as {@link PlatformClient.pages}
 */
export async function* newestFirst(
	client: Pick<PlatformClient, 'pages'>,
	request: PlatformRequest,
	options?: PaginateOptions,
): AsyncGenerator<FetchedPage> {
	const sorted = { ...request, query: { ...request.query, sort: NEWEST_FIRST } };
	const pages = client.pages(sorted, { ...options, unsaidSort: NEWEST_FIRST });
	const first = await settled(pages.next());
	if (first.status === 'rejected') {
		if (!mayRefuseParameter(first.reason)) throw first.reason;
		yield* client.pages(request, options);
		return;
	}
	if (first.value.done === true) return;
	yield first.value.value;
	yield* pages;
}
