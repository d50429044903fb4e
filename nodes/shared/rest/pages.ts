import type { IDataObject } from 'n8n-workflow';

import { mayRefuseParameter, PlatformError } from './errors';
import { isObject } from '../values/json';
import type { PlatformRequest, PlatformResponse, Service } from './request';

/** How many records a page has at most (API document, "Limits"). */
const MAX_PAGE_SIZE = 250;

/** The one sort field that the API document names ("Common query parameters on list endpoints"). */
const NEWEST_FIRST = 'updated_at:desc';

/** After so many pages in a row without a new record, a list is taken to be endless. */
export const MAX_IDLE_PAGES = 50;

/** What to say of a list that would never end. @param sent e.g. `a cursor that it had sent before` */
export const endlessHint = (sent: string): string =>
	`The platform sent ${sent}, so the list would never end.`;

export interface PaginateOptions {
	/** How many records are wanted; all if undefined. */
	limit?: number;
	/** A cursor that an earlier walk gave, to go on from there. */
	startCursor?: string;
	/** How many pages are fetched at most. */
	maxPages?: number;
	/**
	 * How many records each page has; 250 if undefined (API document, "Limits": more by contract only). If a page is too
	 * large to be read, half as many are asked for, until it fits.
	 */
	pageSize?: number;
	/** False if the list takes no query. The walk then cuts off the records beyond the limit. */
	takesQuery?: boolean;
	/** Whether the record that changed last comes first. If the platform refuses to sort, its own order is used. */
	newestFirst?: boolean;
	/**
	 * For a list that goes on after a record: the next page is asked for by this query parameter, set to this field of
	 * the last record. Without `pagination`, the list ends with an empty page.
	 */
	keyset?: { field: string; query: string };
	/** Whether the list is a search, which some platforms answer with the one record that they find. */
	isSearch?: true;
}

/** What the body of a page says, in whichever form it came (API document, "Conventions" and "Pagination object"). */
interface PageContent {
	records: IDataObject[];
	/** As the platform sent it; undefined if it sent none. */
	pagination?: IDataObject;
	nextCursor?: string;
	hasMore: boolean;
}

/** A page, with the answer that it came in. */
export interface FetchedPage extends PageContent {
	response: PlatformResponse;
}

/** How far a walk has come: it names the page to fetch. */
interface Position {
	/** How many records came before this page. */
	fetched: number;
	/** The cursor or key that leads to this page. */
	cursor?: string;
	/** The query parameter that takes it; `cursor` if undefined. */
	parameter?: string;
}

/** What a walk needs of `PlatformClient`. */
interface ListClient {
	request(request: PlatformRequest): Promise<PlatformResponse>;
	readonly host: string;
	readonly service: Pick<Service, 'identityOf' | 'mayLackLimit'>;
}

/**
 * Walks a list by cursor (API document, "Pagination rules"). Filters stay the same, cursors are passed on unread,
 * and no more records are asked for than wanted. The next page is fetched while the caller uses the current one.
 *
 * @param request for the first page, without `limit` and `cursor`
 * @throws PlatformError; after the first page it says how many records were fetched, and the cursor to go on from
 */
export async function* paginate(
	client: ListClient,
	request: PlatformRequest,
	options: PaginateOptions = {},
): AsyncGenerator<FetchedPage> {
	const { limit: wanted = Number.POSITIVE_INFINITY, startCursor } = options;
	const fetcher = new ListFetcher(client, request, options);
	const cursors = new Set([startCursor]);
	let emptyPages = 0;
	let position: Position = { fetched: 0, cursor: startCursor };
	let nextPage = fetcher.fetch(position);
	for (let pages = 1; ; pages++) {
		const page = await nextPage;
		const { length } = page.records;
		const fetched = position.fetched + length;
		const isLast = !page.hasMore || fetched === wanted || pages === options.maxPages;
		if (!isLast) {
			emptyPages = length === 0 ? emptyPages + 1 : 0;
			if (emptyPages === MAX_IDLE_PAGES)
				throw fetcher.endlessError(
					position,
					page,
					`${MAX_IDLE_PAGES} pages in a row without a new record`,
				);
			if (cursors.has(page.nextCursor))
				throw fetcher.endlessError(position, page, 'a cursor that it had sent before');
			cursors.add(page.nextCursor);
			const { nextCursor: cursor, parameter } = page;
			position = { fetched, cursor, parameter };
			nextPage = fetcher.fetch(position);
			// If the caller stops here, nobody handles an error of the next page.
			nextPage.catch(() => undefined);
		}
		yield page;
		if (isLast) return;
	}
}

