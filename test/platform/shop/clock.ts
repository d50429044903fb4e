const DAY_MS = 86_400_000;

/** The shop's clock: real time that never goes back, so that order of writing is order of time. */
export class Clock {
	private last = 0;

	/** ms since 1970. */
	now(): number {
		this.last = Math.max(this.last, Date.now());
		return this.last;
	}

	/** Like `now`, but never the same twice: two events of the shop never share a timestamp. */
	next(): number {
		this.last = Math.max(this.last + 1, Date.now());
		return this.last;
	}
}

/** When the generated records of one resource were made and last changed; both rise with n. */
export interface Timeline {
	createdAt(n: number): number;
	updatedAt(n: number): number;
}

/**
 * Spreads `size` records evenly over the 400 days that end 5 days before `today`. Every record was
 * last changed a day after it was made.
 */
export function timeline(size: number, today: number): Timeline {
	const midnight = Math.floor(today / DAY_MS) * DAY_MS;
	const first = midnight - 405 * DAY_MS;
	const step = Math.max(1, Math.floor((400 * DAY_MS) / Math.max(1, size)));
	return {
		createdAt: (n) => first + n * step,
		updatedAt: (n) => first + n * step + DAY_MS,
	};
}

/** ISO 8601 in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();
