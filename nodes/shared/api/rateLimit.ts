import { type Budget, nextUtcDay } from './answer';
import { doublingMs } from './retry';

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

/**
 * Processes that share a key know nothing of each other's requests under way. One that does not have the key for itself
 * sends while its share of what is left covers this many times what it has under way, so that all of them together stay
 * within it. Found by simulation (`shares.test.ts`): less is refused too often, more leaves too much of a window unused.
 */
const SHARE_MARGIN = 3;

/** From this part of all counted requests on, a process has the key for itself; answers that are out make it less. */
const ALONE = 0.9;

/** Who sends less than this takes part with a least share, and need not wait for a window's end behind a busy other. */
const SMALL_ASKER = { requests: 3, share: 0.05 };

/** A hold that is too long to wait for is tried again after this time, in case the shop bought capacity. ms. */
const LONG_HOLD_RECHECK_MS = 60_000;

/** A moment by both clocks: only the second one never jumps, so everything here is kept by it. */
interface Moment {
	/** Unix ms, to read what the platform says of times. */
	unixMs: number;
	monotonicMs: number;
}

/** A caller's own settings, which never decide over another caller's requests. */
export interface Caller {
	/** A hold that lasts longer is not waited for, ms. */
	maxWaitMs: number;
	/** The share of the minute's budget to leave for others, 0..100. */
	keepPercent: number;
}

/** May a request start now? If not: when to ask again, or that only an answer that is still out can tell. */
type Decision =
	| { kind: 'go' }
	/** `own`: only this caller has to wait, by its own setting. */
	| { kind: 'wait'; ms: number; own: boolean }
	| { kind: 'wait-for-answer'; own: boolean }
	/** The hold lasts longer than the caller waits. */
	| { kind: 'blocked'; ms: number };

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
 * whether a request may start comes out. All times are monotonic ms, unless they are said to be Unix ms.
 */
export class RateLimitState {
	private limit?: number;
	private remaining?: number;
	private windowEndsMs = Number.NEGATIVE_INFINITY;
	/** Own requests that this window counted. */
	private own = 0;
	/** Of the windows before, each counting half of the next: own requests, and those of all processes. */
	private earlier = { own: 0, all: 0 };
	private chance = 0;
	private hold?: { untilMs: number; knownAtMs: number };
	private refusals = { inARow: 0, lastAtMs: Number.NEGATIVE_INFINITY };
	private day?: { limit: number; remaining: number; endsMs: number };

	/**
	 * Takes in what an answer told of the key.
	 *
	 * @param startedMs when its request was sent
	 * @param at when it arrived
	 * @param chance 0 ≤ x < 1, another one at each answer
	 */
	takeIn(budget: Budget, startedMs: number, at: Moment, chance: number): void {
		this.update(budget, at, chance);
		if (budget.verdict === 'refused') this.refused(budget.retryAfterMs, startedMs, at.monotonicMs);
		if (budget.verdict === 'accepted') this.accepted(startedMs);
	}

	/**
	 * Takes in what an answer said. Answers may arrive out of order: within one window the smallest
	 * remainder counts.
	 *
	 * @param at when the answer arrived
	 * @param chance 0 ≤ x < 1, another one at each answer, so that processes that know the same do not all act the same
	 */
	update(reading: Budget, at: Moment, chance = 0): void {
		this.chance = chance;
		if (reading.limit !== undefined) this.limit = reading.limit;
		const platformMs = platformTime(reading, at);
		if (reading.dayLimit !== undefined && reading.dayRemaining !== undefined) {
			const endsMs = at.monotonicMs + nextUtcDay(platformMs) - platformMs;
			this.day = { limit: reading.dayLimit, remaining: reading.dayRemaining, endsMs };
		}
		if (reading.remaining === undefined || reading.resetAtMs === undefined) return;
		const leftMs = Math.min(reading.resetAtMs - platformMs, LONGEST_WINDOW_MS);
		this.updateWindow(reading.remaining, leftMs, at.monotonicMs);
	}

	private updateWindow(remaining: number, leftMs: number, nowMs: number): void {
		const endsMs = nowMs + leftMs;
		const laterMs = endsMs - this.windowEndsMs;
		if (this.remaining !== undefined && Math.abs(laterMs) <= SAME_WINDOW_MS) {
			this.remaining = Math.min(this.remaining, remaining);
			this.windowEndsMs = Math.min(this.windowEndsMs, endsMs);
			return;
		}
		// An answer of an earlier window that comes late. An end that is still ahead corrects the known one.
		if (laterMs < 0 && leftMs <= SAME_WINDOW_MS) return;
		this.earlier = this.counted(true);
		this.own = 0;
		this.remaining = remaining;
		this.windowEndsMs = endsMs;
	}

	/** What was counted of late. A window begins with all of its limit. */
	private counted(isOver: boolean): { own: number; all: number } {
		const { limit = 0, remaining = limit, earlier } = this;
		const weight = isOver ? 0.5 : 1;
		return {
			own: weight * (earlier.own + this.own),
			all: weight * (earlier.all + limit - remaining),
		};
	}

