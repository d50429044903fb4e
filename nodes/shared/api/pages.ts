import type { IDataObject } from 'n8n-workflow';

import { isTooLarge, mayRefuseLimit, mayRefuseParameter, PlatformError } from '../errors/errors';
import { isObject } from '../values/json';
import type { PlatformRequest, PlatformResponse } from './request';

/** Records a page at most (API document, "Limits"). */
export const MAX_PAGE_SIZE = 250;

/** The one sort field that the API document names ("Common query parameters on list endpoints"). */
export const NEWEST_FIRST = 'updated_at:desc';

/** A list that sends this many pages in a row without a new record will not end. */
const MAX_EMPTY_PAGES = 50;

export interface PaginateOptions {
	/** Records wanted; all where it is undefined. */
	limit?: number;
	/** Where to go on from, as an earlier walk named it. */
	startCursor?: string;
	/** Pages at most. */
	maxPages?: number;
	/**
	 * Records a page, 250 where it is undefined (API document, "Limits": more by contract only). Where a page is too large
	 * to be read, half as many, until it fits.
	 */
	pageSize?: number;
	/** False for a list that takes no query. The walk then cuts off what is beyond the limit. */
	takesQuery?: boolean;
	/** Whether to walk from the record that changed last; in the platform's own order where it refuses to sort. */
	newestFirst?: boolean;
	/**
	 * How to go on in a list whose pages carry no `pagination`, or that refuses their cursor: after the last record,
	 * named by one of its fields, in this query parameter. Without `pagination` it ends with an empty page.
	 */
	keyset?: { field: string; query: string };
}

/** One page of a list, whatever its body looked like (API document, "Conventions" and "Pagination object"). */
interface Page {
	records: IDataObject[];
	/** As the platform sent it; undefined if the list has no pages. */
	pagination?: IDataObject;
	nextCursor?: string;
	hasMore: boolean;
}

/** A page with the answer that it came in. */
export interface FetchedPage extends Page {
	response: PlatformResponse;
}

/** How far a walk has come. */
interface Position {
	/** Records before this page. */
	fetched: number;
	/** Leads to this page. */
	cursor?: string;
	/** The query parameter that takes it, where it is not `cursor`. */
	parameter?: string;
	/** The record before this page, by the field of the keyset. */
	key?: string;
}

/** What a walk needs of a client. */
interface PageSource {
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
	const { limit: wanted = Number.POSITIVE_INFINITY, startCursor } = options;
	const list = new List(source, request, options);
	const isNew = newRecordFilter();
	const cursors = new Set([startCursor]);
	let emptyPages = 0;
	let from: Position = { fetched: 0, cursor: startCursor };
	let next = list.fetch(from);
	for (let pages = 1; ; pages++) {
		const page = await next;
		page.records = page.records.filter(isNew).slice(0, wanted - from.fetched);
		const { length } = page.records;
		const fetched = from.fetched + length;
		const isLast = !page.hasMore || fetched === wanted || pages === options.maxPages;
		if (!isLast) {
			emptyPages = length === 0 ? emptyPages + 1 : 0;
			if (emptyPages === MAX_EMPTY_PAGES)
				throw list.endless(from, page, `${MAX_EMPTY_PAGES} pages in a row without a new record`);
			if (cursors.has(page.nextCursor))
				throw list.endless(from, page, 'a cursor that it had sent before');
			cursors.add(page.nextCursor);
			const { nextCursor: cursor, parameter, key = from.key } = page;
			from = { fetched, cursor, parameter, key };
			next = list.fetch(from);
			// The caller may stop here and never look at the next page, nor at its error.
			next.catch(() => undefined);
		}
		yield page;
		if (isLast) return;
	}
}

/** Pages overlap where the list changes meanwhile; each record is given once, as it came first. */
function newRecordFilter(): (record: IDataObject) => boolean {
	const names = new Set<string>();
	return (record) => {
		const name = nameOf(record);
		return name === undefined || names.size < names.add(name).size;
	};
}

/** What tells a record from the others of its list (API document, "Resources"); undefined if nothing does. */
function nameOf(record: IDataObject): string | undefined {
	const id = record.event_id ?? record.id;
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	const { sku, location_id: location } = record;
	return sku === undefined || location === undefined ? undefined : JSON.stringify([sku, location]);
}

/** A list of the platform, as far as is known which parameters it takes. */
class List {
	private takesLimit: boolean;
	/** Records a page. */
	private pageSize: number;
	/** The sort that nobody chose. */
	private sort?: string;

	constructor(
		private readonly source: PageSource,
		private readonly request: PlatformRequest,
		private readonly options: PaginateOptions,
	) {
		this.takesLimit = options.takesQuery !== false;
		this.pageSize = Math.min(options.pageSize ?? MAX_PAGE_SIZE, options.limit ?? Infinity);
		if (options.newestFirst && this.takesLimit) this.sort = NEWEST_FIRST;
	}

