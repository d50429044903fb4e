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

/** What an answer told of the key's budget (API document, "Limits"). */
export interface Budget {
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
	/** 429 refuses, other answers below 500 accept; the rest tells nothing. */
	verdict?: 'refused' | 'accepted';
}

/**
 * Reads `X-RateLimit-*`, `Retry-After` and `Date`. What is missing or unreadable stays undefined.
 *
 * @param headers with lower-case names
 * @param nowMs Unix ms, where the answer does not tell its own time
 */
export function readBudget(status: number, headers: Record<string, string>, nowMs: number): Budget {
	const date = Date.parse(headers.date);
	const serverTimeMs = Number.isNaN(date) ? undefined : date;
	const atMs = serverTimeMs ?? nowMs;
	const isRefused = status === 429;
	const dayRemaining = count(headers['x-ratelimit-remaining-day']);
	let retryAfterMs = readRetryAfter(headers['retry-after'], atMs);
	// A spent day lasts until its end, whatever Retry-After says or does not say.
	if (isRefused && dayRemaining === 0)
		retryAfterMs = Math.max(retryAfterMs ?? 0, nextUtcDay(atMs) - atMs);
	const resetS = count(headers['x-ratelimit-reset']);
	return {
		limit: count(headers['x-ratelimit-limit']),
		remaining: count(headers['x-ratelimit-remaining']),
		resetAtMs: resetS === undefined ? undefined : resetS * 1000,
		dayLimit: count(headers['x-ratelimit-limit-day']),
		dayRemaining,
		serverTimeMs,
		retryAfterMs,
		verdict: isRefused ? 'refused' : status < 500 ? 'accepted' : undefined,
	};
}

/** `Retry-After` in ms, of seconds (API document, "Limits", 3) or an HTTP date; never negative. */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	// Both forms are short; a long text would keep the patterns below busy.
	if (value === undefined || value.length > MAX_RETRY_AFTER_LENGTH) return undefined;
	const seconds = count(value);
	// Date.parse takes almost anything for a date; an HTTP date has the name of a month and a time.
	const at = /[a-z]{3}.*\d{2}:\d{2}/i.test(value) ? Date.parse(value) : Number.NaN;
	const ms = seconds === undefined ? Math.max(0, at - nowMs) : Math.ceil(seconds * 1000);
	return Number.isNaN(ms) ? undefined : Math.min(ms, LONGEST_RETRY_AFTER_MS);
}

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
