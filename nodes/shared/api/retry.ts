import { type BudgetReading, nextUtcDay } from './answer';
import { isDone, isTooManyRequests, type Outcome } from './attempt';
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

/** What to do after an attempt. */
export type RetryDecision =
	| { kind: 'done' }
	| { kind: 'retry'; afterMs: number }
	| {
			kind: 'give-up';
			/** Why there is no further attempt. */
			reason: 'final' | 'attempts' | 'wait-too-long' | 'write';
			/** What the platform told to wait, ms. */
			retryAfterMs?: number;
	  };

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
	if (!mayPass(outcome)) {
		return isDone(outcome) ? { kind: 'done' } : { kind: 'give-up', reason: 'final' };
	}
	const retryAfterMs = toldToWaitMs(outcome, nowMs);
	if (isWrite && !mayRepeatWrite(outcome, policy)) {
		return { kind: 'give-up', reason: 'write', retryAfterMs };
	}
	if (retryAfterMs !== undefined && waitedMs + retryAfterMs > policy.maxWaitMs) {
		return { kind: 'give-up', reason: 'wait-too-long', retryAfterMs };
	}
	const afterMs =
		retryAfterMs === undefined
			? backoff(attempts, random)
			: retryAfterMs + Math.round(random * RETRY_AFTER_JITTER_MS);
	const tooLong = waitedMs + afterMs > policy.maxWaitMs + RETRY_AFTER_JITTER_MS;
	if (policy.maxWaitMs === 0 || attempts >= policy.maxAttempts || tooLong) {
		return { kind: 'give-up', reason: 'attempts', retryAfterMs };
	}
	return { kind: 'retry', afterMs };
}

/** Whether what went wrong may have passed by the next attempt. */
function mayPass(outcome: Outcome): boolean {
	if (outcome.kind === 'unanswered') return true;
	if (outcome.kind === 'unusable') return outcome.problem === 'broken-json';
	return RETRIED_STATUSES.has(outcome.response.status);
}

function mayRepeatWrite(outcome: Outcome, { retryWrites }: RetryPolicy): boolean {
	if (retryWrites === 'whenSurelyNotApplied') return !mayBeApplied(outcome);
	return retryWrites === 'automatic';
}

/** Whether the platform may have done what the request asked for, although no answer says so. */
export function mayBeApplied(outcome: Outcome): boolean {
	if (outcome.kind === 'unanswered') return !NOT_CONNECTED.has(outcome.networkCode);
	if (outcome.kind === 'unusable') return UNCLEAR_PROBLEMS.has(outcome.problem);
	return outcome.response.status >= 500 || outcome.response.status === 408;
}

/**
 * How long the platform told us to wait: Retry-After, and where the day is spent until its end, whatever
 * Retry-After says or does not say (API document, "Limits").
 *
 * @param nowMs Unix ms
 * @returns ms; undefined where it told nothing
 */
export function toldToWaitMs(outcome: Outcome, nowMs: number): number | undefined {
	if (outcome.kind === 'unanswered') return undefined;
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
export const BACKOFF_BASE_MS = 500;

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
