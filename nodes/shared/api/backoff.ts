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
