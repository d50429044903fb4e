import { isInDevelopment } from '../errors/errorBody';
import type { Outcome } from './outcome';
import type { SendOptions } from './request';

/** A Retry-After is lengthened by up to this, so that waiting clients do not all come back at once. ms. */
export const RETRY_AFTER_JITTER_MS = 250;

/** Answers after which the same request may well succeed (API document, "Errors", and HTTP's own meaning). */
const RETRIED_STATUSES = new Set([408, 500, 502, 503, 504]);

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
 * Decides what to do after an attempt that was not the end of its request. Every request may be repeated: reads and
 * PUT by nature, and every write since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param random 0 ≤ x < 1
 * @returns when to try again, ms; undefined where there is no further attempt
 */
export function decideRetry(
	outcome: Outcome,
	{ isWrite, attempts, waitedMs }: Tried,
	{
		maxAttempts,
		maxWaitMs,
		retryWrites,
	}: Pick<SendOptions, 'maxAttempts' | 'maxWaitMs' | 'retryWrites'>,
	random: number,
): number | undefined {
	const mayRepeat =
		!isWrite ||
		(retryWrites === 'whenSurelyNotApplied' ? !mayBeApplied(outcome) : retryWrites === 'automatic');
	if (!mayPass(outcome) || !mayRepeat) return undefined;
	const { retryAfterMs } = outcome.budget;
	const waitMs = retryAfterMs ?? backoff(attempts, random);
	if (maxWaitMs === 0 || attempts >= maxAttempts || waitedMs + waitMs > maxWaitMs) return undefined;
	return retryAfterMs === undefined ? waitMs : waitMs + Math.round(random * RETRY_AFTER_JITTER_MS);
}

/** Whether what went wrong may have passed by the next attempt. */
function mayPass({ problem, details }: Outcome): boolean {
	if (problem === 'refused')
		return RETRIED_STATUSES.has(details.status ?? 0) && !isInDevelopment(details);
	return ['unreachable', 'timeout', 'broken-json', 'budget-spent'].includes(problem ?? '');
}

/** Whether the platform may have done what the request asked for, although no answer says so. */
export function mayBeApplied({ problem, details }: Outcome): boolean {
	const { status = 0, networkCode } = details;
	if (problem === 'unreachable' || problem === 'timeout') return !NOT_CONNECTED.has(networkCode);
	if (problem === 'refused') return (status >= 500 || status === 408) && !isInDevelopment(details);
	return UNCLEAR_PROBLEMS.has(problem ?? '');
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
