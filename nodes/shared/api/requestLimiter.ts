import { createHash } from 'node:crypto';

import type { BudgetReading } from './budget';
import { CancelledError, systemClock, type Clock } from './clock';
import { RateLimitState, type Decision } from './rateLimitState';

/** A slot, or the news that the key's budget is spent for longer than the caller would wait. */
export type Acquired = { kind: 'acquired' } | { kind: 'blocked'; /** Unix ms */ untilMs: number };

interface Waiter {
	limit: number;
	maxWaitMs: number;
	settle: (result: Acquired) => void;
	gone: boolean;
}

/** No timer of a limiter runs longer in one piece. ms. */
const SLICE_MS = 1_000;

/**
 * Limits the requests of one API key to one address: a bounded number at once, first come first served, held
 * back while the key's minute budget is spent. A waiting request is woken when an answer comes in or the
 * window ends; nothing polls.
 */
export class RequestLimiter {
	readonly rateLimit = new RateLimitState();
	private inFlight = 0;
	private waiters: Waiter[] = [];
	private head = 0;
	private timer = false;

	constructor(private readonly clock: Clock = systemClock) {}

	/** Requests whose answers are still out. */
	get pending(): number {
		return this.inFlight;
	}

	/**
	 * Waits for a slot. Whoever has acquired one must call {@link release}.
	 *
	 * @param limit requests in flight at most, by the caller's own setting
	 * @param maxWaitMs the longest hold by the platform that this caller waits for
	 * @param signal ends the wait
	 * @throws CancelledError when the execution was cancelled
	 */
	async acquire(limit: number, maxWaitMs: number, signal?: AbortSignal): Promise<Acquired> {
		if (signal?.aborted) throw new CancelledError();
		return await new Promise<Acquired>((resolve, reject) => {
			const cancel = () => {
				waiter.gone = true;
				reject(new CancelledError());
				this.advance();
			};
			const settle = (result: Acquired) => {
				signal?.removeEventListener('abort', cancel);
				resolve(result);
			};
			const waiter: Waiter = { limit, maxWaitMs, settle, gone: false };
			signal?.addEventListener('abort', cancel, { once: true });
			this.waiters.push(waiter);
			this.advance();
		});
	}

	/**
	 * Gives the slot back and takes in what the answer said of the budget.
	 *
	 * @param reading undefined where no answer came
	 */
	release(reading?: BudgetReading): void {
		this.inFlight--;
		if (reading !== undefined) this.rateLimit.update(reading, this.clock.now());
		this.advance();
	}

	private advance(): void {
		for (let waiter = this.first(); waiter !== undefined; waiter = this.first()) {
			if (this.inFlight >= waiter.limit) return;
			const decision = this.decisionFor(waiter);
			if (decision.kind === 'wait-for-answer') return;
			if (decision.kind === 'wait') {
				this.refuseWhoWaitsLess();
				this.wakeAfter(decision.ms);
				return;
			}
			this.head++;
			if (decision.kind === 'blocked') {
				waiter.settle({ kind: 'blocked', untilMs: decision.untilMs });
				continue;
			}
			this.inFlight++;
			waiter.settle({ kind: 'acquired' });
		}
	}

	private decisionFor({ maxWaitMs }: Waiter): Decision {
		return this.rateLimit.decide(this.inFlight, this.clock.now(), maxWaitMs);
	}

	/** Callers whose maximal wait is shorter than the hold are told now, not when those before them have gone. */
	private refuseWhoWaitsLess(): void {
		for (const waiter of this.waiters.slice(this.head)) {
			if (waiter.gone) continue;
			const decision = this.decisionFor(waiter);
			if (decision.kind !== 'blocked') continue;
			waiter.gone = true;
			waiter.settle({ kind: 'blocked', untilMs: decision.untilMs });
		}
	}

	private first(): Waiter | undefined {
		while (this.head < this.waiters.length && this.waiters[this.head].gone) this.head++;
		if (this.head === this.waiters.length) {
			this.waiters = [];
			this.head = 0;
		}
		return this.waiters[this.head];
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

const limiters = new Map<string, RequestLimiter>();

/**
 * The limiter that this process uses for an API key at an address. Credentials that hold the same key share
 * it, since the platform counts by key (API document, "Authentication", 5).
 */
export function limiterOf(baseUrl: string, apiKey: string): RequestLimiter {
	const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64');
	let limiter = limiters.get(id);
	if (limiter === undefined) {
		limiter = new RequestLimiter();
		limiters.set(id, limiter);
	}
	return limiter;
}
