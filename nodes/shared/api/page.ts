import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../isObject';
import type { PlatformResponse } from './request';

/** One page of a list, whatever its body looked like (API document, "Conventions" and "Pagination object"). */
export interface Page {
	records: IDataObject[];
	/** As the platform sent it; undefined where the list has no pages. */
	pagination?: IDataObject;
	nextCursor?: string;
	hasMore: boolean;
}

/** A page with the answer that it came in. */
export interface FetchedPage extends Page {
	response: PlatformResponse;
}

/**
 * Reads a list answer.
 *
 * @returns the page, or a sentence that says why the answer is not a page
 */
export function readPage(body: unknown): Page | string {
	const data: unknown = isObject(body) ? body.data : body;
	if (!Array.isArray(data)) return 'The answer holds no list of records under “data”.';
	const records: unknown[] = data;
	if (!records.every(isObject)) return 'An entry of the list is not a record.';
	const pagination = isObject(body) && isObject(body.pagination) ? body.pagination : undefined;
	const cursor = pagination?.next_cursor;
	if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') {
		return 'The next_cursor of the page is not text.';
	}
	const nextCursor = cursor === null || cursor === '' ? undefined : cursor;
	const hasMore = readHasMore(pagination?.has_more) ?? nextCursor !== undefined;
	if (hasMore && nextCursor === undefined)
		return 'The page says that there are more records, but it gives no cursor to them.';
	return { records, pagination, nextCursor, hasMore };
}

/** The document's boolean, or how else a platform may write it; undefined where it says neither. */
function readHasMore(value: unknown): boolean | undefined {
	if (value === true || value === 'true' || value === 1) return true;
	return value === false || value === 'false' || value === 0 ? false : undefined;
}
