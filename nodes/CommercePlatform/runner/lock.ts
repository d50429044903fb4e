import { nextTurn } from '../../shared/rest/clock';

/**
 * Works on entries in their order, several at once. An entry is taken when its work begins. No further work begins once
 * `stopped` returns true or some work has failed.
 *
 * @throws the first failure, after the work under way has ended
 */
export async function inParallel<Entry>(
	entries: Iterable<Entry>,
	atOnce: number,
	work: (entry: Entry) => Promise<void>,
	stopped: () => boolean = () => false,
): Promise<void> {
	const failures: unknown[] = [];
	const iterator = entries[Symbol.iterator]();
	const worker = async () => {
		for (;;) {
			await nextTurn();
			if (failures.length > 0 || stopped()) return;
			const next = iterator.next();
			if (next.done === true) return;
			await work(next.value).catch((error: unknown) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	if (failures.length > 0) throw failures[0];
}

/**
 * By key: the last one in the queue, as the callbacks of those who wait for it. All executions of this process share
 * it.
 */
const lastHolders = new Map<string, Set<() => void>>();

/**
 * Joins the queues of some keys. Holders of one key go one after the other, in the order in which they called this. All
 * keys are taken at once, so two callers never wait for each other. If nobody holds the keys, no promise is made.
 *
 * @param keys what is written to, each with the account that it belongs to; none for a read
 * @returns `ready`: fulfilled when all earlier holders have released, undefined if there are none; `release`: lets the
 *   next ones go on, after the earlier holders have released
 */
export function takeLocks(keys: readonly string[]) {
	const holdersBefore = new Set<Set<() => void>>();
	const waitingForThis = new Set<() => void>();
	for (const key of keys) {
		const holder = lastHolders.get(key) ?? waitingForThis;
		if (holder !== waitingForThis) holdersBefore.add(holder);
		lastHolders.set(key, waitingForThis);
	}
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

/** Fulfilled when the execution is cancelled, so that whoever waits can stop waiting. */
export async function untilAborted(signal: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve) => {
		if (signal?.aborted === true) resolve();
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}
