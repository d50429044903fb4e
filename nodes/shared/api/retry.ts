import { isInDevelopment } from '../errors/errorBody';
import { NOT_CONNECTED } from '../errors/texts';
import { hasField } from '../values/json';
import type { Outcome } from './answer';
import { doublingMs } from './clock';
import type { SendOptions } from './request';

/** A Retry-After is lengthened by up to this, so that waiting clients do not all come back at once. ms. */
const RETRY_AFTER_JITTER_MS = 250;

/** Answers after which the same request may well succeed (API document, "Errors", and HTTP's own meaning). */
const RETRIED_STATUSES = new Set([408, 500, 502, 503, 504]);

/**
 * Decides what to do after an attempt that was not the end of its request. Every request may be repeated: reads and
 * PUT by nature, and every write since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param tried whether the request is no GET, its attempts so far (at least 1), and the sum of the waits between them
 * @param random 0 ≤ x < 1
 * @returns when to try again, ms; undefined where there is no further attempt
 */
export function decideRetry(
	outcome: Outcome,
	tried: { isWrite: boolean; attempts: number; waitedMs: number },
	options: Pick<SendOptions, 'maxAttempts' | 'maxWaitMs' | 'retryWrites'>,
	random: number,
): number | undefined {
	const { maxAttempts, maxWaitMs, retryWrites } = options;
	if (!mayPass(outcome) || maxWaitMs === 0 || tried.attempts >= maxAttempts) return undefined;
	const isSure = retryWrites === 'whenSurelyNotApplied' && !mayBeApplied(outcome);
	if (tried.isWrite && retryWrites !== 'automatic' && !isSure) return undefined;
	const { retryAfterMs } = outcome.budget;
	// Without a Retry-After: exponential, with full jitter.
	const waitMs = retryAfterMs ?? Math.round(random * doublingMs(tried.attempts));
	if (tried.waitedMs + waitMs > maxWaitMs) return undefined;
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
	const { status = 0, networkCode = '' } = details;
	if (problem === 'unreachable' || problem === 'timeout')
		return !hasField(NOT_CONNECTED, networkCode);
	if (problem === 'refused') return (status >= 500 || status === 408) && !isInDevelopment(details);
	// 303 points to the outcome of what was done (RFC 9110, 15.4.4); other redirects to where to ask instead.
	if (problem === 'redirect') return status === 303;
	// Answers with success whose content is not known.
	return ['too-large', 'not-json', 'broken-json'].includes(problem ?? '');
}