/** Fetches the pages of one list. It finds out which parameters the list takes. */
export class ListFetcher {
	private takesLimit: boolean;
	/** How many records to ask for in each page. */
	private pageSize: number;
	/** The sort that the walk has added: the user chose none. */
	private sort?: string;
	/** Which records it has given. */
	private readonly identities = new Set<string>();

	constructor(
		private readonly client: ListClient,
		private readonly request: PlatformRequest,
		private readonly options: PaginateOptions,
	) {
		this.takesLimit = options.takesQuery !== false;
		this.pageSize = Math.min(options.pageSize ?? MAX_PAGE_SIZE, options.limit ?? Infinity);
		if (options.newestFirst && this.takesLimit) this.sort = NEWEST_FIRST;
	}

	/**
	 * Fetches a page, by default the one at `startCursor`. It gives only records that are new, and no more than wanted.
	 *
	 * @throws PlatformError
	 */
	async fetch(
		position: Position = { fetched: 0, cursor: this.options.startCursor },
	): Promise<FetchedPage & Pick<Position, 'parameter'>> {
		const { request, options, sort, pageSize } = this;
		const { limit: total = Number.POSITIVE_INFINITY, keyset, isSearch } = options;
		const query = {
			...request.query,
			...(sort && { sort }),
			limit: this.takesLimit ? Math.min(pageSize, total - position.fetched) : undefined,
			[position.parameter ?? 'cursor']: position.cursor,
		};
		const headers =
			position.cursor === options.startCursor ? request.headers : withoutIfNoneMatch(request);
		let response: PlatformResponse;
		try {
			response = await this.client.request({ ...request, headers, query });
		} catch (error) {
			return await this.fetch(this.positionToRetry(position, error));
		}
		if (response.status === 304) return { records: [], hasMore: false, response };
		const page = readPage(response.body, keyset?.field, isSearch);
		if (typeof page === 'string') throw this.badPageError(position, response, page);
		const key = keyset && page.records.at(-1)?.[keyset.field];
		page.records = page.records
			.filter((record) => this.isNew(record))
			.slice(0, total - position.fetched);
		if (keyset === undefined || typeof key !== 'string') return { ...page, response };
		const hasMore = page.pagination === undefined || page.hasMore;
		return { ...page, response, hasMore, nextCursor: key, parameter: keyset.query };
	}

	/** Pages overlap if the list changes meanwhile; each record is given once, as it came first. */
	private isNew(record: IDataObject): boolean {
		const { identities } = this;
		const identity = this.client.service.identityOf(record);
		return identity === undefined || identities.size < identities.add(identity).size;
	}

	/**
	 * Changes how a page is asked for, after it was too large, or may have been refused for a parameter that the API
	 * document does not list for this endpoint.
	 *
	 * @returns the position, to fetch it again
	 * @throws the error, if there is nothing to change
	 */
	private positionToRetry(position: Position, error: unknown): Position {
		// A page with fewer records may fit.
		const isTooLarge = error instanceof PlatformError && error.problem === 'too-large';
		if (this.takesLimit && this.pageSize > 1 && isTooLarge) {
			this.pageSize = Math.ceil(this.pageSize / 2);
			return position;
		}
		const mayLackLimit = this.client.service.mayLackLimit(this.request.path);
		if (this.takesLimit && mayLackLimit && mayRefuseParameter(error)) {
			this.takesLimit = false;
			return position;
		}
		const isFirst = position.cursor === this.options.startCursor;
		if (this.sort !== undefined && isFirst && mayRefuseParameter(error)) {
			this.sort = undefined;
			return position;
		}
		throw this.withResumeHint(position, error);
	}

