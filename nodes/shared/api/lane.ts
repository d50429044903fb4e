import { createHash } from 'node:crypto';

import { readBudget } from './budget';
import { CancelledError, systemClock, type Clock } from './clock';
import { Pace, type Permission } from './pace';

/** A place in the lane, or the news that the key's budget is spent for longer than anyone would wait. */
export type Entry = { kind: 'in' } | { kind: 'blocked'; /** Unix ms */ untilMs: number };

interface Waiter {
	limit: number;
	patienceMs: number;
	settle: (entry: Entry) => void;
	gone: boolean;
}

/** No timer of a lane runs longer in one piece. ms. */
const SLICE_MS = 1_000;

/**
 * The way that all requests of one API key to one address take: a bounded number at once, first come
 * first served, held back while the key's minute budget is spent. A waiting request is woken when an
 * answer comes in or the window ends; nothing polls.
 */
export class Lane {
	readonly pace = new Pace();
	private inFlight = 0;
	private waiters: Waiter[] = [];
	private head = 0;
	private timer = false;

	constructor(private readonly clock: Clock = systemClock) {}

	/** Requests whose answers are still out. */
	get underWay(): number {
		return this.inFlight;
	}

	/**
	 * Waits for a place. Whoever is in must call {@link leave}.
	 *
	 * @param limit requests in flight at most, by the caller's own setting
	 * @param patienceMs how long a hold by the platform may last for this caller to sit it out
	 * @param signal ends the wait
	 * @throws CancelledError when the execution was cancelled
	 */
	async enter(limit: number, patienceMs: number, signal?: AbortSignal): Promise<Entry> {
		if (signal?.aborted) throw new CancelledError();
		return await new Promise<Entry>((resolve, reject) => {
			const cancel = () => {
				waiter.gone = true;
				reject(new CancelledError());
				this.advance();
			};
			const settle = (entry: Entry) => {
				signal?.removeEventListener('abort', cancel);
				resolve(entry);
			};
			const waiter: Waiter = { limit, patienceMs, settle, gone: false };
			signal?.addEventListener('abort', cancel, { once: true });
			this.waiters.push(waiter);
			this.advance();
		});
	}

	/**
	 * Gives the place back and takes in what the answer said of the budget.
	 *
	 * @param headers of the answer, lower-case names; none where no answer came
	 */
	leave(headers?: Record<string, string>): void {
		this.inFlight--;
		if (headers !== undefined) this.pace.learn(readBudget(headers), this.clock.now());
		this.advance();
	}

	private advance(): void {
		for (let waiter = this.first(); waiter !== undefined; waiter = this.first()) {
			if (this.inFlight >= waiter.limit) return;
			const permission = this.permissionFor(waiter);
			if (permission.kind === 'wait-for-answer') return;
			if (permission.kind === 'wait') {
				this.turnAwayImpatient();
				this.wakeAfter(permission.ms);
				return;
			}
			this.head++;
			if (permission.kind === 'blocked') {
				waiter.settle({ kind: 'blocked', untilMs: permission.untilMs });
				continue;
			}
			this.inFlight++;
			waiter.settle({ kind: 'in' });
		}
	}

	private permissionFor({ patienceMs }: Waiter): Permission {
		return this.pace.ask(this.inFlight, this.clock.now(), patienceMs);
	}

	/** Whoever does not sit out so long a hold is told now, not when those before have gone. */
	private turnAwayImpatient(): void {
		for (const waiter of this.waiters.slice(this.head)) {
			if (waiter.gone) continue;
			const permission = this.permissionFor(waiter);
			if (permission.kind !== 'blocked') continue;
			waiter.gone = true;
			waiter.settle({ kind: 'blocked', untilMs: permission.untilMs });
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

const lanes = new Map<string, Lane>();

/**
 * The lane that this process uses for an API key at an address. Credentials that hold the same key share
 * it, since the platform counts by key (API document, "Authentication", 5).
 */
export function laneOf(baseUrl: string, apiKey: string): Lane {
	const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64');
	let lane = lanes.get(id);
	if (lane === undefined) {
		lane = new Lane();
		lanes.set(id, lane);
	}
	return lane;
}
