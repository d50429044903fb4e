import { CancelledError } from './errors';
import { type Clock, doublingMs, SLICE_MS } from './clock';
import { keepLatest } from '../values/maps';
import { DAY_MS } from '../values/dates';

/**
 * How many requests of one API key and address are in flight at most, over all callers (API document, "Limits": fair
 * use).
 */
const MAX_IN_FLIGHT_OF_KEY = 10;

/** One sender among those that share a key: a run of a node, a poll, a hook. */
export interface Caller extends CallerSettings {
	/** How many of its requests are in flight at most. */
	readonly maxInFlight: number;
	/** If one of them aborts, its waits end. */
	readonly signals: readonly AbortSignal[];
	/** The limiter calls it when the rate limit holds a request back, with the expected wait in ms. */
	readonly onHold?: (ms: number) => void;
	/** How many of its requests have no answer yet. The limiter counts them. */
	pending: number;
}

/** Either the request has its slot, or the platform holds requests back for longer than the caller waits: for `ms`. */
export type Acquisition = { kind: 'granted' } | { kind: 'blocked'; ms: number };

const GRANTED: Acquisition = { kind: 'granted' };

/**
 * Limits the requests of one API key to one address. Only a few are in flight at once, first come first served. They
 * wait while the platform's rate limit says so. A waiting request wakes when an answer comes in or the window ends.
 */
class RequestLimiter {
	readonly rateLimit = new RateLimitState();
	/** How many requests have no answer yet. */
	pending = 0;
	/** For each waiting request: the function that ends its wait, and its caller. First come first served. */
	private readonly waiting = new Map<(acquisition: Acquisition) => void, Caller>();
	private isTimed = false;
	private heldBeforeMs = 0;
	private heldSinceMs?: number;

	constructor(private readonly clock: Clock) {}

	/** How long the rate limit has held any request back since the limiter exists, ms. */
	get heldMs(): number {
		const nowMs = this.clock.monotonic();
		return this.heldBeforeMs + (nowMs - (this.heldSinceMs ?? nowMs));
	}

	/**
	 * Acquires a slot, at once if no request waits. The caller must {@link release} it.
	 *
	 * @throws CancelledError if one of the caller's signals has aborted, or ends the wait
	 */
	acquire(caller: Caller): Acquisition | Promise<Acquisition> {
		const { signals } = caller;
		if (signals.some(({ aborted }) => aborted)) throw new CancelledError();
		if (this.waiting.size === 0 && !this.isFull() && caller.pending < caller.maxInFlight) {
			const decision = this.rateLimit.decide(this.pending, this.clock.monotonic(), caller);
			if (decision.kind === 'blocked') return decision;
			if (decision.kind === 'go') {
				this.start(caller);
				return GRANTED;
			}
		}
		return new Promise((resolve, reject) => {
			const leave = () => {
				this.waiting.delete(settle);
				for (const signal of signals) signal.removeEventListener('abort', cancel);
			};
			const cancel = () => {
				leave();
				reject(new CancelledError());
				this.advance();
			};
			const settle = (acquisition: Acquisition) => {
				leave();
				resolve(acquisition);
			};
			this.waiting.set(settle, caller);
			for (const signal of signals) signal.addEventListener('abort', cancel);
			this.advance();
		});
	}

	/**
	 * Gives the slot back and takes in what the answer told.
	 *
	 * @param startedMs when the request was sent, monotonic ms
	 * @param budget undefined if no answer came
	 */
	release(caller: Caller, startedMs = 0, budget?: Budget): void {
		this.pending--;
		caller.pending--;
		const { clock } = this;
		if (budget !== undefined) {
			const instant = { unixMs: clock.now(), monotonicMs: clock.monotonic() };
			this.rateLimit.takeIn(budget, instant, startedMs, clock.random());
		}
		this.advance();
	}

	private isFull(): boolean {
		return this.pending >= MAX_IN_FLIGHT_OF_KEY;
	}

	private start(caller: Caller): void {
		this.pending++;
		caller.pending++;
	}

