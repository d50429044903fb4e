import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import type { PlatformResponse } from './request';

/** A Retry-After of more than a year is a mistake, and a date so far away cannot be shown. ms. */
const LONGEST_RETRY_AFTER_MS = 366 * 86_400_000;

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER_LENGTH = 64;

/**
 * The record of an answer: `{ data: resource }` (API document, "Conventions") or the bare resource.
 *
 * @returns undefined where the body holds none
 */
export function recordOf(body: unknown): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	if (isObject(body.data)) return body.data;
	return body.data === null ? undefined : body;
}

/** Whether an answer holds anything under `data`, where everything that was asked for stands (as above). */
export function hasData(body: unknown): boolean {
	return isObject(body) && isFilled(body.data);
}

/** Whether a value says anything: not empty, and not false. */
export function isFilled(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return value !== undefined && value !== null && value !== '' && value !== false;
}

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
 * @param keyField by whose value in the last record the list goes on where the page gives no cursor
 * @returns the page, or a sentence that says why the answer is not a page
 */
export function readPage(body: unknown, keyField?: string): Page | string {
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
	const isKeyed = keyField !== undefined && typeof records.at(-1)?.[keyField] === 'string';
	if (hasMore && nextCursor === undefined && !isKeyed)
		return 'The page says that there are more records, but it gives no cursor to them.';
	return { records, pagination, nextCursor, hasMore };
}

/** The document's boolean, or how else a platform may write it; undefined where it says neither. */
function readHasMore(value: unknown): boolean | undefined {
	if (value === true || value === 'true' || value === 1) return true;
	return value === false || value === 'false' || value === 0 ? false : undefined;
}

/** What the platform said of the key's budget in one answer (API document, "Limits"). */
export interface BudgetReading {
	/** Requests a minute. */
	limit?: number;
	/** Requests left in the minute's window. */
	remaining?: number;
	/** When the minute's window ends, Unix ms by the platform's clock. */
	resetAtMs?: number;
	/** Requests a UTC day. */
	dayLimit?: number;
	/** Requests left in the UTC day. */
	dayRemaining?: number;
	/** The platform's clock, Unix ms, whole seconds. */
	serverTimeMs?: number;
	/** How long to wait before the next request, ms (API document, "Limits", 3). */
	retryAfterMs?: number;
}

/**
 * Reads `X-RateLimit-*`, `Retry-After` and `Date`. What is missing or unreadable stays undefined.
 *
 * @param headers with lower-case names
 * @param nowMs Unix ms, for a Retry-After with a date in an answer that does not tell its own
 */
export function readBudget(headers: Record<string, string>, nowMs: number): BudgetReading {
	const resetS = count(headers['x-ratelimit-reset']);
	const date = Date.parse(String(headers.date));
	const serverTimeMs = Number.isNaN(date) ? undefined : date;
	return {
		limit: count(headers['x-ratelimit-limit']),
		remaining: count(headers['x-ratelimit-remaining']),
		resetAtMs: resetS === undefined ? undefined : resetS * 1000,
		dayLimit: count(headers['x-ratelimit-limit-day']),
		dayRemaining: count(headers['x-ratelimit-remaining-day']),
		serverTimeMs,
		retryAfterMs: readRetryAfter(headers['retry-after'], serverTimeMs ?? nowMs),
	};
}

/**
 * Reads `Retry-After`, seconds (API document, "Limits", 3) or an HTTP date.
 *
 * @param nowMs Unix ms, for the date form
 * @returns ms to wait, never negative; undefined where the header is missing or unreadable
 */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	// Both forms are short; a long text would keep the patterns below busy.
	if (value === undefined || value.length > MAX_RETRY_AFTER_LENGTH) return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return bounded(Math.ceil(Number(value) * 1000));
	// Date.parse takes almost anything for a date; an HTTP date has the name of a month and a time.
	const at = /[a-z]{3}.*\d{2}:\d{2}/i.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(at) ? undefined : bounded(Math.max(0, at - nowMs));
}

const bounded = (ms: number): number => Math.min(ms, LONGEST_RETRY_AFTER_MS);

/**
 * The first moment of the next UTC day, when the day's budget is whole again.
 *
 * @param nowMs Unix ms
 */
export function nextUtcDay(nowMs: number): number {
	const dayMs = 86_400_000;
	return (Math.floor(nowMs / dayMs) + 1) * dayMs;
}

function count(value: string | undefined): number | undefined {
	if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
	return Number(value);
}
