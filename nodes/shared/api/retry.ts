import { isInDevelopment } from '../errors/errorBody';
import { networkErrorOf } from '../errors/networkErrors';
import { doublingMs } from './clock';
import type { Outcome, PlatformRequest, SendOptions } from './request';

/** A Retry-After is lengthened by up to this, so that waiting clients do not all come back at once. ms. */
const RETRY_AFTER_JITTER_MS = 250;

/** A host that does not exist, or a closed port, seldom passes, but it does while a server restarts. ms. */
const BRIEF_WAIT_MS = 5_000;

/** What became of the attempts of a request so far. */
interface Tried {
	/** The request is no GET. */
	isWrite: boolean;
	/** At least 1. */
	attempts: number;
	/** The sum of the waits between the attempts, ms. */
	waitedMs: number;
	/** The part of it after attempts that are retried briefly, ms. */
	briefMs: number;
}

/**
 * Decides what to do after an attempt that was not the end of its request. Every request may be repeated: reads and
 * PUT by nature, and every write since it carries an Idempotency-Key (API document, "Errors", 2).
 *
 * @param random 0 ≤ x < 1
 * @returns when to try again, ms; undefined if there is no further attempt
 */
export function decideRetry(
	outcome: Outcome,
	tried: Tried,
	options: Pick<SendOptions, 'maxAttempts' | 'maxWaitMs' | 'retryWrites'>,
	random: number,
): number | undefined {
	const { maxAttempts, maxWaitMs, retryWrites } = options;
	// It would fail again.
	if (!mayPass(outcome)) return undefined;
	// The user wants one attempt, or has had as many as wanted.
	if (maxWaitMs === 0 || tried.attempts >= maxAttempts) return undefined;
	// The user wants writes never repeated, or not where one may be applied.
	if (tried.isWrite && retryWrites === 'never') return undefined;
	if (tried.isWrite && retryWrites === 'whenSurelyNotApplied' && mayHaveApplied(outcome))
		return undefined;
	const { retryAfterMs } = outcome.budget;
	// Without a Retry-After: exponential, with full jitter.
	const waitMs = retryAfterMs ?? Math.round(random * doublingMs(tried.attempts));
	// Together the waits would be longer than the user waits.
	if (tried.waitedMs + waitMs > maxWaitMs) return undefined;
	if (isBrief(outcome) && tried.briefMs + waitMs > BRIEF_WAIT_MS) return undefined;
	return retryAfterMs === undefined ? waitMs : waitMs + Math.round(random * RETRY_AFTER_JITTER_MS);
}

/** Whether an outcome is retried for some seconds only. */
export const isBrief = ({ problem, details }: Outcome): boolean =>
	problem === 'unreachable' && networkErrorOf(details.networkCode).retry === 'briefly';

/** Whether what went wrong may have passed by the next attempt. */
function mayPass({ problem, details }: Outcome): boolean {
	if (problem === 'unreachable') return networkErrorOf(details.networkCode).retry !== 'no';
	// A fault of the platform or of what stands before it; 408 says that the request came too slowly.
	if (problem === 'refused') return isFault(details.status) && !isInDevelopment(details);
	return problem === 'timeout' || problem === 'broken-json' || problem === 'budget-spent';
}

/** Whether the platform may have done what the request asked for, although no answer says so. */
export function mayHaveApplied({ problem, details }: Outcome): boolean {
	if (details.neverSent === true) return false;
	if (problem === 'unreachable' || problem === 'timeout') return true;
	// A fault does not say how far the platform had come.
	if (problem === 'refused') return isFault(details.status) && !isInDevelopment(details);
	// “See Other” is how a server sends a browser on after a write that is done.
	if (problem === 'redirect') return details.status === 303;
	// Answers with success whose content is not known.
	return problem === 'too-large' || problem === 'not-json' || problem === 'broken-json';
}

const isFault = (status = 0): boolean => status >= 500 || status === 408;

/** A reading older than this is not written by. ms. */
const FRESH_MS = 5_000;

/** Whether what a write is built on may have changed: it had to wait, or an attempt was refused for certain. */
export const isStale = ({ readAtMs }: PlatformRequest, attempts: number, nowMs: number): boolean =>
	readAtMs !== undefined && (attempts > 1 || nowMs - readAtMs > FRESH_MS);