	/**
	 * Starts every request that may start. If one is held, those behind it are told of the wait as well, or refused at
	 * once if they would not wait that long. Only a request that is to find out whether a long hold still lasts overtakes
	 * those that wait for its end.
	 */
	private advance(): void {
		let wakeInMs = Number.POSITIVE_INFINITY;
		let isHeld = false;
		for (const [settle, caller] of this.waiting) {
			const isFull = this.isFull();
			// Nobody behind can start either, however many wait.
			if (!isHeld && isFull) break;
			const mayStart = !isFull && caller.pending < caller.maxInFlight;
			// A caller that is at its own limit does not hold others back.
			if (!isHeld && !mayStart) continue;
			const decision = this.rateLimit.decide(this.pending, this.clock.monotonic(), caller);
			if (decision.kind === 'blocked') {
				settle(decision);
			} else if (decision.kind === 'wait') {
				isHeld ||= !decision.isOwnSetting;
				wakeInMs = Math.min(wakeInMs, decision.ms);
				caller.onHold?.(decision.ms);
			} else if (decision.kind === 'wait-for-answer' && !decision.isOwnSetting) {
				break;
			} else if (decision.kind === 'go' && mayStart) {
				this.start(caller);
				settle(GRANTED);
			}
		}
		this.heldBeforeMs = this.heldMs;
		this.heldSinceMs = undefined;
		if (wakeInMs === Number.POSITIVE_INFINITY) return;
		this.heldSinceMs = this.clock.monotonic();
		if (this.isTimed) return;
		this.isTimed = true;
		void this.clock.sleep(Math.min(Math.ceil(wakeInMs), SLICE_MS)).then(() => {
			this.isTimed = false;
			this.advance();
		});
	}
}

/** Keys remembered at most, far more than one n8n uses. The one used longest ago is forgotten first. */
const MAX_LIMITERS = 1_000;

/** The limiters, by clock: times of two clocks cannot be compared. */
const limitersOf = new WeakMap<Clock, Map<string, RequestLimiter>>();

/**
 * Finds or makes the limiter for an API key at an address. Credentials that hold the same key share it, since the
 * platform counts by key (API document, "Authentication", 5).
 */
export function limiterOf(credentialId: string, clock: Clock): RequestLimiter {
	const limiters = limitersOf.get(clock) ?? new Map<string, RequestLimiter>();
	limitersOf.set(clock, limiters);
	const limiter = limiters.get(credentialId) ?? new RequestLimiter(clock);
	return keepLatest(limiters, credentialId, limiter, MAX_LIMITERS);
}

/** Requests start so long after a window's end, since timers and the platform's clock differ a little. ms. */
const RESET_MARGIN_MS = 15;

/** A smaller difference between the clocks is taken as none, since the Date header has whole seconds. ms. */
const SKEW_TOLERANCE_MS = 2_000;

/**
 * Two windows that end within this time are the same one: ends are computed from the Date header, which has whole
 * seconds. ms.
 */
const SAME_WINDOW_MS = 1_500;

/** A window is a minute long (API document, "Limits"); a later end is a mistake. ms. */
const LONGEST_WINDOW_MS = 61_000;

/**
 * Processes that share a key do not know each other's pending requests. One that shares the key sends only while its
 * share of the remaining budget is this many times its own pending requests, so that all processes together stay within
 * the budget. Simulation gave the number (`shares.test.ts`): with less, too many requests are refused; with more, too
 * much of a window stays unused.
 */
const SHARE_MARGIN = 3;

/** A process with this part of all counted requests has the key for itself. Not 1: pending requests lower the part. */
const ALONE_SHARE = 0.9;

/**
 * A process with fewer requests lately has at least this share. So a busy process does not keep it waiting until the
 * window ends.
 */
const SMALL_SENDER = { requests: 3, leastShare: 0.05 };

/**
 * If a hold is too long to wait for, a request is tried again after this time: the shop may have bought capacity. ms.
 */
const LONG_HOLD_RECHECK_MS = 60_000;

/** The platform's numbers for the day are trusted for this time. Then the shop may have bought capacity. ms. */
const DAY_RECHECK_MS = 3_600_000;

/** What an answer tells of the key's budget (API document, "Limits"). */
export interface Budget {
	/** How many requests a minute the key has. */
	limit?: number;
	/** How many are left in the minute's window. */
	remaining?: number;
	/** When the minute's window ends, Unix ms by the platform's clock. */
	resetAtMs?: number;
	/** How many requests a UTC day the key has. */
	dayLimit?: number;
	/** How many are left in the UTC day. */
	dayRemaining?: number;
	/** The platform's clock, Unix ms, whole seconds. */
	serverTimeMs?: number;
	/** How long to wait before the next request, ms (API document, "Limits", 3). */
	retryAfterMs?: number;
	/** A 429 is `refused`, any other status below 500 `accepted`. From 500 on, the answer does not tell. */
	verdict?: 'refused' | 'accepted';
}

const NEVER = Number.NEGATIVE_INFINITY;

/** A caller's settings. They count for its own requests only. */
interface CallerSettings {
	/** The caller does not wait for a longer hold, ms. */
	maxWaitMs: number;
	/** How much of the minute's budget to leave for others, 0..100. */
	keepPercent: number;
}

