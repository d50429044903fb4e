import { join } from 'node:path';

import execa from 'execa';

import { median } from '../support/figures';
import type { Figures, Job } from './job';

const SCRIPT = join(__dirname, 'candidate.ts');
const TSX = join(__dirname, '..', '..', 'node_modules', 'tsx', 'dist', 'cli.mjs');

/** Runs one candidate in a process of its own. */
export async function runCandidate(job: Job): Promise<Figures> {
	const { stdout } = await execa(process.execPath, [TSX, SCRIPT, JSON.stringify(job)], {
		maxBuffer: 2 ** 26,
		env: { NODE_OPTIONS: '--max-old-space-size=8192' },
	});
	const lines = stdout.trim().split('\n');
	return JSON.parse(lines[lines.length - 1]) as Figures;
}

/**
 * Runs candidates in turns, several rounds, and gives the median of every figure. In turns, since the load
 * of a shared machine changes by the minute.
 */
export async function inTurns(
	names: string[],
	rounds: number,
	job: Omit<Job, 'candidate'>,
): Promise<Record<string, Figures>> {
	const all: Record<string, Figures[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const candidate of names) all[candidate].push(await runCandidate({ ...job, candidate }));
	}
	return Object.fromEntries(names.map((name) => [name, medianFigures(all[name])]));
}

function medianFigures(figures: Figures[]): Figures {
	const of = (key: Exclude<keyof Figures, 'inUse' | 'summary'>) =>
		median(figures.map((one) => one[key]));
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
