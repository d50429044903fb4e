import type { WaitSummary } from '../../shared/api/client';

/** A wait that a user notices. ms. */
const LONG_WAIT_MS = 10_000;

/**
 * A sentence about how long a run waited for the platform, so that a slow run explains itself.
 *
 * @returns undefined where it hardly waited
 */
export function waitHint({
	rateLimitMs,
	retries,
	longestRetryWaitMs,
}: WaitSummary): string | undefined {
	if (rateLimitMs >= LONG_WAIT_MS) {
		return `This run waited ${inWords(rateLimitMs)} because the request budget of the API key was used up. Fewer requests, a larger plan or a capacity package help.`;
	}
	if (longestRetryWaitMs < LONG_WAIT_MS) return undefined;
	return `This run repeated ${retries === 1 ? 'one request' : `${retries} requests`} that failed, and waited up to ${inWords(longestRetryWaitMs)} for one of them. The platform had faults or was rate limiting.`;
}

function inWords(ms: number): string {
	const seconds = Math.round(ms / 1000);
	if (seconds < 120) return `${seconds} seconds`;
	return `${Math.round(seconds / 60)} minutes`;
}
