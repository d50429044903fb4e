/** For each key, who came last to it and has not gone: those who wait for that. Shared by all executions of this process. */
const last = new Map<string, Set<() => void>>();

/**
 * Takes a place in the queues of some keys, so that those who hold one key go one after the other, in the order in
 * which they came. All keys are taken at once, so two can never wait for each other. A key that nobody else holds
 * costs no promise.
 *
 * @param keys what is written to, each with the account that it belongs to; none for a read
 * @returns `ready` is fulfilled when everybody before has released, and undefined where there is nobody to wait for;
 *   `release` lets the next ones go on, once those before have released as well
 */
export function take(keys: readonly string[]) {
	const before = new Set(keys.flatMap((key) => last.get(key) ?? []));
	const waiting = new Set<() => void>();
	for (const key of keys) last.set(key, waiting);
	const go = () => {
		for (const key of keys) if (last.get(key) === waiting) last.delete(key);
		for (const tell of waiting) tell();
	};
	if (before.size === 0) return { release: go };
	const gone = async (holder: Set<() => void>) =>
		await new Promise<void>((resolve) => holder.add(resolve));
	const ready = Promise.all([...before].map(gone));
	return { ready, release: () => void ready.then(go) };
}

/** Fulfilled when the execution is cancelled, since who waits must not wait any longer then. */
export async function abortOf(signal: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve) => {
		if (signal?.aborted === true) resolve();
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}
