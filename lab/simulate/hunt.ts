import fc from 'fast-check';

import type { Judge } from './judge';
import { oneOf, SCHEDULES, simulate } from './schedule';
import type { Sources } from './sources';

/** After this time, the schedule is small enough. */
const SHRINKING_MS = 10_000;

/** The result of many schedules. */
export interface Hunted {
	schedules: number;
	/** Sendings that the trigger judged. */
	deliveries: number;
	/** How often a schedule ran into something that docs/guarantees.md allows, by cause. */
	causes: Record<string, number>;
	/** The first schedule that breaks a rule, as small as possible, and its story. */
	broken?: { seed: number; violation: string; story: string[] };
}

/**
 * Runs schedules until one breaks a rule.
 *
 * @param from the first seed; each schedule has the next
 */
export async function hunt(sources: Sources, from: number, count: number): Promise<Hunted> {
	const hunted = nothingHunted();
	for (let seed = from; seed < from + count && hunted.broken === undefined; seed++) {
		let first: Judge | undefined;
		const keepsAll = fc.asyncProperty(SCHEDULES, async (schedule) => {
			const judge = await simulate(schedule, sources);
			first ??= judge;
			return judge.violation === undefined;
		});
		const { counterexample } = await fc.check(keepsAll, {
			...oneOf(seed),
			skipAllAfterTimeLimit: SHRINKING_MS,
		});
		const { received, causes } = first!;
		add(hunted, { schedules: 1, deliveries: received.length, causes: Object.fromEntries(causes) });
		if (counterexample === null) continue;
		const [smallest] = counterexample;
		const { story, violation } = await simulate(smallest, sources);
		const { n8n, platform, options } = smallest;
		story.unshift(JSON.stringify({ n8n, platform, options }));
		hunted.broken = { seed, violation: violation!, story };
	}
	return hunted;
}

export const nothingHunted = (): Hunted => ({ schedules: 0, deliveries: 0, causes: {} });

export function add(sum: Hunted, { schedules, deliveries, causes, broken }: Hunted): void {
	sum.schedules += schedules;
	sum.deliveries += deliveries;
	for (const [cause, times] of Object.entries(causes))
		sum.causes[cause] = (sum.causes[cause] ?? 0) + times;
	sum.broken ??= broken;
}
