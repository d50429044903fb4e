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
}

/**
 * Walks a list by cursor (API document, "Pagination rules"): one page after the other, the query unchanged,
 * cursors passed on as they came, no more records asked for than wanted.
 *
 * @param request of the first page, without `limit` and `cursor`
 * @throws PlatformError; in mid-walk it names the records fetched and the cursor to go on from
 */
export async function* walkPages(
	connection: Connection,
	request: PlatformRequest,
	options: WalkOptions = {},
): AsyncGenerator<{ page: Page; response: PlatformResponse }> {
	const seen = new Set<string>();
	let cursor = options.startCursor;
	let fetched = 0;
	let empty = 0;
	for (let pages = 1; ; pages++) {
		const wanted = options.limit === undefined ? MAX_PAGE_SIZE : options.limit - fetched;
		const limit = Math.min(MAX_PAGE_SIZE, wanted);
		const query = {
			...request.query,
			limit: options.sendLimit === false ? undefined : limit,
			cursor,
		};
		const { page, response } = await fetchPage(connection, { ...request, query }, fetched, cursor);
		if (page.records.length > wanted) page.records.length = wanted;
		fetched += page.records.length;
		yield { page, response };
		if (!page.hasMore || fetched === options.limit || pages === options.maxPages) return;
		empty = page.records.length === 0 ? empty + 1 : 0;
		const next = page.nextCursor ?? '';
		if (seen.has(next) || next === cursor || empty === MAX_EMPTY_PAGES) {
			const what =
				empty === MAX_EMPTY_PAGES
					? `${empty} empty pages in a row`
					: 'a cursor that it had sent before';
			throw badPage(
				connection,
				request,
				response,
				`The platform sent ${what}, so the list would never end.`,
				fetched,
				cursor,
			);
		}
		seen.add(next);
		cursor = next;
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
	fetched: number,
	cursor: string | undefined,
): Promise<{ page: Page; response: PlatformResponse }> {
	const response = await send(connection, request).catch((error: unknown) => {
		throw resumable(error, fetched, cursor);
	});
	const page = readPage(response.body);
	if (typeof page === 'string') throw badPage(connection, request, response, page, fetched, cursor);
	return { page, response };
}

/** An error in mid-walk says what was fetched and where to go on. */
function resumable(error: unknown, fetched: number, cursor: string | undefined): unknown {
	if (!(error instanceof PlatformError) || fetched === 0) return error;
	const hint = [error.details.hint, resumeHint(fetched, cursor)].filter(Boolean).join(' ');
	return new PlatformError(error.problem, error.request, { ...error.details, hint });
}

function badPage(
	connection: Connection,
	request: PlatformRequest,
	response: PlatformResponse,
	what: string,
	fetched: number,
	cursor: string | undefined,
): PlatformError {
	const { method, path, pathParams } = request;
	return new PlatformError(
		'bad-page',
		{ method, path, pathParams, host: connection.host },
		{
			status: response.status,
			requestId: response.requestId,
			hint: `${what} ${resumeHint(fetched, cursor)}`.trim(),
		},
	);
}

function resumeHint(fetched: number, cursor: string | undefined): string {
	if (cursor === undefined) return '';
	return `${fetched} records had been fetched; to go on from there, set the option “Start Cursor” to “${cursor}”.`;
}
