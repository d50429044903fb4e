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

/** Longer, and n8n answers no webhook meanwhile, and a worker cannot renew its lock. ms. */
const LONGEST_TURN_MS = 25;

/** A turn of the event loop: since when long work has it, and the next one, if anybody waits for that. */
interface Turn {
	sinceMs: number;
	next?: Promise<void>;
}

let turn: Turn | undefined;

const endTurn = (): void => {
	turn = undefined;
};

/**
 * Divides long work: a loop awaits this for each entry, so that n8n goes on after every 25 ms. All loops of the process
 * share these 25 ms, and none passes another that waits: what is sent stays in its order.
 *
 * @returns the next turn of the event loop, only where it is time
 */
export function nextTurn(): Promise<void> | undefined {
	const nowMs = systemClock.monotonic();
	if (turn === undefined) {
		const begun: Turn = { sinceMs: nowMs };
		turn = begun;
		void systemClock.sleep(0).then(() => begun.next ?? endTurn());
	}
	if (nowMs - turn.sinceMs < LONGEST_TURN_MS) return turn.next;
	// A timer that was set before has run out: it would let no request in first.
	return (turn.next ??= systemClock.sleep(0).then(endTurn));
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
