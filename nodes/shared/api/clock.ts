import { sleep } from 'n8n-workflow';

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

/** Thrown where an execution was cancelled while it waited. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	constructor() {
		super('The execution was cancelled');
	}
}

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
	signal?.addEventListener('abort', onAbort, { once: true });
	return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}