	endlessError(position: Position, { response }: FetchedPage, sent: string): unknown {
		return this.badPageError(position, response, endlessHint(sent));
	}

	/**
	 * The error for an answer that is no page.
	 *
	 * @param hint a sentence that says what is wrong
	 */
	private badPageError(
		position: Position,
		{ status, requestId }: PlatformResponse,
		hint: string,
	): unknown {
		const about = { ...this.request, host: this.client.host };
		return this.withResumeHint(
			position,
			new PlatformError('bad-page', about, { status, requestId, hint }),
		);
	}

	/**
	 * Adds to an error after the first page how many records were fetched and where to go on. The hint must be true in
	 * both cases: if On Error is set to continue, these records come out; otherwise nothing does.
	 */
	private withResumeHint({ fetched, cursor, parameter }: Position, error: unknown): unknown {
		if (!(error instanceof PlatformError) || cursor === undefined) return error;
		const { sort } = this;
		const details = { ...error.details, fetched, cursor, sort };
		if (fetched > 0) {
			const setting = parameter ? `the filter '${parameter}'` : "the option 'Start Cursor'";
			// A cursor counts only with the sort of its walk (API document, "Pagination rules", 3).
			const sorted = sort ? " and 'Sort' to updated_at, Descending" : '';
			details.hint =
				`${details.hint ?? ''} ${fetched === 1 ? '1 record' : `${fetched} records`} had been fetched. To get what was fetched, set On Error to Continue. To continue after it, set ${setting} to “${cursor}”${sorted}. To read everything, run the node again.`.trim();
		}
		return new PlatformError(error.problem, error.request, details);
	}
}

/** The headers for later pages: an ETag belongs to the first page. */
function withoutIfNoneMatch({ headers = {} }: PlatformRequest): PlatformRequest['headers'] {
	const others = Object.entries(headers).filter(([name]) => !/^if-none-match$/i.test(name));
	return Object.fromEntries(others);
}

/**
 * Reads the body of a list answer.
 *
 * @param keyField the list can go on after the value of this field in its last record, so a page needs no cursor
 * @param isSearch whether one record may stand in place of the list
 * @returns the page, or a sentence that says why the answer is no page
 */
export function readPage(body: unknown, keyField?: string, isSearch = false): PageContent | string {
	const listed: unknown = isObject(body) ? body.data : body;
	const isOne = isSearch && isObject(listed) && typeof listed.id === 'string';
	const data: unknown = isOne ? [listed] : listed;
	if (!Array.isArray(data)) return "The answer holds no list of records under 'data'.";
	const records: unknown[] = data;
	if (!records.every(isObject)) return 'An entry of the list is not a record.';
	const pagination = isObject(body) && isObject(body.pagination) ? body.pagination : undefined;
	// null and an empty text mean that there is no cursor.
	const nextCursor = pagination?.next_cursor || undefined;
	if (nextCursor !== undefined && typeof nextCursor !== 'string')
		return 'The next_cursor of the page is not text.';
	const { has_more: more } = pagination ?? {};
	const hasMore = typeof more === 'boolean' ? more : nextCursor !== undefined;
	const isKeyed = keyField !== undefined && typeof records.at(-1)?.[keyField] === 'string';
	if (hasMore && nextCursor === undefined && !isKeyed)
		return 'The page says that there are more records, but it gives no cursor to them.';
	return { records, pagination, nextCursor, hasMore };
}
