import { type BudgetReading, nextUtcDay } from './answer';
import { isTooManyRequests, type Outcome } from './attempt';
import type { RetryWrites } from './request';

/** A Retry-After is lengthened by up to this, so that waiting clients do not all come back at once. ms. */
export const RETRY_AFTER_JITTER_MS = 250;

/** Answers after which the same request may well succeed (API document, "Errors", and HTTP's own meaning). */
const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** The system's words for a connection that never came about, so that nothing can have been sent over it. */
const NOT_CONNECTED = new Set<string | undefined>([
	'ENOTFOUND',
	'EAI_AGAIN',
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Answers with success whose content is not known. */
const UNCLEAR_PROBLEMS = new Set(['too-large', 'not-json', 'broken-json']);

/** What to do after an attempt that was not the end of its request. */
export interface RetryDecision {
	/** When to try again, ms; undefined where there is no further attempt. */
	afterMs?: number;
	/** What the platform told to wait, ms. */
	toldMs?: number;
}

export interface RetryPolicy {
	/** Attempts of one request at most, the first included. */
	maxAttempts: number;
	/** ms over all waits of one request; 0 means one attempt only. */
	maxWaitMs: number;
	/** Whether writes are repeated. */
	retryWrites: RetryWrites;
}

/** What a request has behind it. */
export interface Tried {
	/** Not a GET. */
	isWrite: boolean;
	/** Attempts so far, at least 1. */
	attempts: number;
	/** Sum of the waits between them, ms. */
	waitedMs: number;
}

/**
 * Decides what to do after an attempt. Every request may be repeated: reads and PUT by nature, and every write
 * since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param nowMs Unix ms
 * @param random 0 ≤ x < 1
 */
export function decideRetry(
	outcome: Outcome,
	{ isWrite, attempts, waitedMs }: Tried,
	policy: RetryPolicy,
	nowMs: number,
	random: number,
): RetryDecision {
	if (!mayPass(outcome)) return {};
	const toldMs = toldToWaitMs(outcome, nowMs);
	const mayRepeat = !isWrite || mayRepeatWrite(outcome, policy);
	const isTooLong = toldMs !== undefined && waitedMs + toldMs > policy.maxWaitMs;
	const afterMs =
		toldMs === undefined
			? backoff(attempts, random)
			: toldMs + Math.round(random * RETRY_AFTER_JITTER_MS);
	const isLast =
		policy.maxWaitMs === 0 ||
		attempts >= policy.maxAttempts ||
		waitedMs + afterMs > policy.maxWaitMs + RETRY_AFTER_JITTER_MS;
	return mayRepeat && !isTooLong && !isLast ? { afterMs, toldMs } : { toldMs };
}

/** Whether what went wrong may have passed by the next attempt. */
function mayPass({ response, problem }: Outcome): boolean {
	if (response === undefined || problem === 'broken-json') return true;
	return problem === undefined && RETRIED_STATUSES.has(response.status);
}

function mayRepeatWrite(outcome: Outcome, { retryWrites }: RetryPolicy): boolean {
	if (retryWrites === 'whenSurelyNotApplied') return !mayBeApplied(outcome);
	return retryWrites === 'automatic';
}

/** Whether the platform may have done what the request asked for, although no answer says so. */
export function mayBeApplied({ response, problem, networkCode }: Outcome): boolean {
	if (response === undefined) return !NOT_CONNECTED.has(networkCode);
	if (problem !== undefined) return UNCLEAR_PROBLEMS.has(problem);
	const { status } = response;
	// 501 says that there is nothing that could do it.
	return (status >= 500 && status !== 501) || status === 408;
}

/**
 * How long the platform told us to wait: Retry-After, and where the day is spent until its end, whatever
 * Retry-After says or does not say (API document, "Limits").
 *
 * @param nowMs Unix ms
 * @returns ms; undefined where it told nothing
 */
export function toldToWaitMs(outcome: Outcome, nowMs: number): number | undefined {
	const { budget } = outcome;
	return isTooManyRequests(outcome) && budget.dayRemaining === 0
		? Math.max(budget.retryAfterMs ?? 0, untilNextDay(budget, nowMs))
		: budget.retryAfterMs;
}

function untilNextDay({ serverTimeMs }: BudgetReading, nowMs: number): number {
	const atMs = serverTimeMs ?? nowMs;
	return nextUtcDay(atMs) - atMs;
}

/** The first wait without a Retry-After is at most this; it doubles with every attempt. ms. */
const BACKOFF_BASE_MS = 500;

/** No single wait without a Retry-After is longer. ms. */
export const BACKOFF_CAP_MS = 20_000;

/** Doubles with each time, up to the cap. `times` is at least 1. Returns ms. */
export function doublingMs(times: number): number {
	return Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (times - 1));
}

/**
 * Exponential with full jitter: anywhere between 0 and the doubling bound.
 *
 * @param attempts so far, at least 1
 * @param random 0 ≤ x < 1
 * @returns ms
 */
export function backoff(attempts: number, random: number): number {
	return Math.round(random * doublingMs(attempts));
}
