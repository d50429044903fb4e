import { CancelledError } from './errors';
import { type Clock, SLICE_MS } from './clock';
import { keepLatest } from '../values/latest';
import { type Budget, type CallerSettings, RateLimitState } from './rateLimit';

/**
 * How many requests of one API key and address are in flight at most, over all callers (API document, "Limits": fair
 * use).
 */
export const MAX_IN_FLIGHT_OF_KEY = 10;

/** What a caller sets for its own requests. */
interface CallerOptions extends CallerSettings {
	/** How many requests of this caller are in flight at most. */
	maxInFlight: number;
	/** If one of them aborts, the waits of this caller end. */
	signals?: readonly AbortSignal[];
	/** The limiter calls it when the rate limit holds a request back, with the expected wait in ms. */
	onHold?: (ms: number) => void;
}

/**
 * One sender among those that share a key: a run of a node, a poll, a hook. Its settings count for its own requests
 * only.
 */
export class Caller {
	maxWaitMs: number;
	readonly keepPercent: number;
	readonly maxInFlight: number;
	readonly signals: readonly AbortSignal[];
	readonly onHold?: (ms: number) => void;
	/** How many of its requests have no answer yet. The limiter counts them. */
	pending = 0;

	constructor(options: CallerOptions) {
		this.maxWaitMs = options.maxWaitMs;
		this.keepPercent = options.keepPercent;
		this.maxInFlight = options.maxInFlight;
		this.signals = options.signals ?? [];
		this.onHold = options.onHold;
	}
}

/** Either the request has its slot, or the platform holds requests back for longer than the caller waits: for `ms`. */
export type Acquisition = { kind: 'granted' } | { kind: 'blocked'; ms: number };

const GRANTED: Acquisition = { kind: 'granted' };

/**
 * Limits the requests of one API key to one address. Only a few are in flight at once, first come first served. They
 * wait while the platform's rate limit says so. A waiting request wakes when an answer comes in or the window ends.
 */
export class RequestLimiter {
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
