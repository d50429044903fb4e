import { sleep } from 'n8n-workflow';

import { CancelledError } from '../errors/errors';

/** Time as the rules see it; tests hand in their own. */
export interface Clock {
	/** Unix ms. It jumps when somebody sets the machine's clock. */
	now(): number;
	/** ms since some moment. It never jumps, so it is what waits are measured with. */
	monotonic(): number;
	/** Resolves after that many ms, never rejects. */
	sleep(ms: number): Promise<void>;
	/** 0 ≤ x < 1, for jitter. */
	random(): number;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	sleep: async (ms) => await sleep(ms),
	random: () => Math.random(),
};

/** No timer runs longer in one piece, so that what has ended leaves none behind for long. ms. */
export const SLICE_MS = 1_000;

/**
 * Waits, and stops waiting at once when the execution is cancelled.
 *
 * @param ms how long
 * @param signal the execution's cancel signal
 * @throws CancelledError
 */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
	const endMs = clock.monotonic() + ms;
	const cancelled = whenAborted(signal);
	try {
		for (let leftMs = ms; leftMs > 0; leftMs = endMs - clock.monotonic()) {
			if (signal?.aborted) throw new CancelledError();
			await Promise.race([clock.sleep(Math.min(leftMs, SLICE_MS)), cancelled.promise]);
		}
		if (signal?.aborted) throw new CancelledError();
	} finally {
		cancelled.forget();
	}
}

function whenAborted(signal?: AbortSignal): { promise: Promise<void>; forget: () => void } {
	let onAbort: () => void = () => undefined;
	const promise = new Promise<void>((resolve) => {
		onAbort = resolve;
	});
	signal?.addEventListener('abort', onAbort);
	return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}

/** How long an attempt may take, ms. */
export interface AttemptLimits {
	/** From one piece of the answer to the next. Until the first, n8n's own timeout watches. */
	idleMs: number;
	/** In all. */
	deadlineMs: number;
}

/** An attempt that is being watched. */
export interface WatchedAttempt {
	/** A piece came: the idle time starts anew. */
	progress(): void;
	/** It ended by itself. */
	end(): void;
}

interface Entry {
	endsMs: number;
	idleEndsMs: number;
	giveUp: () => void;
}

/**
 * Gives up attempts that take too long. n8n's own timeout notices only a connection on which nothing comes, so
 * an answer that comes byte by byte would hold its slot for ever. One timer serves all attempts, and it runs only
 * while there are any.
 */
export class AttemptWatch {
	private readonly entries = new Set<Entry>();
	private running = false;

	constructor(private readonly clock: Clock) {}

	/** @param giveUp called at most once */
	start({ idleMs, deadlineMs }: AttemptLimits, giveUp: () => void): WatchedAttempt {
		const nowMs = this.clock.monotonic();
		const endsMs = nowMs + deadlineMs;
		const entry: Entry = { endsMs, idleEndsMs: Number.POSITIVE_INFINITY, giveUp };
		this.entries.add(entry);
		void this.run();
		return {
			progress: () => {
				entry.idleEndsMs = this.clock.monotonic() + idleMs;
			},
			end: () => {
				this.entries.delete(entry);
			},
		};
	}

	private async run(): Promise<void> {
		if (this.running) return;
		this.running = true;
		while (this.entries.size > 0) {
			await this.clock.sleep(Math.min(SLICE_MS, this.nextEndMs()));
			this.giveUpLate();
		}
		this.running = false;
	}

	/** ms until the first of the limits. */
	private nextEndMs(): number {
		const ends = [...this.entries].map(({ endsMs, idleEndsMs }) => Math.min(endsMs, idleEndsMs));
		return Math.max(0, Math.ceil(Math.min(...ends) - this.clock.monotonic()));
	}

	private giveUpLate(): void {
		const nowMs = this.clock.monotonic();
		for (const entry of this.entries) {
			if (nowMs < Math.min(entry.endsMs, entry.idleEndsMs)) continue;
			this.entries.delete(entry);
			entry.giveUp();
		}
	}
}
