import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Figures, Job } from './job';

const run = promisify(execFile);
const SCRIPT = join(__dirname, 'contender.ts');
const TSX = join(__dirname, '..', '..', 'node_modules', 'tsx', 'dist', 'cli.mjs');

/** Runs one contender in a process of its own. */
export async function runContender(job: Job): Promise<Figures> {
	const { stdout } = await run(process.execPath, [TSX, SCRIPT, JSON.stringify(job)], {
		maxBuffer: 2 ** 26,
		env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=8192' },
	});
	const lines = stdout.trim().split('\n');
	return JSON.parse(lines[lines.length - 1]) as Figures;
}

/** The middle one, so that a neighbour's hiccup does not count. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs contenders in turns, several rounds, and gives the median of every figure. In turns, since the load
 * of a shared machine changes by the minute.
 */
export async function inTurns(
	names: string[],
	rounds: number,
	job: Omit<Job, 'contender'>,
): Promise<Record<string, Figures>> {
	const all: Record<string, Figures[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const contender of names) all[contender].push(await runContender({ ...job, contender }));
	}
	return Object.fromEntries(names.map((name) => [name, medianFigures(all[name])]));
}

function medianFigures(figures: Figures[]): Figures {
	const of = (key: keyof Figures) => median(figures.map((one) => one[key]));
	return {
		startedAtMs: of('startedAtMs'),
		wallMs: of('wallMs'),
		cpuMs: of('cpuMs'),
		peakMb: of('peakMb'),
		baselineMb: of('baselineMb'),
		items: of('items'),
		linked: of('linked'),
	};
}
