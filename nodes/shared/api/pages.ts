import type { IDataObject } from 'n8n-workflow';

import { mayRefuseLimit, mayRefuseParameter, settled } from '../errors/errors';
import { type FetchedPage, type Page, readPage } from './answer';
import { badPage, type Place, resumable } from '../errors/requestErrors';
import type { PlatformRequest, PlatformResponse } from './request';

/** Records a page at most (API document, "Limits"). */
export const MAX_PAGE_SIZE = 250;

/** A list that sends this many pages in a row without a new record will not end. */
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
	const { limit: wanted = Number.POSITIVE_INFINITY, startCursor, unsaidSort: sort } = options;
	const walk: Walk = { source, request, options, takesLimit: options.takesQuery !== false };
	const known = new KnownPages();
	let place: Place = { fetched: 0, cursor: startCursor, sort };
	let next = fetchPage(walk, place);
	for (let pages = 1; ; pages++) {
		const page = await next;
		known.dropRepeated(page.records);
		if (page.records.length > wanted - place.fetched) page.records.length = wanted - place.fetched;
		const fetched = place.fetched + page.records.length;
		const last = !page.hasMore || fetched === wanted || pages === options.maxPages;
		if (!last) {
			const problem = known.problemOf(page, place.cursor);
			if (problem !== undefined) throw badPage(source, request, page.response, problem, place);
			const { nextCursor: cursor, parameter, key = place.key } = page;
			place = { fetched, cursor, parameter, key, sort };
			next = fetchPage(walk, place);
			// The caller may stop here and never look at the next page, nor at its error.
			next.catch(() => undefined);
		}
		yield page;
		if (last) return;
	}
}

/** What a walk has been given: tells records that come again, and a list that would never end. */
class KnownPages {
	private readonly names = new Set<string>();
	private readonly cursors = new Set<string>();
	private emptyPages = 0;

	/** Pages overlap where the list changes meanwhile; each record is given once, as it came first. */
	dropRepeated(records: IDataObject[]): void {
		let kept = 0;
		for (const record of records) if (this.isNew(record)) records[kept++] = record;
		records.length = kept;
	}

	private isNew(record: IDataObject): boolean {
		const name = nameOf(record);
		if (name === undefined) return true;
		if (this.names.has(name)) return false;
		this.names.add(name);
		return true;
	}

	/** @param cursor that led to the page */
	problemOf(page: Page, cursor: string | undefined): string | undefined {
		const next = String(page.nextCursor);
		this.emptyPages = page.records.length === 0 ? this.emptyPages + 1 : 0;
		if (this.emptyPages === MAX_EMPTY_PAGES) {
			return `The platform sent ${MAX_EMPTY_PAGES} pages in a row without a new record, so the list would never end.`;
		}
		if (this.cursors.has(next) || next === cursor) {
			return 'The platform sent a cursor that it had sent before, so the list would never end.';
		}
		this.cursors.add(next);
		return undefined;
	}
}

/** What tells a record from the others of its list (API document, "Resources"); undefined where nothing does. */
function nameOf(record: IDataObject): string | undefined {
	const own = record.event_id ?? record.id;
	if (typeof own === 'string' || typeof own === 'number') return String(own);
	const { sku, location_id: location } = record;
	return sku === undefined || location === undefined ? undefined : JSON.stringify([sku, location]);
}

interface Walk {
	source: PageSource;
	request: PlatformRequest;
	options: PaginateOptions;
	/** Whether the list takes `limit`, as far as is known. */
	takesLimit: boolean;
}

interface WalkedPage extends FetchedPage, Pick<Place, 'parameter' | 'key'> {}

async function fetchPage(walk: Walk, place: Place): Promise<WalkedPage> {
	const { source, request, options, takesLimit } = walk;
	const { limit: total = Number.POSITIVE_INFINITY, pageSize = MAX_PAGE_SIZE, keyset } = options;
	const query = {
		...request.query,
		limit: takesLimit ? Math.min(pageSize, total - place.fetched) : undefined,
		[place.parameter ?? 'cursor']: place.cursor,
	};
	const headers = place.cursor === options.startCursor ? request.headers : unconditional(request);
	const sent = await settled(source.request({ ...request, headers, query }));
	if (sent.status === 'rejected') return await fetchAnotherWay(walk, place, sent.reason);
	const response = sent.value;
	if (response.status === 304) return { records: [], hasMore: false, response };
	const page = readPage(response.body, keyset?.field);
	if (typeof page === 'string') throw badPage(source, request, response, page, place);
	const key = keyset && page.records.at(-1)?.[keyset.field];
	if (keyset === undefined || typeof key !== 'string') return { ...page, response };
	const byCursor = page.nextCursor !== undefined && place.parameter === undefined;
	const isKeyed = page.pagination === undefined || (page.hasMore && !byCursor);
	return isKeyed
		? { ...page, response, hasMore: true, nextCursor: key, parameter: keyset.query }
		: { ...page, response, key };
}

/** Asks again for a page that was refused for a parameter which the list's row in the document does not name. */
async function fetchAnotherWay(walk: Walk, place: Place, error: unknown): Promise<WalkedPage> {
	const { request, options, takesLimit } = walk;
	if (takesLimit && mayRefuseLimit(request.path, error)) {
		walk.takesLimit = false;
		return await fetchPage(walk, place);
	}
	const { key, parameter } = place;
	if (key === undefined || parameter !== undefined || !mayRefuseParameter(error))
		throw resumable(error, place);
	return await fetchPage(walk, { ...place, cursor: key, parameter: options.keyset?.query });
}

/** An ETag belongs to the first page. */
function unconditional({ headers = {} }: PlatformRequest): PlatformRequest['headers'] {
	const others = Object.entries(headers).filter(([name]) => !/^if-none-match$/i.test(name));
	return Object.fromEntries(others);
}

/** The one sort field that the API document names ("Common query parameters on list endpoints"). */
export const NEWEST_FIRST = 'updated_at:desc';

/** What {@link newestFirst} needs of a client. */
interface PageClient {
	pages(request: PlatformRequest, options?: PaginateOptions): AsyncGenerator<FetchedPage>;
}

/**
 * Walks a list from the record that changed last; in the platform's own order where it refuses to sort.
 *
 * @param request without `sort`
 * @throws the same as {@link paginate}
 */
export async function* newestFirst(
	client: PageClient,
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
