import { doublingMs } from './clock';

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

/** After this time the rest of the day’s budget is asked for again: the shop may have bought capacity. ms. */
const DAY_RECHECK_MS = 3_600_000;

/** What an answer told of the key's budget (API document, "Limits"). */
export interface Budget {
	/** Requests a minute. */
	limit?: number;
	/** Requests left in the minute's window. */
	remaining?: number;
	/** When the minute's window ends, Unix ms by the platform's clock. */
	resetAtMs?: number;
	/** Requests a UTC day. */
	dayLimit?: number;
	/** Requests left in the UTC day. */
	dayRemaining?: number;
	/** The platform's clock, Unix ms, whole seconds. */
	serverTimeMs?: number;
	/** How long to wait before the next request, ms (API document, "Limits", 3). */
	retryAfterMs?: number;
	/** 429 refuses, other answers below 500 accept; the rest tells nothing. */
	verdict?: 'refused' | 'accepted';
}

/** Before every moment. */
const NEVER = Number.NEGATIVE_INFINITY;

/** A caller's own settings, which never decide over another caller's requests. */
export interface CallerSettings {
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

/**
 * What one process knows of an API key's rate limit. Pure bookkeeping: what answers say goes in, the decision
 * whether a request may start comes out. All times are monotonic ms, unless they are said to be Unix ms.
 */
export class RateLimitState {
	private limit?: number;
	private remaining?: number;
	private windowEndsMs = NEVER;
	/** Own requests that this window counted. */
	private own = 0;
	/** Of the windows before, each counting half of the next: own requests, and those of all processes. */
	private earlier = { own: 0, all: 0 };
	private chance = 0;
	/** How far the platform's clock is ahead of this machine's, ms; 0 where they are close, or not known. */
	skewMs = 0;
	/** Until when the key's requests are held, when that was known last, and the refusals in a row that said so. */
	private readonly hold = { untilMs: NEVER, knownAtMs: NEVER, refusals: 0 };
	/** Of the UTC day, by this machine's wall clock, Unix ms: its stopwatch stands still while it sleeps. */
	private day?: { limit: number; remaining: number; knownAtMs: number; endsAtMs: number };

