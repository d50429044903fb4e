import type { Outcome } from './attempt';
import { nextUtcDay, type BudgetReading } from './budget';

/** The first wait without a Retry-After is at most this; it doubles with every attempt. ms. */
export const BACKOFF_BASE_MS = 500;
/** No single wait without a Retry-After is longer. ms. */
export const BACKOFF_CAP_MS = 20_000;
/** A Retry-After is lengthened by up to this, so that waiting clients do not all come back at once. ms. */
export const RETRY_AFTER_JITTER_MS = 250;

/** Answers after which the same request may well succeed (API document, "Errors", and HTTP's own meaning). */
const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** What to do after an attempt. */
export type RetryDecision =
	| { kind: 'done' }
	| { kind: 'retry'; afterMs: number }
	| {
			kind: 'give-up';
			/** Why there is no further attempt. */
			reason: 'final' | 'attempts' | 'wait-too-long';
			/** What the platform told to wait, ms. */
			retryAfterMs?: number;
	  };

export interface RetryPolicy {
	/** Attempts of one request at most, the first included. */
	maxAttempts: number;
	/** ms over all waits of one request. */
	maxWaitMs: number;
}

/** What a request has behind it. */
export interface Tried {
	/** Attempts so far, at least 1. */
	attempts: number;
	/** Sum of the waits between them, ms. */
	waitedMs: number;
}

/**
 * Decides what to do after an attempt. Every request that this package sends may be repeated: reads and PUT by
 * nature, and every write since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param nowMs Unix ms
 * @param random 0 ≤ x < 1
 */
export function decideRetry(
	outcome: Outcome,
	{ attempts, waitedMs }: Tried,
	policy: RetryPolicy,
	nowMs: number,
	random: number,
): RetryDecision {
	if (!mayPass(outcome)) {
		const failed = outcome.kind !== 'answered' || outcome.response.status >= 400;
		return failed ? { kind: 'give-up', reason: 'final' } : { kind: 'done' };
	}
	const told = toldToWaitMs(outcome, nowMs);
	const afterMs =
		told === undefined
			? backoff(attempts, random)
			: told + Math.round(random * RETRY_AFTER_JITTER_MS);
	if (told !== undefined && waitedMs + told > policy.maxWaitMs) {
		return { kind: 'give-up', reason: 'wait-too-long', retryAfterMs: told };
	}
	const tooLong = waitedMs + afterMs > policy.maxWaitMs + RETRY_AFTER_JITTER_MS;
	if (attempts >= policy.maxAttempts || tooLong) {
		return { kind: 'give-up', reason: 'attempts', retryAfterMs: told };
	}
	return { kind: 'retry', afterMs };
}

/** Whether what went wrong may have passed by the next attempt. */
function mayPass(outcome: Outcome): boolean {
	if (outcome.kind === 'unanswered') return true;
	if (outcome.kind === 'unusable') return outcome.problem === 'broken-json';
	return RETRIED_STATUSES.has(outcome.response.status);
}

/**
 * How long the platform told us to wait: Retry-After, and where the day is spent until its end, whatever
 * Retry-After says or does not say (API document, "Limits").
 *
 * @param nowMs Unix ms
 * @returns ms; undefined where it told nothing
 */
export function toldToWaitMs(outcome: Outcome, nowMs: number): number | undefined {
	const budget = 'budget' in outcome ? outcome.budget : undefined;
	if (budget === undefined) return undefined;
	return isTooManyRequests(outcome) && budget.dayRemaining === 0
		? Math.max(budget.retryAfterMs ?? 0, untilNextDay(budget, nowMs))
		: budget.retryAfterMs;
}

/** Whether the platform answered 429: the minute's or the day's budget is exceeded. */
export function isTooManyRequests(outcome: Outcome): boolean {
	return outcome.kind === 'answered' && outcome.response.status === 429;
}

function untilNextDay({ serverTimeMs }: BudgetReading, nowMs: number): number {
	const atMs = serverTimeMs ?? nowMs;
	return nextUtcDay(atMs) - atMs;
}

/**
 * Exponential with full jitter: anywhere between 0 and the doubling bound.
 *
 * @param attempts so far, at least 1
 * @returns ms
 */
export function backoff(attempts: number, random: number): number {
	return Math.round(random * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempts - 1)));
}
