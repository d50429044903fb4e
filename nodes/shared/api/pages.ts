import type { IDataObject } from 'n8n-workflow';

import { mayRefuseLimit, mayRefuseParameter, PlatformError, settled } from '../errors/errors';
import { type FetchedPage, type Page, readPage } from './answer';
import type { PlatformRequest, PlatformResponse } from './request';

/** Records a page at most (API document, "Limits"). */
export const MAX_PAGE_SIZE = 250;

/** A list that sends this many pages in a row without a new record will not end. */
const MAX_EMPTY_PAGES = 50;
const NO_NEW_RECORD = `${MAX_EMPTY_PAGES} pages in a row without a new record`;

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
			if (problem !== undefined) throw badPage(walk, page.response, problem, place);
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

/** Pages overlap at their edges; a record that comes again so much later is given again. */
const REMEMBERED = 50_000;

/** What a walk has been given: tells records that come again, and a list that would never end. */
class KnownPages {
	/** Names of the latest records, and of as many before them. */
	private names = new Set<string>();
	private before = new Set<string>();
	/** Names of the first page, by which a list is seen to begin anew. */
	private first?: ReadonlySet<string | undefined>;
	private readonly cursors = new Set<string>();
	private emptyPages = 0;
	private beginsAnew = false;

	/** Pages overlap where the list changes meanwhile; each record is given once, as it came first. */
	dropRepeated(records: IDataObject[]): void {
		const names = records.map(nameOf);
		const { first, before } = this;
		this.beginsAnew =
			before.size > 0 && names.length === first?.size && names.every((name) => first.has(name));
		let kept = 0;
		for (const [at, record] of records.entries())
			if (this.isNew(names[at])) records[kept++] = record;
		records.length = kept;
		this.first ??= new Set(this.names);
		if (this.names.size < REMEMBERED) return;
		this.before = this.names;
		this.names = new Set();
	}

	private isNew(name: string | undefined): boolean {
		if (name === undefined) return true;
		if (this.names.has(name) || this.before.has(name)) return false;
		this.names.add(name);
		return true;
	}

	/** @param cursor that led to the page */
	problemOf(page: Page, cursor: string | undefined): string | undefined {
		const next = String(page.nextCursor);
		this.emptyPages = page.records.length === 0 ? this.emptyPages + 1 : 0;
		const isKnown = this.cursors.has(next) || next === cursor;
		this.cursors.add(next);
		const signs: Array<[boolean, string]> = [
			[this.emptyPages === MAX_EMPTY_PAGES, NO_NEW_RECORD],
			[isKnown, 'a cursor that it had sent before'],
			[this.beginsAnew, 'its first page again'],
		];
		const sent = signs.find(([isSeen]) => isSeen)?.[1];
		return sent && `The platform sent ${sent}, so the list would never end.`;
	}
}

/** What tells a record from the others of its list (API document, "Resources"); undefined where nothing does. */
function nameOf(record: IDataObject): string | undefined {
	const own = record.event_id ?? record.id;
	if (typeof own === 'string' || typeof own === 'number') return String(own);
	const { sku, location_id: location } = record;
	return sku === undefined || location === undefined ? undefined : JSON.stringify([sku, location]);
}

/** How far a walk has come. */
interface Place {
	/** Records before this page. */
	fetched: number;
	/** Leads to this page. */
	cursor?: string;
	/** The query parameter that takes it, where it is not `cursor`. */
	parameter?: string;
	/** The record before this page, by the field of the keyset. */
	key?: string;
	/** The walk's sort, where nobody chose it. */
	sort?: string;
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
	if (typeof page === 'string') throw badPage(walk, response, page, place);
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

/** The error for an answer that is no page; what is wrong with it is a sentence. */
function badPage(
	{ source, request }: Walk,
	{ status, requestId }: PlatformResponse,
	hint: string,
	place: Place,
): unknown {
	const about = { ...request, host: source.host };
	return resumable(new PlatformError('bad-page', about, { status, requestId, hint }), place);
}

/** An error after the first page says what was fetched and where to go on. */
function resumable(error: unknown, place: Place): unknown {
	const { fetched, cursor, parameter: cursorParameter, sort } = place;
	if (!(error instanceof PlatformError) || cursor === undefined) return error;
	const hint = [error.details.hint, ...resumeHint(place)].filter(Boolean).join(' ');
	const details = { ...error.details, fetched, cursor, cursorParameter, sort, hint };
	return new PlatformError(error.problem, error.request, details);
}

/** True with On Error set to continue, where the records come out, and without it, where nothing does. */
function resumeHint({ fetched, cursor, parameter, sort }: Place): string[] {
	if (fetched === 0) return [];
	const setting =
		parameter === undefined ? 'the option “Start Cursor”' : `the filter “${parameter}”`;
	// A cursor belongs to the sort of its walk (API document, "Pagination rules", 3).
	const [field, direction] = sort?.split(':') ?? [];
	const sorted =
		field &&
		` and the filter “Sort” to ${field}, ${direction === 'desc' ? 'Descending' : 'Ascending'}`;
	return [
		`${fetched === 1 ? '1 record' : `${fetched} records`} had been fetched; they come out only where On Error is set to continue.`,
		`To read on after them, set ${setting} to “${cursor}”${sorted ?? ''}. To read everything, run the node again.`,
	];
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
