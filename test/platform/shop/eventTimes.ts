const CLOCK_SET_BACK_MS = 60_000;

/**
 * Times of events. Two events that say the same never have the same time, so that their deliveries
 * differ in body and signature: the second is put a millisecond later.
 */
export class EventTimes {
	private time = 0;
	private readonly said = new Set<string>();

	/** @param now ms. @param content event and payload as text. @returns ms, `now` or a little more. */
	next(now: number, content: string): number {
		const isSetBack = now < this.time - CLOCK_SET_BACK_MS;
		if (now > this.time || isSetBack) this.moveTo(now);
		if (this.said.has(content)) this.moveTo(this.time + 1);
		this.said.add(content);
		return this.time;
	}

	private moveTo(time: number): void {
		this.time = time;
		this.said.clear();
	}
}
