import { createHash } from 'node:crypto';

import type { Budget } from './answer';
import { CancelledError } from '../errors/errors';
import { type Clock, SLICE_MS } from './clock';
import { type Caller, RateLimitState } from './rateLimit';

/** A caller's own settings. */
export interface AcquireOptions extends Caller {
	/** Requests in flight at most. */
	maxInFlight: number;
	/** Ends the wait. */
	signal?: AbortSignal;
	/** Told that the rate limit holds the request back, and for how long as far as is known, ms. */
	onHold?: (ms: number) => void;
}

interface Waiter {
	options: AcquireOptions;
	settle: (blockedMs?: number) => void;
}

/**
 * Limits the requests of one API key to one address: a bounded number at once, first come first served, held
 * back while the platform's rate limit says so. A waiting request is woken when an answer comes in or the
 * window ends; nothing polls.
 */
export class RequestLimiter {
	readonly rateLimit = new RateLimitState();
	private inFlight = 0;
	/** First come first served. */
	private readonly waiting = new Set<Waiter>();
	private timer = false;
	private heldBeforeMs = 0;
	private heldSinceMs?: number;

	constructor(private readonly clock: Clock) {}

	/** Requests whose answers are still out. */
	get pending(): number {
		return this.inFlight;
	}

	/** Nothing runs or waits here. */
	get idle(): boolean {
		return this.inFlight === 0 && this.waiting.size === 0;
	}

	/** Time in which the rate limit held somebody back, ms over this limiter's life. */
	get heldMs(): number {
		const since = this.heldSinceMs;
		return this.heldBeforeMs + (since === undefined ? 0 : this.clock.monotonic() - since);
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
		if (this.waiting.size === 0 && this.inFlight < maxInFlight) {
			const decision = this.rateLimit.decide(this.inFlight, this.clock.monotonic(), options);
			if (decision.kind === 'blocked') return decision.ms;
			if (decision.kind === 'go') {
				this.inFlight++;
				return undefined;
			}
		}
		return this.wait(options);
	}

	private async wait(options: AcquireOptions): Promise<number | undefined> {
		const { signal } = options;
		return await new Promise((resolve, reject) => {
			const cancel = () => {
				this.waiting.delete(waiter);
				reject(new CancelledError());
				this.advance();
			};
			const settle = (blockedMs?: number) => {
				this.waiting.delete(waiter);
				signal?.removeEventListener('abort', cancel);
				resolve(blockedMs);
			};
			const waiter: Waiter = { options, settle };
			this.waiting.add(waiter);
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
		this.inFlight--;
		if (budget !== undefined) {
			const at = { unixMs: this.clock.now(), monotonicMs: this.clock.monotonic() };
			this.rateLimit.takeIn(budget, startedMs, at, this.clock.random());
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
		for (const { options, settle } of this.waiting) {
			if (!isHeld && this.inFlight >= options.maxInFlight) break;
			const decision = this.rateLimit.decide(this.inFlight, this.clock.monotonic(), options);
			if (decision.kind === 'blocked') {
				settle(decision.ms);
			} else if (decision.kind === 'wait') {
				isHeld ||= !decision.own;
				wakeInMs = Math.min(wakeInMs, decision.ms);
				options.onHold?.(decision.ms);
			} else if (decision.kind === 'wait-for-answer' && !decision.own) {
				break;
			} else if (decision.kind === 'go' && !isHeld) {
				this.inFlight++;
				settle();
			}
		}
		this.heldBeforeMs = this.heldMs;
		this.heldSinceMs = undefined;
		if (wakeInMs === Number.POSITIVE_INFINITY) return;
		this.heldSinceMs = this.clock.monotonic();
		this.wakeAfter(wakeInMs);
	}

	private wakeAfter(ms: number): void {
		if (this.timer) return;
		this.timer = true;
		void this.clock.sleep(Math.min(Math.ceil(ms), SLICE_MS)).then(() => {
			this.timer = false;
			this.advance();
		});
	}
}

/** Far more keys than one n8n uses at a time. What an idle limiter knows is told again by the next answer. */
const MAX_LIMITERS = 200;

/** All limiters of a clock: times of two clocks do not compare. */
const limitersOf = new WeakMap<Clock, Map<string, RequestLimiter>>();

/** Names an API key at an address, without telling either: what one merchant does must not touch another. */
export const credentialIdOf = (baseUrl: string, apiKey: string): string =>
	createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64');

/**
 * The limiter that this process uses for an API key at an address. Credentials that hold the same key share
 * it, since the platform counts by key (API document, "Authentication", 5). Idle ones are let go, the longest
 * unused first, when there are many.
 */
export function limiterOf(credentialId: string, clock: Clock): RequestLimiter {
	const limiters = limitersOf.get(clock) ?? new Map<string, RequestLimiter>();
	limitersOf.set(clock, limiters);
	const limiter = limiters.get(credentialId) ?? new RequestLimiter(clock);
	limiters.delete(credentialId);
	limiters.set(credentialId, limiter);
	if (limiters.size > MAX_LIMITERS) {
		const idle = [...limiters].find(([id, one]) => id !== credentialId && one.idle);
		if (idle !== undefined) limiters.delete(idle[0]);
	}
	return limiter;
}
