import { sleep } from 'n8n-workflow';

import { CancelledError } from './errors';

/** The time that the rules use. Tests pass in their own clock. */
export interface Clock {
	/** Unix ms. It jumps when somebody sets the machine's clock. */
	now(): number;
	/** ms since some moment. It never jumps, so waits are measured with it. */
	monotonic(): number;
	/** Resolves after that many ms, never rejects. */
	sleep(ms: number): Promise<void>;
	/** Aborts after that many ms. Nobody has to stop it: without a listener it is garbage-collected. */
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

/** Meanwhile n8n answers no webhook, and a worker cannot renew its lock. ms. */
const STEP_MS = 50;

/**
 * Divides long work into steps: a loop awaits the function for each entry, and n8n goes on after every 50 ms.
 *
 * @returns a function that gives a promise only where it is time
 */
export function steps(): () => Promise<void> | undefined {
	let sinceMs = systemClock.monotonic();
	return () => {
		if (systemClock.monotonic() - sinceMs < STEP_MS) return undefined;
		return systemClock.sleep(0).then(() => {
			sinceMs = systemClock.monotonic();
		});
	};
}

/** Timers run in slices of this length, so that no timer outlives its purpose for long. ms. */
export const SLICE_MS = 1_000;

/**
 * Waits. The wait ends at once if the execution is cancelled.
 *
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

/** Without a Retry-After, the first wait is at most this long, and the limit doubles with every attempt. ms. */
const BACKOFF_BASE_MS = 500;

/** Without a Retry-After, no single wait is longer. ms. */
const BACKOFF_CAP_MS = 20_000;

/**
 * The longest wait after so many failures: it doubles with each, up to the cap.
 *
 * @param times at least 1
 * @returns ms
 */
export const doublingMs = (times: number): number =>
	Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (times - 1));