/**
 * Whether a request may start now. If not: when to ask again, or that only the answer to a pending request can tell.
 */
type Decision =
	| { kind: 'go' }
	/** `isOwnSetting`: only this caller has to wait, because of its setting. */
	| { kind: 'wait'; ms: number; isOwnSetting: boolean }
	| { kind: 'wait-for-answer'; isOwnSetting: boolean }
	/** The hold lasts longer than the caller waits. */
	| { kind: 'blocked'; ms: number };

/**
 * What one process knows of an API key's rate limit. No I/O: it takes in what answers tell, and decides whether a
 * request may start. All times are monotonic ms, unless they are called Unix ms.
 */
export class RateLimitState {
	private limit?: number;
	private remaining?: number;
	private windowEndsMs = NEVER;
	/** How many requests of this process the current window has counted. */
	private ownCount = 0;
	/** Requests counted in earlier windows, by this process and by all. Each window counts half as much as the next. */
	private earlierCounts = { own: 0, all: 0 };
	private jitter = 0;
	/** How far the platform's clock is ahead of this machine's, ms; 0 if they are close, or nothing is known. */
	skewMs = 0;
	/** Until when the key's requests are held, when an answer last said so, and how many refusals in a row did. */
	private readonly hold = { untilMs: NEVER, knownAtMs: NEVER, refusals: 0 };
	/** The budget of the UTC day. Its times are Unix ms, since monotonic time stands still while the machine sleeps. */
	private day?: { limit: number; remaining: number; knownAtMs: number; endsAtMs: number };