	/**
	 * Takes in what an answer told of the key. Answers may arrive out of order: within one window the smallest
	 * remainder counts.
	 *
	 * @param at when it arrived, by both clocks: the platform's times are read by the first. Only the second one never
	 *   jumps, so everything here is kept by it
	 * @param startedMs when its request was sent
	 * @param chance 0 ≤ x < 1, another one at each answer, so that processes that know the same do not all act the same
	 */
	takeIn(
		budget: Budget,
		at: Record<'unixMs' | 'monotonicMs', number>,
		startedMs = at.monotonicMs,
		chance = 0,
	): void {
		const { limit = this.limit, remaining, resetAtMs, dayLimit, dayRemaining } = budget;
		const nowMs = at.monotonicMs;
		// The platform's own time is used only where the two clocks are clearly apart.
		const apartMs = (budget.serverTimeMs ?? at.unixMs + this.skewMs) - at.unixMs;
		this.skewMs = Math.abs(apartMs) > SKEW_TOLERANCE_MS ? apartMs : 0;
		const platformMs = at.unixMs + this.skewMs;
		this.chance = chance;
		this.limit = limit;
		if (dayLimit !== undefined && dayRemaining !== undefined) {
			const endsAtMs = at.unixMs + untilDayEnds(platformMs);
			this.day = { limit: dayLimit, remaining: dayRemaining, knownAtMs: at.unixMs, endsAtMs };
		}
		if (remaining !== undefined && resetAtMs !== undefined)
			this.updateWindow(remaining, Math.min(resetAtMs - platformMs, LONGEST_WINDOW_MS), nowMs);
		if (budget.verdict === 'refused') this.refused(budget.retryAfterMs, startedMs, nowMs);
		if (budget.verdict === 'accepted') this.accepted(startedMs);
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
	 * @param waitMs what the platform told, ms; undefined if it told nothing
	 * @param startedMs when the request was sent; those that were sent together count as one
	 */
	refused(waitMs: number | undefined, startedMs: number, nowMs: number): void {
		const { hold } = this;
		if (startedMs >= hold.knownAtMs) hold.refusals++;
		const leastMs = hold.refusals > 1 ? doublingMs(hold.refusals - 1) : 0;
		hold.untilMs = Math.max(hold.untilMs, nowMs + Math.max(waitMs ?? 0, leastMs));
		hold.knownAtMs = nowMs;
	}

	/**
	 * Takes in that the platform accepted a request: a hold that was known before it was sent is over.
	 *
	 * @param startedMs when the request was sent
	 */
	accepted(startedMs: number): void {
		this.own++;
		if (startedMs < this.hold.knownAtMs) return;
		this.hold.untilMs = NEVER;
		this.hold.refusals = 0;
	}

	/**
	 * @param pending requests whose answers are still out; any of them may or may not be counted in the
	 *   last remainder, so all of them are subtracted from it
	 */
	decide(pending: number, nowMs: number, { maxWaitMs, keepPercent }: CallerSettings): Decision {
		const heldMs = this.hold.untilMs - nowMs;
		if (heldMs > maxWaitMs && nowMs < this.hold.knownAtMs + LONG_HOLD_RECHECK_MS)
			return { kind: 'blocked', ms: heldMs };
		if (heldMs > 0 && heldMs <= maxWaitMs) return { kind: 'wait', ms: heldMs, own: false };
		if (this.remaining === undefined) return { kind: 'go' };
		const { limit = 0 } = this;
		const leftMs = this.windowEndsMs + RESET_MARGIN_MS - nowMs;
		const budget = leftMs > 0 ? this.remaining : (this.limit ?? Number.POSITIVE_INFINITY);
		const free = budget - pending;
		// Never all of them.
		const kept = Math.max(0, Math.min(Math.ceil((limit * keepPercent) / 100), limit - 1));
		const isShared = free > 0 && !this.isWithinShare(budget, pending, leftMs <= 0);
		if (free > kept && !isShared) return { kind: 'go' };
		const hasOwnShare = free > 0 && !isShared;
		if (leftMs > 0) return { kind: 'wait', ms: leftMs, own: hasOwnShare };
		return pending > 0 ? { kind: 'wait-for-answer', own: hasOwnShare } : { kind: 'go' };
	}

	/** Whether one more request stays within this process's share of what is left. */
	private isWithinShare(budget: number, pending: number, isOver: boolean): boolean {
		const { own, all } = this.counted(isOver);
		if (this.limit === undefined || own + pending >= ALONE * all) return true;
		const least = own + pending < SMALL_ASKER.requests ? SMALL_ASKER.share : 0;
		return Math.max(own / all, least) * budget >= SHARE_MARGIN * (pending + this.chance);
	}

	/**
	 * The share of the day's budget that is left, or undefined while it is not known for today, or has not been told for
	 * an hour: the shop can buy capacity within the day (API document, "Limits", 4).
	 *
	 * @param pending requests that may not be counted yet
	 * @param unixMs this machine's wall clock, Unix ms
	 * @returns percent, and the ms until the UTC day ends
	 */
	dailyBudget(pending: number, unixMs: number): { percent: number; endsInMs: number } | undefined {
		const { day } = this;
		if (day === undefined || day.limit <= 0 || unixMs >= day.endsAtMs) return undefined;
		if (Math.abs(unixMs - day.knownAtMs) >= DAY_RECHECK_MS) return undefined;
		const left = Math.max(0, day.remaining - pending);
		return { percent: (100 * left) / day.limit, endsInMs: day.endsAtMs - unixMs };
	}

	/** What is known; undefined if the platform has not told it, and the share of a day once that is over. */
	snapshot(unixMs: number) {
		const { limit, remaining, day } = this;
		const dayPercent = this.dailyBudget(0, unixMs)?.percent;
		return { limit, remaining, dayLimit: day?.limit, dayRemaining: day?.remaining, dayPercent };
	}
}

/** A Retry-After of more than a year is a mistake, and a date so far away cannot be shown. ms. */
const LONGEST_RETRY_AFTER_MS = 366 * 86_400_000;

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER_LENGTH = 64;

/**
 * Reads `X-RateLimit-*`, `Retry-After` and `Date`. What is missing or unreadable stays undefined.
 *
 * @param headers with lower-case names
 * @param nowMs Unix ms, where the answer does not tell its own time
 */
export function readBudget(status: number, headers: Record<string, string>, nowMs: number): Budget {
	const date = Date.parse(headers.date);
	const serverTimeMs = Number.isNaN(date) ? undefined : date;
	const atMs = serverTimeMs ?? nowMs;
	const isRefused = status === 429;
	const dayRemaining = count(headers['x-ratelimit-remaining-day']);
	let retryAfterMs = readRetryAfter(headers['retry-after'], atMs);
	// A spent day lasts until its end, whatever Retry-After says or does not say.
	if (isRefused && dayRemaining === 0)
		retryAfterMs = Math.max(retryAfterMs ?? 0, untilDayEnds(atMs));
	const resetS = count(headers['x-ratelimit-reset']);
	return {
		limit: count(headers['x-ratelimit-limit']),
		remaining: count(headers['x-ratelimit-remaining']),
		resetAtMs: resetS === undefined ? undefined : resetS * 1000,
		dayLimit: count(headers['x-ratelimit-limit-day']),
		dayRemaining,
		serverTimeMs,
		retryAfterMs,
		verdict: isRefused ? 'refused' : status < 500 ? 'accepted' : undefined,
	};
}

/** `Retry-After` in ms, of seconds (API document, "Limits", 3) or an HTTP date; never negative. */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	// Both forms are short; a long text would keep the patterns below busy.
	if (value === undefined || value.length > MAX_RETRY_AFTER_LENGTH) return undefined;
	const seconds = count(value);
	// Date.parse takes almost anything for a date; an HTTP date has the name of a month and a time.
	const dateMs = /[a-z]{3}.*\d{2}:\d{2}/i.test(value) ? Date.parse(value) : Number.NaN;
	const ms = seconds === undefined ? Math.max(0, dateMs - nowMs) : Math.ceil(seconds * 1000);
	return Number.isNaN(ms) ? undefined : Math.min(ms, LONGEST_RETRY_AFTER_MS);
}

const DAY_MS = 86_400_000;

/** How long the UTC day still lasts, at whose end its budget is whole again. Of Unix ms. */
const untilDayEnds = (unixMs: number): number => DAY_MS - (unixMs % DAY_MS);

function count(value: string | undefined): number | undefined {
	if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
	return Number(value);
}
