/** How often a long task reports that it still runs, ms. */
const SIGN_OF_LIFE_MS = 5000;

const SECOND_MS = 1000;

/** Prints progress to the terminal, each line with the seconds since the start. */
export class Progress {
	private readonly startedAt = Date.now();

	constructor(private readonly print: (line: string) => void = console.log) {}

	/** Prints nothing: for tests, whose names say what happens. */
	static silent(): Progress {
		return new Progress(() => {});
	}

	/** Seconds since the start, to a tenth. */
	get seconds(): string {
		return secondsSince(this.startedAt);
	}

	/** Prints one line. */
	say(text: string): void {
		this.print(`[${this.seconds.padStart(6)} s] ${text}`);
	}

	/** Prints a detail of the line before. */
	detail(text: string): void {
		this.print(`${' '.repeat(12)}${text}`);
	}

	/**
	 * Prints that a task begins, and that it still runs every few seconds. @returns the result of the work
	 *
	 * @throws everything that the work throws
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
