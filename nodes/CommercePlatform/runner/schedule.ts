import type { PlatformClient } from '../../shared/rest/client';
import { nextTurn, pause } from '../../shared/rest/clock';

/** Entries that are made when they are asked for, or are all there. */
export type Series<Entry> = AsyncIterable<Entry> | readonly Entry[];

/** All entries. */
export async function listed<Entry>(entries: Series<Entry>): Promise<Entry[]> {
	const all: Entry[] = [];
	for await (const entry of entries) all.push(entry);
	return all;
}

/** How many items may wait for others with the same target while further ones go on. With more, the rest waits too. */
const MAX_WAITING = 1_000;

/**
 * Works on items, several at once, started in input order. Items that write to one target go one after the other.
 *
 * @param batching n8n's setting: a pause after each batch of items
 * @param entries in input order, each with what it writes to; made a bounded number ahead of their use
 * @param work does the work of an item; `hadToWait` says that others wrote to its target meanwhile; must not reject
 * @param stopped whether no further item is to be started
 * @throws CancelledError in the pause between two batches
 */
export async function runSchedule<Target extends { targets: readonly string[] }>(
	{ client, batching }: { client: PlatformClient; batching: { size: number; intervalMs: number } },
	entries: Series<Target>,
	work: (entry: Target, hadToWait: boolean) => Promise<void>,
	stopped: () => boolean,
): Promise<void> {
	const slots = new Pool(client.options.maxInFlight);
	const waiting = new Pool(MAX_WAITING);
	const aborted = untilAborted(client.signal);
	const running = new Set<Promise<void>>();
	const runLocked = async (entry: Target, lock?: ReturnType<typeof takeLocks>) => {
		const hasToWait = lock?.ready !== undefined;
		if (hasToWait) {
			await Promise.race([lock.ready, aborted]);
			waiting.release();
			await slots.acquire();
		}
		if (!stopped()) await work(entry, hasToWait);
		slots.release();
		lock?.release();
	};
	let started = 0;
	for await (const entry of madeAhead(entries)) {
		await nextTurn();
		if (batching.intervalMs > 0 && started > 0 && started % batching.size === 0) {
			await Promise.all(running);
			if (!stopped()) await pause(client.clock, batching.intervalMs, client.signal);
		}
		if (stopped()) break;
		started++;
		const lock = entry.targets.length > 0 ? takeLocks(entry.targets) : undefined;
		// An item that waits must not take a slot from items that could go on.
		await (lock?.ready === undefined ? slots : waiting).acquire();
		const done = runLocked(entry, lock);
		running.add(done);
		void done.then(() => running.delete(done));
	}
	await Promise.all(running);
}

/** Lets a number of things be under way at once. Others wait in order. */
class Pool {
	private readonly queue: Array<() => void> = [];

	/** @param free how many may be under way */
	constructor(private free: number) {}

	/** Waits for a slot. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	release(): void {
		const next = this.queue.shift();
		if (next === undefined) this.free++;
		else next();
	}
}

/**
 * How many items are read and checked ahead of the one that is sent. So a mistake in the last of a few thousand items
 * is found before the first one is written, and a million items need not all be held. A much smaller number costs time,
 * because reading and sending would take turns.
 */
const ITEMS_AHEAD = 10_000;

/** Makes entries a bounded number ahead of their use, and drops each one when it is used. */
async function* madeAhead<Entry>(entries: Series<Entry>): AsyncGenerator<Entry, void, void> {
	const entriesAhead: Entry[] = [];
	for await (const entry of entries) {
		entriesAhead.push(entry);
		if (entriesAhead.length > ITEMS_AHEAD) yield entriesAhead.shift() as Entry;
	}
	while (entriesAhead.length > 0) yield entriesAhead.shift() as Entry;
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
 * @param keys what is written to, each with the account that it belongs to
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

/**
 * Does work while it holds some locks. It begins when all earlier holders in this process have released them, or when
 * its own execution is cancelled. All locks are taken at once, so two callers never wait for each other.
 *
 * @param work receives whether others held the locks meanwhile
 */
export async function withLocks<T>(
	{ signal }: Pick<PlatformClient, 'signal'>,
	keys: readonly string[],
	work: (hadToWait: boolean) => Promise<T>,
): Promise<T> {
	const lock = takeLocks(keys);
	if (lock.ready !== undefined) await Promise.race([lock.ready, untilAborted(signal)]);
	try {
		return await work(lock.ready !== undefined);
	} finally {
		lock.release();
	}
}

/** Fulfilled when the execution is cancelled, so that whoever waits can stop waiting. */
async function untilAborted(signal: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve) => {
		if (signal?.aborted === true) resolve();
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}
