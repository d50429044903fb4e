import { CancelledError } from '../errors/errors';
import { type Clock, SLICE_MS } from './clock';
import { type Budget, type Caller, RateLimitState } from './rateLimit';

/** A caller's own settings. */
export interface AcquireOptions extends Caller {
	/** Requests in flight at most. */
	maxInFlight: number;
	/** Ends the wait. */
	signal?: AbortSignal;
	/** Told that the rate limit holds the request back, and for how long as far as is known, ms. */
	onHold?: (ms: number) => void;
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
	/** What ends the wait of each caller, and its settings. First come first served. */
	private readonly waiting = new Map<(blockedMs?: number) => void, AcquireOptions>();
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
	 * @throws CancelledError when the execution was cancelled
	 */
	acquire(options: AcquireOptions): number | undefined | Promise<number | undefined> {
		const { signal, maxInFlight } = options;
		if (signal?.aborted) throw new CancelledError();
		if (this.waiting.size === 0 && this.pending < maxInFlight) {
			const decision = this.rateLimit.decide(this.pending, this.clock.monotonic(), options);
			if (decision.kind === 'blocked') return decision.ms;
			if (decision.kind === 'go') {
				this.pending++;
				return undefined;
			}
		}
		return new Promise((resolve, reject) => {
			const leave = () => {
				this.waiting.delete(settle);
				signal?.removeEventListener('abort', cancel);
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
			this.waiting.set(settle, options);
			signal?.addEventListener('abort', cancel);
			this.advance();
		});
	}

	/**
	 * Gives the slot back and takes in what the answer told.
	 *
	 * @param startedMs when the request was sent, monotonic ms
	 * @param budget undefined where no answer came
	 */
	release(startedMs = 0, budget?: Budget): void {
		this.pending--;
		const { clock } = this;
		if (budget !== undefined) {
			const at = { unixMs: clock.now(), monotonicMs: clock.monotonic() };
			this.rateLimit.takeIn(budget, at, startedMs, clock.random());
		}
		this.advance();
	}

	/**
	 * Lets go whoever may. All callers are told of a hold now, not when those before them have gone; who waits less is
	 * refused.
	 */
	private advance(): void {
		let wakeInMs = Number.POSITIVE_INFINITY;
		let isHeld = false;
		for (const [settle, options] of this.waiting) {
			if (!isHeld && this.pending >= options.maxInFlight) break;
			const decision = this.rateLimit.decide(this.pending, this.clock.monotonic(), options);
			if (decision.kind === 'blocked') {
				settle(decision.ms);
			} else if (decision.kind === 'wait') {
				isHeld ||= !decision.own;
				wakeInMs = Math.min(wakeInMs, decision.ms);
				options.onHold?.(decision.ms);
			} else if (decision.kind === 'wait-for-answer' && !decision.own) {
				break;
			} else if (decision.kind === 'go' && !isHeld) {
				this.pending++;
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