	/** @throws PlatformError */
	async fetch(from: Position): Promise<FetchedPage & Pick<Position, 'parameter' | 'key'>> {
		const { request, options, sort, pageSize } = this;
		const { limit: total = Number.POSITIVE_INFINITY, keyset } = options;
		const query = {
			...request.query,
			...(sort && { sort }),
			limit: this.takesLimit ? Math.min(pageSize, total - from.fetched) : undefined,
			[from.parameter ?? 'cursor']: from.cursor,
		};
		const headers =
			from.cursor === options.startCursor ? request.headers : withoutIfNoneMatch(request);
		let response: PlatformResponse;
		try {
			response = await this.source.request({ ...request, headers, query });
		} catch (error) {
			return await this.fetch(this.fallbackFor(from, error));
		}
		if (response.status === 304) return { records: [], hasMore: false, response };
		const page = readPage(response.body, keyset?.field);
		if (typeof page === 'string') throw this.badPage(from, response, page);
		const key = keyset && page.records.at(-1)?.[keyset.field];
		if (keyset === undefined || typeof key !== 'string') return { ...page, response };
		const byCursor = page.nextCursor !== undefined && from.parameter === undefined;
		const isKeyed = page.pagination === undefined || (page.hasMore && !byCursor);
		return isKeyed
			? { ...page, response, hasMore: true, nextCursor: key, parameter: keyset.query }
			: { ...page, response, key };
	}

	/**
	 * How to ask again for a page that was too large, or that was refused for a parameter which the list's row in the
	 * document does not name.
	 */
	private fallbackFor(from: Position, error: unknown): Position {
		const { key, parameter, cursor } = from;
		const { keyset, startCursor } = this.options;
		if (this.takesLimit && this.pageSize > 1 && isTooLarge(error)) {
			this.pageSize = Math.ceil(this.pageSize / 2);
			return from;
		}
		if (this.takesLimit && mayRefuseLimit(this.request.path, error)) {
			this.takesLimit = false;
			return from;
		}
		if (!mayRefuseParameter(error)) throw this.withResumeHint(from, error);
		if (this.sort !== undefined && cursor === startCursor) {
			this.sort = undefined;
			return from;
		}
		if (key === undefined || parameter !== undefined) throw this.withResumeHint(from, error);
		return { ...from, cursor: key, parameter: keyset?.query };
	}

	endless(from: Position, { response }: FetchedPage, sent: string): unknown {
		return this.badPage(from, response, `The platform sent ${sent}, so the list would never end.`);
	}

	/**
	 * The error for an answer that is no page.
	 *
	 * @param hint a sentence that says what is wrong with it
	 */
	private badPage(from: Position, { status, requestId }: PlatformResponse, hint: string): unknown {
		const about = { ...this.request, host: this.source.host };
		return this.withResumeHint(
			from,
			new PlatformError('bad-page', about, { status, requestId, hint }),
		);
	}

	/**
	 * An error after the first page says what was fetched and where to go on: true with On Error set to continue, where
	 * the records come out, and without it, where nothing does.
	 */
	private withResumeHint({ fetched, cursor, parameter }: Position, error: unknown): unknown {
		if (!(error instanceof PlatformError) || cursor === undefined) return error;
		const { sort } = this;
		const details = { ...error.details, fetched, cursor, sort };
		if (fetched > 0) {
			const setting = parameter ? `the filter “${parameter}”` : 'the option “Start Cursor”';
			// A cursor belongs to the sort of its walk (API document, "Pagination rules", 3).
			const sorted = sort ? ' and “Sort” to updated_at, Descending' : '';
			details.hint =
				`${details.hint ?? ''} ${fetched === 1 ? '1 record' : `${fetched} records`} had been fetched; they come out only where On Error is set to continue. To read on after them, set ${setting} to “${cursor}”${sorted}. To read everything, run the node again.`.trim();
		}
		return new PlatformError(error.problem, error.request, details);
	}
}

/** An ETag belongs to the first page. */
function withoutIfNoneMatch({ headers = {} }: PlatformRequest): PlatformRequest['headers'] {
	const others = Object.entries(headers).filter(([name]) => !/^if-none-match$/i.test(name));
	return Object.fromEntries(others);
}

/**
 * Reads a list answer.
 *
 * @param keyField by whose value in the last record the list goes on where the page gives no cursor
 * @returns the page, or a sentence that says why the answer is not a page
 */
export function readPage(body: unknown, keyField?: string): Page | string {
	const data: unknown = isObject(body) ? body.data : body;
	if (!Array.isArray(data)) return 'The answer holds no list of records under “data”.';
	const records: unknown[] = data;
	if (!records.every(isObject)) return 'An entry of the list is not a record.';
	const pagination = isObject(body) && isObject(body.pagination) ? body.pagination : undefined;
	// null and an empty text say that there is none.
	const nextCursor = pagination?.next_cursor || undefined;
	if (nextCursor !== undefined && typeof nextCursor !== 'string')
		return 'The next_cursor of the page is not text.';
	const hasMore = readHasMore(pagination?.has_more) ?? nextCursor !== undefined;
	const isKeyed = keyField !== undefined && typeof records.at(-1)?.[keyField] === 'string';
	if (hasMore && nextCursor === undefined && !isKeyed)
		return 'The page says that there are more records, but it gives no cursor to them.';
	return { records, pagination, nextCursor, hasMore };
}

/** The document's boolean, or how else a platform may write it; undefined if it says neither. */
function readHasMore(value: unknown): boolean | undefined {
	if (value === true || value === 'true' || value === 1) return true;
	return value === false || value === 'false' || value === 0 ? false : undefined;
}
