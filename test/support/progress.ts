/** Milliseconds between two signs of life while something long runs. */
const SIGN_OF_LIFE_MS = 5000;

const SECOND_MS = 1000;

/** Tells on the terminal what happens, each line with the seconds since the start. */
export class Progress {
	private readonly startedAt = Date.now();

	constructor(private readonly print: (line: string) => void = console.log) {}

	/** For tests, whose names tell what happens. */
	static silent(): Progress {
		return new Progress(() => {});
	}

	/** Seconds since the start, to a tenth. */
	get seconds(): string {
		return secondsSince(this.startedAt);
	}

	/** One line. */
	say(text: string): void {
		this.print(`[${this.seconds.padStart(6)} s] ${text}`);
	}

	/** Further detail of the line before. */
	detail(text: string): void {
		this.print(`${' '.repeat(12)}${text}`);
	}

	/**
	 * Says what begins, gives a sign of life every few seconds, and passes the work's result on.
	 *
	 * @throws whatever the work throws
	 */
	async during<T>(text: string, work: () => Promise<T>): Promise<T> {
		this.say(`${text} …`);
		const since = Date.now();
		const timer = setInterval(() => this.detail(`… ${secondsSince(since)} s`), SIGN_OF_LIFE_MS);
		try {
			return await work();
		} finally {
			clearInterval(timer);
		}
	}
}

function secondsSince(start: number): string {
	return ((Date.now() - start) / SECOND_MS).toFixed(1);
}