	/**
	 * Takes in a 429: every request of this key is held. Where one follows another although the platform told to
	 * wait less, the waits double.
	 *
	 * @param waitMs what the platform told, ms; undefined where it told nothing
	 * @param startedMs when the request was sent; those that were sent together count as one
	 */
	refused(waitMs: number | undefined, startedMs: number, nowMs: number): void {
		const { inARow, lastAtMs } = this.refusals;
		const count = startedMs >= lastAtMs ? inARow + 1 : inARow;
		this.refusals = { inARow: count, lastAtMs: nowMs };
		const untilMs = nowMs + Math.max(waitMs ?? 0, count > 1 ? doublingMs(count - 1) : 0);
		this.hold = { untilMs: Math.max(this.hold?.untilMs ?? untilMs, untilMs), knownAtMs: nowMs };
	}

	/**
	 * Takes in that the platform accepted a request: a hold that was known before it was sent is over.
	 *
	 * @param startedMs when the request was sent
	 */
	accepted(startedMs: number): void {
		this.own++;
		if (startedMs >= this.refusals.lastAtMs) this.refusals.inARow = 0;
		if (this.hold !== undefined && startedMs >= this.hold.knownAtMs) this.hold = undefined;
	}

	/**
	 * @param pending requests whose answers are still out; any of them may or may not be counted in the
	 *   last remainder, so all of them are subtracted from it
	 */
	decide(pending: number, nowMs: number, caller: Caller): Decision {
		const held = this.decideHold(nowMs, caller.maxWaitMs);
		if (held !== undefined) return held;
		if (this.remaining === undefined) return { kind: 'go' };
		const leftMs = this.windowEndsMs + RESET_MARGIN_MS - nowMs;
		const budget = leftMs > 0 ? this.remaining : (this.limit ?? Number.POSITIVE_INFINITY);
		const free = budget - pending;
		const isKept = free <= this.reserve(caller.keepPercent);
		const isShared = free > 0 && !this.isWithinShare(budget, pending, leftMs <= 0);
		if (!isKept && !isShared) return { kind: 'go' };
		const own = free > 0 && !isShared;
		if (leftMs > 0) return { kind: 'wait', ms: leftMs, own };
		return pending > 0 ? { kind: 'wait-for-answer', own } : { kind: 'go' };
	}

	/** Whether one more request stays within this process's share of what is left. */
	private isWithinShare(budget: number, pending: number, isOver: boolean): boolean {
		const { own, all } = this.counted(isOver);
		if (this.limit === undefined || own + pending >= ALONE * all) return true;
		const least = own + pending < SMALL_ASKER.requests ? SMALL_ASKER.share : 0;
		return Math.max(own / all, least) * budget >= SHARE_MARGIN * (pending + this.chance);
	}

	private decideHold(nowMs: number, maxWaitMs: number): Decision | undefined {
		if (this.hold === undefined) return undefined;
		const ms = this.hold.untilMs - nowMs;
		if (ms <= 0) return undefined;
		if (ms <= maxWaitMs) return { kind: 'wait', ms, own: false };
		return nowMs < this.hold.knownAtMs + LONG_HOLD_RECHECK_MS ? { kind: 'blocked', ms } : undefined;
	}

	/** Requests of the minute to leave for others; never all of them. */
	private reserve(keepPercent: number): number {
		const limit = this.limit ?? 0;
		return Math.max(0, Math.min(Math.ceil((limit * keepPercent) / 100), limit - 1));
	}

	/**
	 * The share of the day's budget that is left, or undefined while it is not known for today.
	 *
	 * @param pending requests that may not be counted yet
	 * @returns percent, and the ms until the UTC day ends
	 */
	dailyBudget(pending: number, nowMs: number): { percent: number; endsInMs: number } | undefined {
		if (this.day === undefined || this.day.limit <= 0 || nowMs >= this.day.endsMs) return undefined;
		const left = Math.max(0, this.day.remaining - pending);
		return { percent: (100 * left) / this.day.limit, endsInMs: this.day.endsMs - nowMs };
	}

	snapshot(at: Moment): RateLimitSnapshot {
		const day = this.dailyBudget(0, at.monotonicMs);
		return {
			limit: this.limit,
			remaining: this.remaining,
			dayLimit: this.day?.limit,
			dayRemaining: this.day?.remaining,
			dayPercent: day?.percent,
			dayEndsAtMs: day && at.unixMs + Math.ceil(day.endsInMs),
		};
	}
}

/** The time by the platform's clock, Unix ms. Its Date is used only where the two clocks are clearly apart. */
function platformTime({ serverTimeMs }: Budget, { unixMs }: Moment): number {
	const skewMs = (serverTimeMs ?? unixMs) - unixMs;
	return Math.abs(skewMs) > SKEW_TOLERANCE_MS ? unixMs + skewMs : unixMs;
}
