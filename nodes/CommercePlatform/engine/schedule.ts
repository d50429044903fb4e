import { pause, type Clock } from '../../shared/api/clock';
import type { Grouping } from './grouping';
import { Slots } from './slots';
import { takeTurn, type Turn } from './turns';

/** Groups that wait for their turn while others go on; more than these hold up the rest. */
const MAX_WAITING = 1_000;

/** The order and the pace of a run's work. */
export interface Schedule<Plan> {
	/** Input items. */
	total: number;
	/** Makes the grouping of items into pieces of work. */
	grouping(): Grouping<Plan>;
	/** Pieces of work at once at most. */
	atOnce: number;
	/** n8n's Batching setting: after each batch of items a pause. */
	batching: { size: number; intervalMs: number };
	/** An item's plan; undefined where it has failed already. */
	planOf(itemIndex: number): Promise<Plan | undefined>;
	/** What a plan writes to. */
	targetsOf(plan: Plan): readonly string[];
	/** Does the work of a group. Must not reject. */
	work(plans: Plan[]): Promise<void>;
	/** Whether nothing further is to be started. */
	stopped(): boolean;
	clock: Clock;
	signal?: AbortSignal;
}

/**
 * Does a run's work: some pieces at once, started in input order; those that write to one target one after
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
	for await (const plans of groupsBetween(schedule, start, end)) {
		const turn = takeTurn(plans.flatMap((plan) => schedule.targetsOf(plan)));
		// What waits for its turn must not keep a slot from others that could go on.
		await (turn.comes === undefined ? slots : waiting).acquire();
		const group = runGroup(schedule, plans, turn, { slots, waiting, aborted });
		running.add(group);
		void group.then(() => running.delete(group));
	}
	await Promise.all(running);
}

async function* groupsBetween<Plan>(
	{ planOf, grouping, stopped }: Schedule<Plan>,
	start: number,
	end: number,
): AsyncGenerator<Plan[]> {
	const groups = grouping();
	for (let index = start; index < end && !stopped(); index++) {
		const plan = await planOf(index);
		if (plan !== undefined) yield* groups.add(plan);
	}
	if (!stopped()) yield* groups.end();
}

async function runGroup<Plan>(
	schedule: Schedule<Plan>,
	plans: Plan[],
	turn: Turn,
	{ slots, waiting, aborted }: { slots: Slots; waiting: Slots; aborted?: Promise<void> },
): Promise<void> {
	if (turn.comes !== undefined) {
		await (aborted === undefined ? turn.comes : Promise.race([turn.comes, aborted]));
		waiting.release();
		await slots.acquire();
	}
	if (!schedule.stopped()) await schedule.work(plans);
	slots.release();
	turn.end();
}

/** Fulfilled when the execution is cancelled. */
function abortOf(signal: AbortSignal | undefined): Promise<void> | undefined {
	return (
		signal &&
		new Promise((resolve) => {
			if (signal.aborted) resolve();
			signal.addEventListener('abort', () => resolve(), { once: true });
		})
	);
}
