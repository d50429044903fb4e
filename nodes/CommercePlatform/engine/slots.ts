/** Lets a number of things be under way at once; the others wait in order. */
export class Slots {
	private readonly waiting: Array<() => void> = [];

	/** @param free how many may be under way */
	constructor(private free: number) {}

	/** Waits for a slot. */
	async acquire(): Promise<void> {
		if (this.free > 0) {
			this.free--;
			return;
		}
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	release(): void {
		const next = this.waiting.shift();
		if (next === undefined) this.free++;
		else next();
	}
}
