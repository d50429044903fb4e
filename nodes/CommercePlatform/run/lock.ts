/**
 * By key: the last holder in its queue, as the callbacks of those who wait for it. Shared by all executions of this
 * process.
 */
const lastHolders = new Map<string, Set<() => void>>();

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
	const holdersBefore = new Set(keys.flatMap((key) => lastHolders.get(key) ?? []));
	const waitingForThis = new Set<() => void>();
	for (const key of keys) lastHolders.set(key, waitingForThis);
	const release = () => {
		for (const key of keys) if (lastHolders.get(key) === waitingForThis) lastHolders.delete(key);
		for (const goOn of waitingForThis) goOn();
	};
	if (holdersBefore.size === 0) return { release };
	const released = async (holder: Set<() => void>) =>
		await new Promise<void>((resolve) => holder.add(resolve));
	const ready = Promise.all([...holdersBefore].map(released));
	return { ready, release: () => void ready.then(release) };
}

/** Fulfilled when the execution is cancelled, since who waits must not wait any longer then. */
export async function abortOf(signal: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve) => {
		if (signal?.aborted === true) resolve();
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}
