import { setTimeout as wait } from 'node:timers/promises';

import { Expression } from 'n8n-workflow';

import { candidatesOf } from './candidates';
import type { Figures, Job } from './job';
import { watchMemory } from './liveMemory';

/** Runs one candidate, alone in a process, so that processor time and memory are its own. */

const job = JSON.parse(process.argv[2]) as Job;

/** Enough items to run every line of code a few times. */
const WARM_UP: Job = { ...job, count: 100 };

async function main(): Promise<void> {
	// n8n's own defaults (N8N_EXPRESSION_ENGINE=vm and its limits).
	await Expression.initExpressionEngine({
		engine: 'vm',
		bridgeTimeout: 5_000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 1_024,
	});
	const candidate = candidatesOf(job)[job.candidate]();
	const warmUp = candidatesOf(WARM_UP)[job.candidate]();
	// A running n8n has all of its code loaded and compiled.
	if (job.warmUp) for (let round = 0; round < 3; round++) await warmUp();
	const endOfWatch = job.lookEveryMs === undefined ? undefined : watchMemory(job.lookEveryMs);
	if (job.startAtMs !== undefined) await wait(Math.max(0, job.startAtMs - Date.now()));
	const cpu = process.cpuUsage();
	const startedAtMs = Date.now();
	const startedMs = performance.now();
	const items = await candidate();
	const wallMs = performance.now() - startedMs;
	const { user, system } = process.cpuUsage(cpu);
	const inUse = endOfWatch?.();
	const linked = items.filter(
		(item) => (item as { pairedItem?: unknown }).pairedItem !== undefined,
	).length;
	const figures: Figures = {
		wallMs,
		cpuMs: (user + system) / 1000,
		peakMb: process.resourceUsage().maxRSS / 1024,
		startedAtMs,
		items: items.length,
		linked,
		inUse,
		summary: items.length === 1 ? items[0] : undefined,
	};
	// The engine's native part can crash if the process ends while it runs.
	await Expression.disposeExpressionEngine();
	process.stdout.write(`\n${JSON.stringify(figures)}\n`, () => process.exit());
}

void main();
