import { join } from 'node:path';

import execa from 'execa';

import { median } from '../support/figures';
import type { Figures, Job } from './job';

const SCRIPT = join(__dirname, 'candidate.ts');
const TSX = join(__dirname, '..', '..', 'node_modules', 'tsx', 'dist', 'cli.mjs');

/**
 * Runs one candidate in a process of its own. A native part of n8n's expression engine can crash when the process
 * ends: figures that were printed before count.
 */
export async function runCandidate(job: Job): Promise<Figures> {
	const { stdout, stderr, exitCode } = await execa(
		process.execPath,
		[TSX, SCRIPT, JSON.stringify(job)],
		{
			maxBuffer: 2 ** 26,
			env: { NODE_OPTIONS: '--max-old-space-size=8192' },
			reject: false,
		},
	);
	const last = stdout.trim().split('\n').pop() ?? '';
	if (!last.startsWith('{"wallMs"'))
		throw new Error(`${job.candidate} ended with ${exitCode} and no figures: ${stderr}`);
	return JSON.parse(last) as Figures;
}

/**
 * Runs candidates in turns, several rounds. In turns, since the load of a shared machine changes by the minute: what
 * is compared are the figures of one round.
 */
export async function inTurns(
	names: string[],
	rounds: number,
	job: Omit<Job, 'candidate'>,
): Promise<Record<string, Figures[]>> {
	const all: Record<string, Figures[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		const order = round % 2 === 0 ? names : [...names].reverse();
		for (const candidate of order) all[candidate].push(await runCandidate({ ...job, candidate }));
	}
	return all;
}

/** The median of each figure that takes time or memory. */
export function medianFigures(figures: Figures[]): Figures {
	const of = (key: 'wallMs' | 'cpuMs' | 'peakMb') => median(figures.map((one) => one[key]));
	return { ...figures[0], wallMs: of('wallMs'), cpuMs: of('cpuMs'), peakMb: of('peakMb') };
}
