import { nextUtcDay, type BudgetReading } from './budget';

/** Timers and the platform's clock differ a little: start this much after a window's end. ms. */
const RESET_MARGIN_MS = 15;

/** Clocks closer together than this are taken as equal, since the Date header has whole seconds. ms. */
const SKEW_TOLERANCE_MS = 2_000;

/**
 * The Date header has whole seconds, so the end of a window that is computed from it is up to a second late, by
 * another amount each time. Two ends closer together than this are the same end. ms.
 */
const SAME_WINDOW_MS = 1_500;

/** A window is a minute long (API document, "Limits"); an end further away is a mistake. ms. */
const LONGEST_WINDOW_MS = 61_000;

/** A hold that is too long to wait for is tried again after this time, in case the shop bought capacity. ms. */
const LONG_HOLD_RECHECK_MS = 60_000;

/** May a request start now? If not: when to ask again, or that only an answer that is still out can tell. */
export type Decision =
	| { kind: 'go' }
	| { kind: 'wait'; ms: number }
	| { kind: 'wait-for-answer' }
	| { kind: 'blocked'; untilMs: number };

/** What is known of a key's rate limit; undefined where the platform has not told it. */
export interface RateLimitSnapshot {
	/** Requests a minute. */
	limit?: number;
	/** Requests left in the minute. */
	remaining?: number;
	/** Requests a UTC day. */
	dayLimit?: number;
	/** Requests left in the UTC day. */
	dayRemaining?: number;
	/** The share of the day's requests that is left, percent; undefined once that day is over. */
	dayPercent?: number;
	/** When that day ends, Unix ms; undefined once it is over. */
	dayEndsAtMs?: number;
}

/**
 * What one process knows of an API key's rate limit. Pure bookkeeping: what answers say goes in, the decision
 * whether a request may start comes out.
 */
export class RateLimitState {
	private limit?: number;
	private remaining?: number;
	/** Local clock, Unix ms. */
	private resetAtMs = 0;
	private holdUntilMs = 0;
	private holdKnownAtMs = 0;
	private day?: { limit: number; remaining: number; endsAtMs: number };

	/**
	 * Takes in what an answer said. Answers may arrive out of order: within one window the smallest
	 * remainder counts.
	 *
	 * @param nowMs Unix ms when the answer arrived
	 */
	update(reading: BudgetReading, nowMs: number): void {
		if (reading.limit !== undefined) this.limit = reading.limit;
		if (reading.dayLimit !== undefined && reading.dayRemaining !== undefined) {
			this.day = {
				limit: reading.dayLimit,
				remaining: reading.dayRemaining,
				endsAtMs: nextUtcDay(reading.serverTimeMs ?? nowMs),
			};
		}
		if (reading.remaining === undefined || reading.resetAtMs === undefined) return;
		const skewMs = skewOf(reading, nowMs);
		const resetAtMs = Math.min(reading.resetAtMs - skewMs, nowMs + LONGEST_WINDOW_MS);
		const laterMs = resetAtMs - this.resetAtMs;
		const blurMs = skewMs === 0 ? 0 : SAME_WINDOW_MS;
		if (laterMs < -blurMs) return;
		const known = this.remaining;
		const same = known !== undefined && Math.abs(laterMs) <= blurMs;
		this.remaining = same ? Math.min(known, reading.remaining) : reading.remaining;
		this.resetAtMs = same ? Math.min(this.resetAtMs, resetAtMs) : resetAtMs;
	}

	/** Holds every request of this key until then (a 429's Retry-After). Both Unix ms. */
	holdUntil(atMs: number, nowMs: number): void {
		this.holdUntilMs = Math.max(this.holdUntilMs, atMs);
		this.holdKnownAtMs = nowMs;
	}

	/**
	 * @param pending requests whose answers are still out; any of them may or may not be counted in the
	 *   last remainder, so all of them are subtracted from it
	 * @param nowMs Unix ms
	 * @param maxWaitMs a hold that lasts longer is not waited for. It is the caller's own setting, which never
	 *   decides over another caller's requests
	 */
	decide(pending: number, nowMs: number, maxWaitMs = Number.POSITIVE_INFINITY): Decision {
		const holdMs = this.holdUntilMs - nowMs;
		if (holdMs > 0 && holdMs <= maxWaitMs) return { kind: 'wait', ms: holdMs };
		if (holdMs > 0 && nowMs < this.holdKnownAtMs + LONG_HOLD_RECHECK_MS) {
			return { kind: 'blocked', untilMs: this.holdUntilMs };
		}
		if (this.remaining === undefined) return { kind: 'go' };
		const windowEndsMs = this.resetAtMs + RESET_MARGIN_MS;
		const budget = nowMs < windowEndsMs ? this.remaining : (this.limit ?? Number.POSITIVE_INFINITY);
		if (budget - pending > 0) return { kind: 'go' };
		if (nowMs < windowEndsMs) return { kind: 'wait', ms: windowEndsMs - nowMs };
		return pending > 0 ? { kind: 'wait-for-answer' } : { kind: 'go' };
	}

	/**
	 * The share of the day's budget that is left, or undefined while it is not known for today.
	 *
	 * @param pending requests that may not be counted yet
	 * @param nowMs Unix ms
	 * @returns percent and the end of the UTC day in Unix ms
	 */
	dailyBudget(pending: number, nowMs: number): { percent: number; endsAtMs: number } | undefined {
		if (this.day === undefined || this.day.limit <= 0 || nowMs >= this.day.endsAtMs)
			return undefined;
		const left = Math.max(0, this.day.remaining - pending);
		return { percent: (100 * left) / this.day.limit, endsAtMs: this.day.endsAtMs };
	}

	/** @param nowMs Unix ms */
	snapshot(nowMs: number): RateLimitSnapshot {
		const day = this.dailyBudget(0, nowMs);
		return {
			limit: this.limit,
			remaining: this.remaining,
			dayLimit: this.day?.limit,
			dayRemaining: this.day?.remaining,
			dayPercent: day?.percent,
			dayEndsAtMs: day?.endsAtMs,
		};
	}
}

function skewOf(reading: BudgetReading, nowMs: number): number {
	if (reading.serverTimeMs === undefined) return 0;
	const skew = reading.serverTimeMs - nowMs;
	return Math.abs(skew) > SKEW_TOLERANCE_MS ? skew : 0;
}
