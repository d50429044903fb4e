const DAY_MS = 86_400_000;

/**
 * The shop's clock: real time that never goes back, so that order of writing is order of time. Only a
 * change of the offset sets it back.
 */
export class Clock {
	private last = 0;
	private offset = 0;

	/** @param offsetMs added to this machine's time, in ms; asked anew for every time. */
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

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const MAX_DAYS = 2_000;
const days = new Map<number, string>();

/** `2026-01-31T` of a day since 1970, remembered: a page of 250 records asks for it 500 times. */
function dayText(day: number): string {
	let text = days.get(day);
	if (text === undefined) {
		text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
		if (days.size >= MAX_DAYS) days.clear();
		days.set(day, text);
	}
	return text;
}

/** ISO 8601 in UTC; what `toISOString` gives, in a third of its time. */
export function iso(ms: number): string {
	const day = Math.floor(ms / DAY_MS);
	const rest = Math.floor(ms) - day * DAY_MS;
	const hours = TWO_DIGITS[Math.floor(rest / 3_600_000)];
	const minutes = TWO_DIGITS[Math.floor(rest / 60_000) % 60];
	const seconds = TWO_DIGITS[Math.floor(rest / 1_000) % 60];
	return `${dayText(day)}${hours}:${minutes}:${seconds}.${String(rest % 1_000).padStart(3, '0')}Z`;
}
