import type { IDataObject } from 'n8n-workflow';

/** One page of a list, whatever its body looked like (API document, "Conventions" and "Pagination object"). */
export interface Page {
	records: IDataObject[];
	/** As the platform sent it; undefined where the list has no pages. */
	pagination?: IDataObject;
	nextCursor?: string;
	hasMore: boolean;
}

/**
 * Reads a list answer.
 *
 * @returns the page, or the sentence that says why it is none
 */
export function readPage(body: unknown): Page | string {
	const data: unknown = isObject(body) ? body.data : body;
	if (!Array.isArray(data)) return 'The answer holds no list of records under “data”.';
	const records: unknown[] = data;
	if (!records.every(isObject)) return 'The list holds something that is no record.';
	const pagination = isObject(body) && isObject(body.pagination) ? body.pagination : undefined;
	const cursor = pagination?.next_cursor;
	if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') {
		return 'The page’s next_cursor is no text.';
	}
	const nextCursor = cursor === null || cursor === '' ? undefined : cursor;
	const hasMore = pagination?.has_more === true;
	if (hasMore && nextCursor === undefined)
		return 'The page says that there is more, but gives no cursor to it.';
	return { records, pagination, nextCursor, hasMore };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
