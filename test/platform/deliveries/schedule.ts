/** Retry policy: delays after each failure, in s (1 min, 5 min, 30 min, 2 h, 24 h). */
const RETRY_DELAYS_S = [60, 300, 1_800, 7_200, 86_400] as const;

/**
 * How long to wait for the next attempt, in ms; `undefined` when the delivery is dead.
 *
 * @param failures attempts that have failed so far.
 * @param factor scales the delay.
 */
export function retryDelayMs(failures: number, factor: number): number | undefined {
	const seconds = RETRY_DELAYS_S[failures - 1];
	return seconds === undefined ? undefined : seconds * 1_000 * factor;
}
