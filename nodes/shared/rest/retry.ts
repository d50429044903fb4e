import { isFault } from './errorBody';
import { networkErrorOf } from './network';
import { doublingMs } from './clock';
import type { Outcome, SendOptions } from './request';

/** Up to this is added to a Retry-After, so that waiting clients do not all come back at once. ms. */
const RETRY_AFTER_JITTER_MS = 250;

/** The attempts of a request so far. */
interface AttemptHistory {
	/** Whether the request is anything but a GET. */
	isWrite: boolean;
	/** At least 1. */
	attempts: number;
	/** The sum of the waits between the attempts, ms. */
	waitedMs: number;
}

/**
 * Decides whether a failed attempt is repeated. Every request may be repeated: reads and PUT by nature, and every write
 * since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param random 0 ≤ x < 1
 * @returns the wait before the next attempt, ms; undefined if there is none
 */
export function decideRetry(
	outcome: Outcome,
	history: AttemptHistory,
	options: Pick<SendOptions, 'maxAttempts' | 'maxWaitMs' | 'retryWrites'>,
	random: number,
): number | undefined {
	const { maxAttempts, maxWaitMs, retryWrites } = options;
	// The request would fail again.
	if (!mayPass(outcome)) return undefined;
	// The user wants a single attempt, or the last attempt was made.
	if (maxWaitMs === 0 || history.attempts >= maxAttempts) return undefined;
	// The user does not want writes repeated, or not those that may have been applied.
	if (history.isWrite && retryWrites === 'never') return undefined;
	if (history.isWrite && retryWrites === 'whenSurelyNotApplied' && mayHaveApplied(outcome))
		return undefined;
	const { retryAfterMs } = outcome.budget;
	// Without a Retry-After: exponential backoff with full jitter.
	const waitMs = retryAfterMs ?? Math.round(random * doublingMs(history.attempts));
	// All waits together would be longer than the user wants to wait.
	if (history.waitedMs + waitMs > maxWaitMs) return undefined;
	return retryAfterMs === undefined ? waitMs : waitMs + Math.round(random * RETRY_AFTER_JITTER_MS);
}

/** Whether the failure may be over by the next attempt. */
function mayPass({ problem, details }: Outcome): boolean {
	if (problem === 'unreachable') return networkErrorOf(details.networkCode).isRetried;
	if (problem === 'refused') return isFault(details);
	return problem === 'timeout' || problem === 'broken-json' || problem === 'budget-spent';
}

/** Whether the platform may have applied the request, although no answer says so. */
export function mayHaveApplied({ problem, details }: Outcome): boolean {
	if (details.neverSent === true) return false;
	if (problem === 'unreachable' || problem === 'timeout') return true;
	// A fault does not tell how far the platform got.
	if (problem === 'refused') return isFault(details);
	// A server answers “See Other” after a write that it has done.
	if (problem === 'redirect') return details.status === 303;
	// The answer says success, but its content cannot be read.
	return problem === 'too-large' || problem === 'not-json' || problem === 'broken-json';
}
