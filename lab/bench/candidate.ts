import { setTimeout as wait } from 'node:timers/promises';

import { Expression } from 'n8n-workflow';

import { candidatesOf } from './candidates';
import { longestBlockMs, waitedToSeeMs, watchBlocks } from './eventLoop';
import type { Figures, Job } from './job';

/** Runs one candidate, alone in a process, so that processor time and memory are its own. */

const job = JSON.parse(process.argv[2]) as Job;

/** Enough items to run every line of code a few times. */
const WARM_UP: Job = { ...job, count: 100 };

async function main(): Promise<void> {
	if (!job.quickExpressions) await startExpressionEngine();
	const candidate = candidatesOf(job)[job.candidate]();
	const warmUp = candidatesOf(WARM_UP)[job.candidate]();
	// A running n8n has all of its code loaded and compiled.
	if (job.warmUp) for (let round = 0; round < 3; round++) await warmUp();
	if (job.startAtMs !== undefined) await wait(Math.max(0, job.startAtMs - Date.now()));
	const evaluations = countEvaluations();
	await watchBlocks();
	const cpu = process.cpuUsage();
	const startedAtMs = Date.now();
	const waitedMs = waitedToSeeMs();
	const startedMs = performance.now();
	const items = await candidate();
	const wallMs = performance.now() - startedMs - (waitedToSeeMs() - waitedMs);
	const { user, system } = process.cpuUsage(cpu);
	const figures: Figures = {
		wallMs,
		cpuMs: (user + system) / 1000,
		peakMb: process.resourceUsage().maxRSS / 1024,
		startedAtMs,
		items: items.length,
		blockedMs: await longestBlockMs(),
		evaluations: evaluations(),
	};
	// The engine's native part can crash if the process ends while it runs.
	if (!job.quickExpressions) await Expression.disposeExpressionEngine();
	process.stdout.write(`\n${JSON.stringify(figures)}\n`, () => process.exit());
}

/** With n8n's own defaults (N8N_EXPRESSION_ENGINE=vm and its limits). */
const startExpressionEngine = async () =>
	await Expression.initExpressionEngine({
		engine: 'vm',
		bridgeTimeout: 5_000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 1_024,
	});

/** Counts the expressions that n8n evaluates from now on. @returns how many there were */
function countEvaluations(): () => number {
	let count = 0;
	const counted = Expression.prototype as unknown as {
		renderExpression(expression: string, data: object): unknown;
	};
	const { renderExpression } = counted;
	counted.renderExpression = function (expression, data) {
		count++;
		return renderExpression.call(this, expression, data);
	};
	return () => count;
}

void main();
