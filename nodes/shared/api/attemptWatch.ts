import { SLICE_MS, type Clock } from './clock';

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
