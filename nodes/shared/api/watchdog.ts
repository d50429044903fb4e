import type { Clock } from './clock';

/** How often the watchdog looks while something is watched. ms. */
const ROUND_MS = 1_000;

/**
 * Calls back for whatever is not finished in time. One timer for all of them: a timer each would be felt at
 * thousands of answers. Fires up to a second late.
 */
export class Watchdog {
	private readonly watched = new Map<() => void, number>();
	private running = false;

	constructor(private readonly clock: Clock) {}

	/**
	 * @param ms time to finish in
	 * @param onLate called once, unless it was finished before
	 * @returns call it when finished
	 */
	watch(ms: number, onLate: () => void): () => void {
		this.watched.set(onLate, this.clock.now() + ms);
		if (!this.running) void this.patrol();
		return () => this.watched.delete(onLate);
	}

	private async patrol(): Promise<void> {
		this.running = true;
		while (this.watched.size > 0) {
			await this.clock.sleep(ROUND_MS);
			for (const [onLate, deadlineMs] of this.watched) {
				if (this.clock.now() < deadlineMs) continue;
				this.watched.delete(onLate);
				onLate();
			}
		}
		this.running = false;
	}
}
