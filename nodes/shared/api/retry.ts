import { nextUtcDay, readBudget, readRetryAfter } from './budget';

/** The first wait without a Retry-After is at most this; it doubles with every attempt. ms. */
export const BACKOFF_BASE_MS = 500;
/** No single wait without a Retry-After is longer. ms. */
export const BACKOFF_CAP_MS = 20_000;
/** A Retry-After is lengthened by up to this, so that waiting clients do not all come back at once. ms. */
export const RETRY_AFTER_JITTER_MS = 250;

/** Answers after which the same request may well succeed (API document, "Errors", and HTTP's own meaning). */
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** How one attempt ended. */
export type Outcome =
	| { kind: 'answer'; status: number; headers: Record<string, string> }
	/** The answer began but could not be read or parsed. */
	| { kind: 'broken-answer'; status: number; headers: Record<string, string> }
	/** No answer: refused, reset, timed out. */
	| { kind: 'no-answer'; code?: string };

/** What to do after an attempt. `reason` tells why there is no further one. */
export type Verdict =
	| { kind: 'done' }
	| { kind: 'retry'; afterMs: number }
	| { kind: 'give-up'; reason: 'final' | 'attempts' | 'wait-too-long'; retryAfterMs?: number };

export interface RetryPolicy {
	maxAttempts: number;
	/** ms over all waits of one request. */
	maxWaitMs: number;
}

/**
 * Judges one attempt. Every request that this package sends may be repeated: reads and PUT by nature, and
 * every write since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param attempt 1 for the first
 * @param waitedMs sum of the waits before this attempt
 * @param nowMs Unix ms
 * @param random 0 ≤ x < 1
 */
export function judge(
	outcome: Outcome,
	attempt: number,
	waitedMs: number,
	policy: RetryPolicy,
	nowMs: number,
	random: number,
): Verdict {
	if (outcome.kind === 'answer' && !PASSING_STATUSES.has(outcome.status)) {
		return outcome.status < 400 ? { kind: 'done' } : { kind: 'give-up', reason: 'final' };
	}
	const told = toldToWaitMs(outcome, nowMs);
	const afterMs =
		told === undefined
			? backoff(attempt, random)
			: told + Math.round(random * RETRY_AFTER_JITTER_MS);
	if (told !== undefined && waitedMs + told > policy.maxWaitMs) {
		return { kind: 'give-up', reason: 'wait-too-long', retryAfterMs: told };
	}
	if (
		attempt >= policy.maxAttempts ||
		waitedMs + afterMs > policy.maxWaitMs + RETRY_AFTER_JITTER_MS
	) {
		return { kind: 'give-up', reason: 'attempts', retryAfterMs: told };
	}
	return { kind: 'retry', afterMs };
}

/**
 * How long the platform told us to wait: Retry-After, and where the day is spent until its end, whatever
 * Retry-After says or does not say (API document, "Limits").
 *
 * @param nowMs Unix ms
 * @returns ms; undefined where it told nothing
 */
export function toldToWaitMs(outcome: Outcome, nowMs: number): number | undefined {
	if (outcome.kind === 'no-answer') return undefined;
	const told = readRetryAfter(outcome.headers['retry-after'], nowMs);
	const { dayRemaining, serverTimeMs = nowMs } = readBudget(outcome.headers);
	if (outcome.status !== 429 || dayRemaining !== 0) return told;
	return Math.max(told ?? 0, nextUtcDay(serverTimeMs) - serverTimeMs);
}

/**
 * Exponential with full jitter: anywhere between 0 and the doubling bound.
 *
 * @returns ms
 */
export function backoff(attempt: number, random: number): number {
	return Math.round(random * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1)));
}