	/**
	 * Takes in what an answer told. Answers may arrive out of order, so within a window the smallest remainder counts.
	 *
	 * @param arrival when it arrived, by both clocks. The wall clock is compared with the platform's times. The other one
	 *   never jumps
	 * @param startedMs when its request was sent
	 * @param jitter 0 ≤ x < 1, random for each answer, so that processes that know the same do not all send at once
	 */
	takeIn(
		budget: Budget,
		arrival: Record<'unixMs' | 'monotonicMs', number>,
		startedMs = arrival.monotonicMs,
		jitter = 0,
	): void {
		const { limit = this.limit, remaining, resetAtMs, dayLimit, dayRemaining } = budget;
		const nowMs = arrival.monotonicMs;
		// The platform's time counts only if the two clocks clearly differ.
		const apartMs = (budget.serverTimeMs ?? arrival.unixMs + this.skewMs) - arrival.unixMs;
		this.skewMs = Math.abs(apartMs) > SKEW_TOLERANCE_MS ? apartMs : 0;
		const platformMs = arrival.unixMs + this.skewMs;
		this.jitter = jitter;
		this.limit = limit;
		if (dayLimit !== undefined && dayRemaining !== undefined) {
			const endsAtMs = arrival.unixMs + untilDayEnds(platformMs);
			this.day = { limit: dayLimit, remaining: dayRemaining, knownAtMs: arrival.unixMs, endsAtMs };
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
		// A late answer from an earlier window is ignored. But an earlier end that is still ahead corrects the known one.
		if (laterMs < 0 && leftMs <= SAME_WINDOW_MS) return;
		this.earlierCounts = this.recentCounts(true);
		this.ownCount = 0;
		this.remaining = remaining;
		this.windowEndsMs = endsMs;
	}

	/** The latest counts of requests: of this process, and of all. A new window has used nothing of its limit. */
	private recentCounts(isOver: boolean): { own: number; all: number } {
		const { limit = 0, remaining = limit, earlierCounts } = this;
		const weight = isOver ? 0.5 : 1;
		return {
			own: weight * (earlierCounts.own + this.ownCount),
			all: weight * (earlierCounts.all + limit - remaining),
		};
	}

	/**
	 * Takes in a 429: all requests of the key are held. If one 429 follows another although the platform said to wait
	 * less, the waits double.
	 *
	 * @param waitMs how long the platform said to wait, ms; undefined if it did not say
	 * @param startedMs when the request was sent. Requests that were sent together count as one
	 */
	refused(waitMs: number | undefined, startedMs: number, nowMs: number): void {
		const { hold } = this;
		if (startedMs >= hold.knownAtMs) hold.refusals++;
		const leastMs = hold.refusals > 1 ? doublingMs(hold.refusals - 1) : 0;
		hold.untilMs = Math.max(hold.untilMs, nowMs + Math.max(waitMs ?? 0, leastMs));
		hold.knownAtMs = nowMs;
	}

	/**
	 * Takes in an accepted request. A hold that was known before the request was sent is over.
	 *
	 * @param startedMs when the request was sent
	 */
	accepted(startedMs: number): void {
		this.ownCount++;
		if (startedMs < this.hold.knownAtMs) return;
		this.hold.untilMs = NEVER;
		this.hold.refusals = 0;
	}

	/** @param pending requests without an answer. The last remainder may or may not count them, so all are subtracted */
	decide(pending: number, nowMs: number, { maxWaitMs, keepPercent }: CallerSettings): Decision {
		const heldMs = this.hold.untilMs - nowMs;
		if (heldMs > maxWaitMs && nowMs < this.hold.knownAtMs + LONG_HOLD_RECHECK_MS)
			return { kind: 'blocked', ms: heldMs };
		if (heldMs > 0 && heldMs <= maxWaitMs) return { kind: 'wait', ms: heldMs, isOwnSetting: false };
		if (this.remaining === undefined) return { kind: 'go' };
		const { limit = 0 } = this;
		const leftMs = this.windowEndsMs + RESET_MARGIN_MS - nowMs;
		const budget = leftMs > 0 ? this.remaining : (this.limit ?? Number.POSITIVE_INFINITY);
		const available = budget - pending;
		// At least one request a minute can always be sent.
		const keptForOthers = Math.max(0, Math.min(Math.ceil((limit * keepPercent) / 100), limit - 1));
		const isShareUsedUp = !this.isWithinShare(budget, pending, leftMs <= 0);
		if (available > keptForOthers && !isShareUsedUp) return { kind: 'go' };
		const isOwnSetting = available > 0 && !isShareUsedUp;
		if (leftMs > 0) return { kind: 'wait', ms: leftMs, isOwnSetting };
		return pending > 0 ? { kind: 'wait-for-answer', isOwnSetting } : { kind: 'go' };
	}

	/** Whether one more request stays within this process's share of the remaining budget. */
	private isWithinShare(budget: number, pending: number, isOver: boolean): boolean {
		const { own, all } = this.recentCounts(isOver);
		if (this.limit === undefined || own + pending >= ALONE_SHARE * all) return true;
		const leastShare = own + pending < SMALL_SENDER.requests ? SMALL_SENDER.leastShare : 0;
		return Math.max(own / all, leastShare) * budget >= SHARE_MARGIN * (pending + this.jitter);
	}

	/**
	 * How much of the day's budget is left; undefined if today's is not known, or was told more than an hour ago: the
	 * shop can buy capacity within the day (API document, "Limits", 4).
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

	/** What answers have told. `dayPercent` is undefined once its day is over. */
	snapshot(unixMs: number) {
		const { limit, remaining, day } = this;
		const dayPercent = this.dailyBudget(0, unixMs)?.percent;
		return { limit, remaining, dayLimit: day?.limit, dayRemaining: day?.remaining, dayPercent };
	}
}

/** A Retry-After of more than a year is a mistake, and so late a date cannot be shown. ms. */
const LONGEST_RETRY_AFTER_MS = 366 * DAY_MS;

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER_LENGTH = 64;

/**
 * Reads `X-RateLimit-*`, `Retry-After` and `Date`. What is missing or cannot be read stays undefined.
 *
 * @param headers with lower-case names
 * @param nowMs Unix ms; used if the answer does not tell the time
 */
export function readBudget(status: number, headers: Record<string, string>, nowMs: number): Budget {
	const date = Date.parse(headers.date);
	const serverTimeMs = Number.isNaN(date) ? undefined : date;
	const atMs = serverTimeMs ?? nowMs;
	const isRefused = status === 429;
	const dayRemaining = count(headers['x-ratelimit-remaining-day']);
	let retryAfterMs = readRetryAfter(headers['retry-after'], atMs);
	// If the day is spent, nothing goes before its end, whatever Retry-After says.
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

/**
 * Reads `Retry-After`, which is in seconds (API document, "Limits", 3) or an HTTP date. Returns ms, never negative.
 */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	// Both forms are short; a long text would keep the patterns below busy.
	if (value === undefined || value.length > MAX_RETRY_AFTER_LENGTH) return undefined;
	const seconds = count(value);
	// Date.parse accepts almost any text. An HTTP date has the name of a month and a time.
	const dateMs = /[a-z]{3}.*\d{2}:\d{2}/i.test(value) ? Date.parse(value) : Number.NaN;
	const ms = seconds === undefined ? Math.max(0, dateMs - nowMs) : Math.ceil(seconds * 1000);
	return Number.isNaN(ms) ? undefined : Math.min(ms, LONGEST_RETRY_AFTER_MS);
}

/** The time until the UTC day ends and its budget starts anew, ms. */
const untilDayEnds = (unixMs: number): number => DAY_MS - (unixMs % DAY_MS);

function count(value: string | undefined): number | undefined {
	if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
	return Number(value);
}
