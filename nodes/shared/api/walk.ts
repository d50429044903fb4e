import type { IDataObject } from 'n8n-workflow';

import { connect, type Connection } from './connection';
import type { OperationFacts } from './errorTexts';
import { toNodeError } from './nodeErrors';
import { readPage, type Page } from './page';
import { PlatformError } from './platformError';
import type { PlatformContext, PlatformRequest, PlatformResponse } from './request';
import { send } from './send';

/** Records a page at most (API document, "Limits"). */
export const MAX_PAGE_SIZE = 250;

/** A list that sends this many empty pages in a row will not end. */
const MAX_EMPTY_PAGES = 50;

export interface WalkOptions {
	/** Records wanted; all where it is undefined. */
	limit?: number;
	/** Where to go on from, as an earlier walk named it. */
	startCursor?: string;
	/** Pages at most. */
	maxPages?: number;
	/** False for a list that takes no `limit`: what is too much is cut off here. */
	sendLimit?: boolean;
	/**
	 * How to go on in a list whose pages carry no `pagination`: behind the last record, named by one of its
	 * fields. It ends with an empty page.
	 */
	continueBy?: { field: string; query: string };
}

/**
 * Walks a list by cursor (API document, "Pagination rules"): the query unchanged, cursors passed on as they
 * came, no more records asked for than wanted. The next page is on its way while the current one is used.
 *
 * @param request of the first page, without `limit` and `cursor`
 * @throws PlatformError; in mid-walk it names the records fetched and the cursor to go on from
 */
export async function* walkPages(
	connection: Connection,
	request: PlatformRequest,
	options: WalkOptions = {},
): AsyncGenerator<FetchedPage> {
	const wanted = options.limit ?? Number.POSITIVE_INFINITY;
	const guard = new EndlessGuard();
	let place: Place = { fetched: 0, cursor: options.startCursor };
	let coming = fetchPage(connection, request, options, place);
	for (let pages = 1; ; pages++) {
		const { page, response } = await coming;
		if (page.records.length > wanted - place.fetched) page.records.length = wanted - place.fetched;
		const fetched = place.fetched + page.records.length;
		const last = !page.hasMore || fetched === wanted || pages === options.maxPages;
		if (!last) {
			const problem = guard.problemOf(page, place.cursor);
			if (problem !== undefined) throw badPage(connection, request, response, problem, place);
			const by = page.pagination === undefined ? options.continueBy?.query : undefined;
			place = { fetched, cursor: page.nextCursor, by };
			coming = fetchPage(connection, request, options, place);
			// Whoever stops using the pages early never looks at this one.
			coming.catch(() => undefined);
		}
		yield { page, response };
		if (last) return;
	}
}

interface FetchedPage {
	page: Page;
	response: PlatformResponse;
}

/** How far a walk has come. */
interface Place {
	/** Records before this page. */
	fetched: number;
	/** Leads to this page. */
	cursor?: string;
	/** The query parameter that takes it, where it is not `cursor`. */
	by?: string;
}

/** Notices that a list would never end. */
class EndlessGuard {
	private readonly seen = new Set<string>();
	private emptyPages = 0;

	problemOf(page: Page, cursor: string | undefined): string | undefined {
		const next = page.nextCursor ?? '';
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

/**
 * All records of a list, one by one, for hooks and searches.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function* walkRecords(
	context: PlatformContext,
	request: PlatformRequest,
	facts?: OperationFacts,
): AsyncGenerator<IDataObject> {
	try {
		for await (const { page } of walkPages(await connect(context), request)) yield* page.records;
	} catch (error) {
		throw toNodeError(context.getNode(), error, facts);
	}
}

async function fetchPage(
	connection: Connection,
	request: PlatformRequest,
	options: WalkOptions,
	place: Place,
): Promise<FetchedPage> {
	const wanted = options.limit === undefined ? MAX_PAGE_SIZE : options.limit - place.fetched;
	const limit = Math.min(MAX_PAGE_SIZE, wanted);
	const query = {
		...request.query,
		limit: options.sendLimit === false ? undefined : limit,
		[place.by ?? 'cursor']: place.cursor,
	};
	const response = await send(connection, { ...request, query }).catch((error: unknown) => {
		throw resumable(error, place);
	});
	const page = readPage(response.body);
	if (typeof page === 'string') throw badPage(connection, request, response, page, place);
	return { page: continued(page, options), response };
}

function continued(page: Page, { continueBy }: WalkOptions): Page {
	const last = page.records.at(-1);
	if (continueBy === undefined || page.pagination !== undefined || last === undefined) return page;
	const mark = last[continueBy.field];
	return typeof mark === 'string' ? { ...page, hasMore: true, nextCursor: mark } : page;
}

/** An error in mid-walk says what was fetched and where to go on. */
function resumable(error: unknown, place: Place): unknown {
	if (!(error instanceof PlatformError) || place.fetched === 0) return error;
	const hint = [error.details.hint, resumeHint(place)].filter(Boolean).join(' ');
	return new PlatformError(error.problem, error.request, { ...error.details, hint });
}

function badPage(
	connection: Connection,
	request: PlatformRequest,
	response: PlatformResponse,
	what: string,
	place: Place,
): PlatformError {
	const { method, path, pathParams } = request;
	const wire = { method, path, pathParams, host: connection.host };
	return new PlatformError('bad-page', wire, {
		status: response.status,
		requestId: response.requestId,
		hint: `${what} ${resumeHint(place)}`.trim(),
	});
}

function resumeHint({ fetched, cursor, by }: Place): string {
	if (cursor === undefined) return '';
	const setting = by === undefined ? 'the option “Start Cursor”' : `the filter “${by}”`;
	return `${fetched} records had been fetched; to go on from there, set ${setting} to “${cursor}”.`;
}
