import { createHash } from 'node:crypto';

import type { BudgetReading } from './answer';
import { CancelledError } from '../errors/errors';
import { type Clock, SLICE_MS } from './clock';
import { type Caller, RateLimitState } from './rateLimit';

/** A slot, or the news that the platform holds requests back for longer than the caller waits. */
export type Acquired =
	| {
			kind: 'acquired';
			/** Monotonic ms. */
			startedMs: number;
			/** How much of the wait was due to the rate limit, ms, as the limiter's total at both ends. */
			held: { fromMs: number; toMs: number };
	  }
	| { kind: 'blocked'; /** How long the hold lasts, ms. */ ms: number };

/** A caller's own settings. */
export interface AcquireOptions extends Caller {
	/** Requests in flight at most. */
	maxInFlight: number;
	/** Ends the wait. */
	signal?: AbortSignal;
	/** Told that the rate limit holds the request back, and for how long as far as is known, ms. */
	onHold?: (ms: number) => void;
}

/** What an attempt told of the rate limit. */
export interface Told {
	/** When it was sent, monotonic ms. */
	startedMs: number;
	/** What the answer's headers said. */
	reading: BudgetReading;
	/** 429 refuses, other answers below 500 accept; the rest says nothing. */
	verdict?: 'refused' | 'accepted';
	/** With a refusal: how long to wait, ms. */
	waitMs?: number;
}

interface Waiter {
	options: AcquireOptions;
	heldFromMs: number;
	settle: (result: Acquired) => void;
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
	private heldMs = 0;
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

	/**
	 * Waits for a slot. Whoever has acquired one must call {@link release}.
	 *
	 * @throws CancelledError when the execution was cancelled
	 */
	async acquire(options: AcquireOptions): Promise<Acquired> {
		const { signal } = options;
		if (signal?.aborted) throw new CancelledError();
		return await new Promise<Acquired>((resolve, reject) => {
			const cancel = () => {
				this.waiting.delete(waiter);
				reject(new CancelledError());
				this.advance();
			};
			const settle = (result: Acquired) => {
				this.waiting.delete(waiter);
				signal?.removeEventListener('abort', cancel);
				resolve(result);
			};
			const waiter: Waiter = { options, heldFromMs: this.heldTotalMs(), settle };
			this.waiting.add(waiter);
			this.advance();
			// Most find a free slot at once; listeners cost more than all the rest.
			if (this.waiting.has(waiter)) signal?.addEventListener('abort', cancel);
		});
	}

	/**
	 * Gives the slot back and takes in what the attempt told.
	 *
	 * @param told undefined where no answer came
	 */
	release(told?: Told): void {
		this.inFlight--;
		if (told !== undefined) this.takeIn(told);
		this.advance();
	}

	private takeIn({ startedMs, reading, verdict, waitMs }: Told): void {
		const monotonicMs = this.clock.monotonic();
		const at = { unixMs: this.clock.now(), monotonicMs };
		this.rateLimit.update(reading, at, this.clock.random());
		if (verdict === 'refused') this.rateLimit.refused(waitMs, startedMs, monotonicMs);
		if (verdict === 'accepted') this.rateLimit.accepted(startedMs);
	}

	/**
	 * Lets go whoever may. All callers are told of a hold now, not when those before them have gone; who waits less is
	 * refused.
	 */
	private advance(): void {
		let wakeInMs = Number.POSITIVE_INFINITY;
		let isHeld = false;
		for (const { options, heldFromMs, settle } of this.waiting) {
			if (!isHeld && this.inFlight >= options.maxInFlight) break;
			const startedMs = this.clock.monotonic();
			const decision = this.rateLimit.decide(this.inFlight, startedMs, options);
			if (decision.kind === 'blocked') {
				settle(decision);
			} else if (decision.kind === 'wait') {
				isHeld ||= !decision.own;
				wakeInMs = Math.min(wakeInMs, decision.ms);
				options.onHold?.(decision.ms);
			} else if (decision.kind === 'wait-for-answer' && !decision.own) {
				break;
			} else if (decision.kind === 'go' && !isHeld) {
				this.inFlight++;
				const held = { fromMs: heldFromMs, toMs: this.heldTotalMs() };
				settle({ kind: 'acquired', startedMs, held });
			}
		}
		this.heldMs = this.heldTotalMs();
		this.heldSinceMs = undefined;
		if (wakeInMs === Number.POSITIVE_INFINITY) return;
		this.heldSinceMs = this.clock.monotonic();
		this.wakeAfter(wakeInMs);
	}

	/** Time in which the rate limit held somebody back, ms over this limiter's life. */
	private heldTotalMs(): number {
		const since = this.heldSinceMs;
		return this.heldMs + (since === undefined ? 0 : this.clock.monotonic() - since);
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
