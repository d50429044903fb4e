import type { By, Dialect } from '../dialects/dialect';

/** Retry policy: delays after each failure, in s. The second one is Enterprise's own (`retrySchedule`). */
const RETRY_DELAYS_S: By<'retrySchedule', readonly number[]> = {
	five: [60, 300, 1_800, 7_200, 86_400],
	short: [10, 60, 600],
};

/**
 * How long to wait for the next attempt, in ms; `undefined` when the delivery is dead.
 *
 * @param failures attempts that have failed so far.
 * @param factor scales the delay.
 */
export function retryDelayMs(
	failures: number,
	factor: number,
	schedule: Dialect['retrySchedule'] = 'five',
): number | undefined {
	const seconds = RETRY_DELAYS_S[schedule][failures - 1];
	return seconds === undefined ? undefined : seconds * 1_000 * factor;
}
