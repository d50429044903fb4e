import type { Judge } from './judge';
import { makeSchedule, simulate, type Schedule } from './schedule';
import type { Sources } from './sources';

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
		const schedule = makeSchedule(seed);
		const judge = await simulate(schedule, sources);
		const { received, causes } = judge;
		add(hunted, { schedules: 1, deliveries: received.length, causes: Object.fromEntries(causes) });
		if (judge.violation === undefined) continue;
		const { story, violation } = await smallest(schedule, judge, sources);
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

/** Chance decides how long everything takes, so a smaller schedule may need another seed. */
const TRIES = 3;

const PLAIN: Pick<Schedule, 'n8n' | 'platform' | 'options'> = {
	n8n: { answersFirst: false, processors: 0, mains: 1, proxyHolds: false, atOnce: 0 },
	platform: {
		wholeSeconds: false,
		repeatedKey: 'the same answer',
		retriesRemoved: true,
		legacyHeaders: false,
		sendsIds: true,
	},
	options: {},
};

/** Leaves out everything that is not needed to break a rule. */
async function smallest(schedule: Schedule, broken: Judge, sources: Sources): Promise<Judge> {
	for (const smaller of smallerThan(schedule)) {
		for (let seed = schedule.seed; seed < schedule.seed + TRIES; seed++) {
			const judge = await simulate({ ...smaller, seed }, sources);
			if (judge.violation !== undefined)
				return await smallest({ ...smaller, seed }, judge, sources);
		}
	}
	const { n8n, platform, options } = schedule;
	broken.story.unshift(JSON.stringify({ n8n, platform, options }));
	return broken;
}

/** The same schedule with less in it, large parts first. */
function* smallerThan(schedule: Schedule): Generator<Schedule> {
	const { steps } = schedule;
	for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2))
		for (let start = 0; start < steps.length; start += size)
			yield { ...schedule, steps: [...steps.slice(0, start), ...steps.slice(start + size)] };
	for (const part of ['n8n', 'platform', 'options'] as const) {
		if (JSON.stringify(schedule[part]) !== JSON.stringify(PLAIN[part]))
			yield { ...schedule, [part]: PLAIN[part] };
	}
}
