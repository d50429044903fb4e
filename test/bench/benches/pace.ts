import { setTimeout as wait } from 'node:timers/promises';

import type { Platform } from '../../platform';
import type { Figures } from '../job';
import { atMost, heading } from '../report';
import { runCandidate } from '../runCandidate';
import { jobFor, withPlatform } from '../shop';

const WINDOW_MS = 5_000;
const BUDGET = 100;
const REQUESTS = 1_000;

/** Under a budget for the minute, here of 5 s: how long it takes and how many requests it wastes. */
export async function pace(n8nFolder: string): Promise<void> {
	const budget = { minuteBudget: BUDGET, minuteWindowMs: WINDOW_MS, dayBudget: 1_000_000 };
	for (const candidate of ['get/ours', 'get/naive']) {
		await withPlatform({ ...budget, products: 1_000, validate: false }, async (platform) => {
			const job = { ...(await jobFor(platform, n8nFolder)), count: REQUESTS, warmUp: false };
			// The job's own request has taken one of this window's.
			await wait(restOfWindowMs(Date.now()));
			await platform.control.resetCounters();
			const figures = await runCandidate({ ...job, candidate });
			await report(candidate, platform, figures);
		});
	}
}

async function report(candidate: string, platform: Platform, figures: Figures): Promise<void> {
	const { total, byRoute } = await platform.control.counters();
	const refused = byRoute
		.filter(({ status }) => status === 429)
		.reduce((sum, { count }) => sum + count, 0);
	heading(`1,000 requests under a budget of 100 in 5 s`, { [candidate]: figures });
	atMost('time / least possible time', figures.wallMs / leastMs(figures.startedAtMs), 1.1);
	atMost('answered 429 / sent', refused / total, 0.01);
}

/**
 * The least time that the budget allows: what is left of the first window, and every further one but the last,
 * whose requests can go out at its beginning.
 */
function leastMs(startedAtMs: number): number {
	return restOfWindowMs(startedAtMs) + (Math.ceil(REQUESTS / BUDGET) - 2) * WINDOW_MS;
}

/** Windows begin at whole multiples of their length. */
function restOfWindowMs(nowMs: number): number {
	return WINDOW_MS - (nowMs % WINDOW_MS);
}
