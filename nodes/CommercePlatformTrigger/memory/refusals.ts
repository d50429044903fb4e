/** Refusals that are logged one by one within a minute. */
const LOGGED_A_MINUTE = 10;

const MINUTE_MS = 60 * 1000;

/**
 * Counts the refused deliveries of one address. Anybody can send garbage to an address, so only the first
 * refusals of each minute are logged one by one. The others are counted, and logged as one sum.
 */
export class Refusals {
	private minuteStartMs = -Infinity;
	private loggedCount = 0;
	/** reason → how often, since the last sum. */
	private readonly counts = new Map<string, number>();
	private counted = 0;

	/**
	 * Adds a refusal.
	 *
	 * @param reason one of a few fixed texts
	 * @param nowMs Unix ms
	 * @returns the texts to log now
	 */
	add(reason: string, nowMs: number): string[] {
		const texts = nowMs - this.minuteStartMs >= MINUTE_MS ? this.startMinute(nowMs) : [];
		if (this.loggedCount < LOGGED_A_MINUTE) {
			this.loggedCount += 1;
			return [...texts, `refused a delivery: ${reason}`];
		}
		this.counted += 1;
		this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
		// A sum at 1,000, 10,000, 100,000 …, so that a flood is seen while it lasts.
		return this.counted >= 1000 && /^10+$/.test(String(this.counted)) ? [this.sum()] : texts;
	}

	private startMinute(nowMs: number): string[] {
		const texts = this.counted === 0 ? [] : [this.sum()];
		this.minuteStartMs = nowMs;
		this.loggedCount = 0;
		this.counted = 0;
		this.counts.clear();
		return texts;
	}

	private sum(): string {
		const reasons = [...this.counts].map(([reason, count]) => `${reason} (${count})`);
		return `refused ${this.counted} more deliveries, counted since ${new Date(this.minuteStartMs).toISOString()}: ${reasons.join(', ')}`;
	}
}
