import { pause, type Clock } from '../../shared/api/clock';
import { abortOf, take, type Lock } from './lock';

/** Items that wait for others with the same key while further ones go on; more than these hold up the rest. */
const MAX_WAITING = 1_000;

/** The order and the pace of a run's work. */
interface Schedule<Plan> {
	/** Input items. */
	total: number;
	/** Items at once at most. */
	atOnce: number;
	/** n8n's Batching setting: after each batch of items a pause. */
	batching: { size: number; intervalMs: number };
	/** An item's plan; undefined where it has failed already. */
	planOf(itemIndex: number): Plan | undefined;
	/** What a plan writes to. */
	keysOf(plan: Plan): readonly string[];
	/** Does the work of an item. Must not reject. */
	work(plan: Plan): Promise<void>;
	/** Whether nothing further is to be started. */
	stopped(): boolean;
	clock: Clock;
	signal?: AbortSignal;
}

/**
 * Does a run's work: some items at once, started in input order; those that write to one key one after the other.
 *
 * @throws CancelledError in the pause between two batches
 */
export async function runSchedule<Plan>(schedule: Schedule<Plan>): Promise<void> {
	const { total, batching, clock, signal } = schedule;
	const size = batching.intervalMs > 0 ? batching.size : total;
	for (let start = 0; start < total && !schedule.stopped(); start += size) {
		if (start > 0) await pause(clock, batching.intervalMs, signal);
		await runItemsBetween(schedule, start, Math.min(total, start + size));
	}
}

async function runItemsBetween<Plan>(
	schedule: Schedule<Plan>,
	start: number,
	end: number,
): Promise<void> {
	const slots = new Pool(schedule.atOnce);
	const waiting = new Pool(MAX_WAITING);
	const aborted = abortOf(schedule.signal);
	const running = new Set<Promise<void>>();
	for (let next = start; next < end && !schedule.stopped(); next++) {
		const plan = schedule.planOf(next);
		if (plan === undefined) continue;
		const lock = take(schedule.keysOf(plan));
		// What waits must not keep a slot from others that could go on.
		await (lock.ready === undefined ? slots : waiting).acquire();
		const work = runLocked(schedule, plan, lock, { slots, waiting, aborted });
		running.add(work);
		void work.then(() => running.delete(work));
	}
	await Promise.all(running);
}

async function runLocked<Plan>(
	schedule: Schedule<Plan>,
	plan: Plan,
	lock: Lock,
	{ slots, waiting, aborted }: { slots: Pool; waiting: Pool; aborted?: Promise<void> },
): Promise<void> {
	if (lock.ready !== undefined) {
		await (aborted === undefined ? lock.ready : Promise.race([lock.ready, aborted]));
		waiting.release();
		await slots.acquire();
	}
	if (!schedule.stopped()) await schedule.work(plan);
	slots.release();
	lock.release();
}

/** Lets a number of things be under way at once; the others wait in order. */
class Pool {
	private readonly queue: Array<() => void> = [];

	/** @param free how many may be under way */
	constructor(private free: number) {}

	/** Waits for a slot. */
	async acquire(): Promise<void> {
		if (this.free > 0) {
			this.free--;
			return;
		}
		await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	release(): void {
		const next = this.queue.shift();
		if (next === undefined) this.free++;
		else next();
	}
}

/**
 * Does work on entries, some at a time, each taken when its work begins, in their order. Nothing further is begun
 * once `stopped` says so or work has rejected.
 *
 * @throws what the first work to reject was rejected with, after the others under way have ended
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
		while (failures.length === 0 && !stopped()) {
			const next = iterator.next();
			if (next.done === true) return;
			await work(next.value).catch((error: unknown) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	if (failures.length > 0) throw failures[0];
}

/**
 * Items are read and checked this far ahead of the one that is sent: a mistake in the last of a few thousand
 * items must not be found when the others are already written, and a million need not all be held. Much
 * less costs time: reading and sending in turns is slower than one after the other.
 */
const ITEMS_AHEAD = 10_000;

/** What is made of each item, a bounded number ahead of its use, and let go after it. */
export class Ahead<Plan> {
	private readonly plans: Array<Plan | undefined>;
	private next = 0;

	/** @param make plans one item; must not throw, must not send */
	constructor(
		private readonly total: number,
		private readonly make: (itemIndex: number) => Plan,
		private readonly ahead = ITEMS_AHEAD,
	) {
		this.plans = new Array<Plan | undefined>(total);
	}

	/** @returns the plans of the first items, which `take` gives again */
	begin(): Plan[] {
		this.reach(this.ahead);
		return this.plans.slice(0, this.next) as Plan[];
	}

	/** An item's plan, once. */
	take(itemIndex: number): Plan | undefined {
		this.reach(itemIndex + 1 + this.ahead);
		const plan = this.plans[itemIndex];
		this.plans[itemIndex] = undefined;
		return plan;
	}

	private reach(end: number): void {
		for (; this.next < Math.min(end, this.total); this.next++)
			this.plans[this.next] = this.make(this.next);
	}
}
