/**
 * Items are read and checked this far ahead of the one that is sent: a mistake in the last of a few thousand
 * items must not be found when the others are already written, and a million need not all be held. Much
 * less costs time: reading and sending in turns is slower than one after the other.
 */
const ITEMS_AHEAD = 10_000;

/** The plans of a run's items, made a bounded number ahead of their use and let go after it. */
export class LookAhead<Plan> {
	private readonly plans: Array<Promise<Plan> | undefined>;
	private next = 0;

	/** @param make plans one item; must not reject, must not send */
	constructor(
		private readonly total: number,
		private readonly make: (itemIndex: number) => Promise<Plan>,
		private readonly ahead = ITEMS_AHEAD,
	) {
		this.plans = new Array<Promise<Plan> | undefined>(total);
	}

	/** @returns the plans of the first items, which `take` gives again */
	async begin(): Promise<Plan[]> {
		this.reach(this.ahead);
		return (await Promise.all(this.plans.slice(0, this.next))) as Plan[];
	}

	/** An item's plan, once. */
	async take(itemIndex: number): Promise<Plan | undefined> {
		this.reach(itemIndex + 1 + this.ahead);
		const plan = this.plans[itemIndex];
		this.plans[itemIndex] = undefined;
		return await plan;
	}

	private reach(end: number): void {
		for (; this.next < Math.min(end, this.total); this.next++) {
			this.plans[this.next] = this.make(this.next);
		}
	}
}
