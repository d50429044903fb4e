import { pause, type Clock } from '../../shared/api/clock';

/** Items that wait for their turn while others go on; more than these hold up the rest. */
const MAX_WAITING = 1_000;

/** The order and the pace of a run's work. */
export interface Schedule<Plan> {
	/** Input items. */
	total: number;
	/** Items at once at most. */
	atOnce: number;
	/** n8n's Batching setting: after each batch of items a pause. */
	batching: { size: number; intervalMs: number };
	/** An item's plan; undefined where it has failed already. */
	planOf(itemIndex: number): Promise<Plan | undefined>;
	/** What a plan writes to. */
	targetsOf(plan: Plan): readonly string[];
	/** Does the work of an item. Must not reject. */
	work(plan: Plan): Promise<void>;
	/** Whether nothing further is to be started. */
	stopped(): boolean;
	clock: Clock;
	signal?: AbortSignal;
}

/**
 * Does a run's work: some items at once, started in input order; those that write to one target one after
 * the other.
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
	const slots = new Slots(schedule.atOnce);
	const waiting = new Slots(MAX_WAITING);
	const aborted = abortOf(schedule.signal);
	const running = new Set<Promise<void>>();
	for (let next = start; next < end && !schedule.stopped(); next++) {
		const plan = await schedule.planOf(next);
		if (plan === undefined) continue;
		const turn = takeTurn(schedule.targetsOf(plan));
		// What waits for its turn must not keep a slot from others that could go on.
		await (turn.comes === undefined ? slots : waiting).acquire();
		const work = runInTurn(schedule, plan, turn, { slots, waiting, aborted });
		running.add(work);
		void work.then(() => running.delete(work));
	}
	await Promise.all(running);
}

async function runInTurn<Plan>(
	schedule: Schedule<Plan>,
	plan: Plan,
	turn: Turn,
	{ slots, waiting, aborted }: { slots: Slots; waiting: Slots; aborted?: Promise<void> },
): Promise<void> {
	if (turn.comes !== undefined) {
		await (aborted === undefined ? turn.comes : Promise.race([turn.comes, aborted]));
		waiting.release();
		await slots.acquire();
	}
	if (!schedule.stopped()) await schedule.work(plan);
	slots.release();
	turn.end();
}

/** Fulfilled when the execution is cancelled. */
export function abortOf(signal: AbortSignal | undefined): Promise<void> | undefined {
	return (
		signal &&
		new Promise((resolve) => {
			if (signal.aborted) resolve();
			signal.addEventListener('abort', () => resolve(), { once: true });
		})
	);
}

/** Lets a number of things be under way at once; the others wait in order. */
class Slots {
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

/** A place in the queue of some targets. */
interface Turn {
	/** Fulfilled when every earlier turn of these targets has ended; undefined where there is none to wait for. */
	readonly comes?: Promise<void>;
	/** Ends the turn. Later ones go on once the earlier ones have ended as well. */
	end(): void;
}

/** The latest turn of each target that has not ended. Shared by all executions of this process. */
const latest = new Map<string, Promise<void>>();

const FREE: Turn = { end: () => undefined };

/**
 * Takes the next turn of what a write changes, so that writes to one target go one after the other, in the
 * order in which their turns were taken. Turns of several targets are taken at once, so two can never wait
 * for each other.
 *
 * @param targets names of what is written to; none for a read
 */
export function takeTurn(targets: readonly string[]): Turn {
	if (targets.length === 0) return FREE;
	const earlier = targets.flatMap((target) => latest.get(target) ?? []);
	const comes = earlier.length === 0 ? undefined : Promise.all(earlier).then(() => undefined);
	let settle: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (settle = resolve));
	for (const target of targets) latest.set(target, ended);
	const forget = () => {
		for (const target of targets) if (latest.get(target) === ended) latest.delete(target);
		settle();
	};
	return { comes, end: () => (comes === undefined ? forget() : void comes.then(forget)) };
}
