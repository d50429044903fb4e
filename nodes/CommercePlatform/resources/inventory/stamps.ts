/** The latest time that was written for each stock level, Unix ms. Shared by all executions of this process. */
const latest = new Map<string, number>();

/** Beyond this, times are forgotten that the clock has passed: they cannot come again. */
const MAX_KNOWN = 10_000;

/**
 * A time for a write to a stock level that is later than that of any write before it, since the platform refuses
 * what is not newer than what it has (API document, "Inventory").
 *
 * @param target names the level
 * @param earliestMs Unix ms, usually now
 * @returns ISO 8601 in UTC
 */
export function nextStamp(target: string, earliestMs: number): string {
	const stampMs = Math.max(earliestMs, (latest.get(target) ?? 0) + 1);
	if (latest.size >= MAX_KNOWN) forgetBefore(earliestMs);
	latest.set(target, stampMs);
	return new Date(stampMs).toISOString();
}

function forgetBefore(nowMs: number): void {
	for (const [target, stampMs] of latest) if (stampMs < nowMs) latest.delete(target);
}
