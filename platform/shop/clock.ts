const DAY_MS = 86_400_000;

/**
 * The shop's clock: real time that never goes back, so that the order of writes is the order of their times. Only a
 * change of the offset sets it back.
 */
export class Clock {
	private last = 0;
	private offset = 0;

	/** @param offsetMs added to this machine's time, in ms; asked for every time */
	constructor(private readonly offsetMs: () => number = () => 0) {}

	/** ms since 1970. */
	now(): number {
		const offset = this.offsetMs();
		const time = Date.now() + offset;
		this.last = offset === this.offset ? Math.max(this.last, time) : time;
		this.offset = offset;
		return this.last;
	}
}

/**
 * When the generated records of one resource were created and last changed; both rise with n. Spreads `size` records
 * evenly over the 400 days that end 5 days before `today`. Every record was last changed a day after it was created.
 */
export function timeline(size: number, today: number) {
	const midnight = Math.floor(today / DAY_MS) * DAY_MS;
	const first = midnight - 405 * DAY_MS;
	const step = Math.max(1, Math.floor((400 * DAY_MS) / Math.max(1, size)));
	return {
		createdAt: (n: number) => first + n * step,
		updatedAt: (n: number) => first + n * step + DAY_MS,
	};
}

/** What was written last: a batch makes many records in one millisecond. */
let latest = { ms: 0, text: new Date(0).toISOString() };

/** ISO 8601 in UTC. @param ms since 1970. */
export function iso(ms: number): string {
	if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() };
	return latest.text;
}
