import { CancelledError } from '../errors/errors';
import { type Clock, SLICE_MS } from './clock';
import { type Budget, type CallerSettings, RateLimitState } from './rateLimit';

/** Requests in flight at most for one API key and address, over all callers (API document, "Limits": fair use). */
export const MAX_IN_FLIGHT_OF_KEY = 10;

/** What a caller chooses for its own requests. */
interface CallerOptions extends CallerSettings {
	/** Requests of this caller in flight at most. */
	maxInFlight: number;
	/** Each of them ends its waits. */
	signals?: readonly AbortSignal[];
	/** Is called when the rate limit holds a request back, with the expected wait in ms. */
	onHold?: (ms: number) => void;
}

/** One of those who send with a key: a run of a node, a poll, a hook. Its settings bound its own requests only. */
export class Caller {
	maxWaitMs: number;
	readonly keepPercent: number;
	readonly maxInFlight: number;
	readonly signals: readonly AbortSignal[];
	readonly onHold?: (ms: number) => void;
	/** Its requests whose answers are still out; the limiter counts them. */
	pending = 0;

	constructor(options: CallerOptions) {
		this.maxWaitMs = options.maxWaitMs;
		this.keepPercent = options.keepPercent;
		this.maxInFlight = options.maxInFlight;
		this.signals = options.signals ?? [];
		this.onHold = options.onHold;
	}
}

/**
 * Limits the requests of one API key to one address: a bounded number at once, first come first served, held
 * back while the platform's rate limit says so. A waiting request is woken when an answer comes in or the
 * window ends; nothing polls.
 */
export class RequestLimiter {
	readonly rateLimit = new RateLimitState();
	/** Requests whose answers are still out. */
	pending = 0;
	/** What ends the wait of each request, and its caller. First come first served. */
	private readonly waiting = new Map<(blockedMs?: number) => void, Caller>();
	private isTimed = false;
	private heldBeforeMs = 0;
	private heldSinceMs?: number;

	constructor(private readonly clock: Clock) {}

	/** Time in which the rate limit held somebody back, ms over this limiter's life. */
	get heldMs(): number {
		const nowMs = this.clock.monotonic();
		return this.heldBeforeMs + (nowMs - (this.heldSinceMs ?? nowMs));
	}

	/**
	 * Gives a slot, at once where nothing waits. Whoever has acquired one must call {@link release}.
	 *
	 * @returns undefined with the slot; or for how long the platform holds requests back, ms, where that is longer than
	 *   the caller waits
	 * @throws CancelledError when one of the caller's signals ended the wait
	 */
	acquire(caller: Caller): number | undefined | Promise<number | undefined> {
		const { signals } = caller;
		if (signals.some(({ aborted }) => aborted)) throw new CancelledError();
		if (this.waiting.size === 0 && !this.isFull() && caller.pending < caller.maxInFlight) {
			const decision = this.rateLimit.decide(this.pending, this.clock.monotonic(), caller);
			if (decision.kind === 'blocked') return decision.ms;
			if (decision.kind === 'go') {
				this.start(caller);
				return undefined;
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
			const settle = (blockedMs?: number) => {
				leave();
				resolve(blockedMs);
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
	 * Starts every request that may start. All callers hear of a hold now, not when those before them have gone; a
	 * caller that waits less is refused.
	 */
	private advance(): void {
		let wakeInMs = Number.POSITIVE_INFINITY;
		let isHeld = false;
		for (const [settle, caller] of this.waiting) {
			if (!isHeld && this.isFull()) break;
			// The caller's own bound holds back its own requests only.
			if (!isHeld && caller.pending >= caller.maxInFlight) continue;
			const decision = this.rateLimit.decide(this.pending, this.clock.monotonic(), caller);
			if (decision.kind === 'blocked') {
				settle(decision.ms);
			} else if (decision.kind === 'wait') {
				isHeld ||= !decision.own;
				wakeInMs = Math.min(wakeInMs, decision.ms);
				caller.onHold?.(decision.ms);
			} else if (decision.kind === 'wait-for-answer' && !decision.own) {
				break;
			} else if (decision.kind === 'go' && !isHeld) {
				this.start(caller);
				settle();
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

/** All limiters of a clock: times of two clocks do not compare. */
const limitersOf = new WeakMap<Clock, Map<string, RequestLimiter>>();

/**
 * The limiter that this process uses for an API key at an address. Credentials that hold the same key share
 * it, since the platform counts by key (API document, "Authentication", 5).
 */
export function limiterOf(credentialId: string, clock: Clock): RequestLimiter {
	const limiters = limitersOf.get(clock) ?? new Map<string, RequestLimiter>();
	const limiter = limiters.get(credentialId) ?? new RequestLimiter(clock);
	limitersOf.set(clock, limiters.set(credentialId, limiter));
	return limiter;
}
