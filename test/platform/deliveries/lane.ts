/** Runs tasks in the order of their coming, at most so many at a time. */
export class Lane {
	private readonly waiting: Array<() => void> = [];
	private running = 0;

	/** @param width how many may run at this moment; asked anew for every task. */
	constructor(private readonly width: () => number) {}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running < this.width()) this.running++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await task();
		} finally {
			// The place goes straight to the next in line, so that no newcomer can take it.
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}
}
