import { join } from 'node:path';

import execa from 'execa';

import type { Figures, Job } from './job';

const SCRIPT = join(__dirname, 'candidate.ts');
const TSX = join(__dirname, '..', '..', 'node_modules', 'tsx', 'dist', 'cli.mjs');

/**
 * Runs one candidate in its own process. A native part of n8n's expression engine can crash when the process ends;
 * figures that were printed before still count.
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
	const lastLine = stdout.trim().split('\n').pop() ?? '';
	if (!lastLine.startsWith('{"wallMs"'))
		throw new Error(`${job.candidate} ended with ${exitCode} and no figures: ${stderr}`);
	return JSON.parse(lastLine) as Figures;
}
