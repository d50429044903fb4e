/** A place in the queues of some keys. */
export interface Lock {
	/** Fulfilled when everybody before has released; undefined where there is nobody to wait for. */
	readonly ready?: Promise<void>;
	/** Lets the next ones go on, once those before have released as well. */
	release(): void;
}

/** Who came last to each key and has not gone. Shared by all executions of this process. */
const last = new Map<string, Holder>();

class Holder implements Lock {
	readonly ready?: Promise<void>;
	private gone?: { promise: Promise<void>; tell: () => void };

	constructor(private readonly keys: readonly string[]) {
		const before = new Set(keys.flatMap((key) => last.get(key) ?? []));
		for (const key of keys) last.set(key, this);
		if (before.size > 0)
			this.ready = Promise.all([...before].map(async (one) => await one.going())).then(
				() => undefined,
			);
	}

	release(): void {
		if (this.ready === undefined) this.go();
		else void this.ready.then(() => this.go());
	}

	/** Made only where somebody waits. */
	private async going(): Promise<void> {
		if (this.gone === undefined) {
			let tell: () => void = () => undefined;
			const promise = new Promise<void>((resolve) => (tell = resolve));
			this.gone = { promise, tell };
		}
		await this.gone.promise;
	}

	private go(): void {
		for (const key of this.keys) if (last.get(key) === this) last.delete(key);
		this.gone?.tell();
	}
}

/**
 * Takes a place in the queues of some keys, so that those who hold one key go one after the other, in the order in
 * which they came. All keys are taken at once, so two can never wait for each other. A key that nobody else holds
 * costs no promise.
 *
 * @param keys what is written to, each with the account that it belongs to; none for a read
 */
export const take = (keys: readonly string[]): Lock =>
	keys.length === 0 ? FREE : new Holder(keys);

const FREE: Lock = { release: () => undefined };

/** Does work that takes places while it goes on; they are released with its end. */
export async function withLocks(
	work: (lock: (key: string) => Promise<void>) => Promise<void>,
): Promise<void> {
	const taken: Lock[] = [];
	const lock = async (key: string) => {
		const own = take([key]);
		taken.push(own);
		await own.ready;
	};
	try {
		await work(lock);
	} finally {
		for (const own of taken) own.release();
	}
}

/** Fulfilled when the execution is cancelled, since who waits must not wait any longer then. */
export function abortOf(signal: AbortSignal | undefined): Promise<void> | undefined {
	return (
		signal &&
		new Promise((resolve) => {
			if (signal.aborted) resolve();
			signal.addEventListener('abort', () => resolve(), { once: true });
		})
	);
}
