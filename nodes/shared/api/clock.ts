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
	/** Aborts after that many ms. Nobody needs to end it: without a listener it goes by itself. */
	timeout(ms: number): AbortSignal;
	/** 0 ≤ x < 1, for jitter. */
	random(): number;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	sleep: async (ms) => await sleep(ms),
	timeout: (ms) => AbortSignal.timeout(ms),
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
	let cancel = () => {};
	const cancelled = new Promise<void>((resolve) => {
		cancel = resolve;
	});
	signal?.addEventListener('abort', cancel);
	for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs = endMs - clock.monotonic()) {
		await Promise.race([clock.sleep(Math.min(leftMs, SLICE_MS)), cancelled]);
	}
	signal?.removeEventListener('abort', cancel);
	if (signal?.aborted) throw new CancelledError();
}

/** The first wait without a Retry-After is at most this; it doubles with every attempt. ms. */
const BACKOFF_BASE_MS = 500;

/** No single wait without a Retry-After is longer. ms. */
const BACKOFF_CAP_MS = 20_000;

/** Doubles with each time, up to the cap. `times` is at least 1. Returns ms. */
export const doublingMs = (times: number): number =>
	Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (times - 1));
