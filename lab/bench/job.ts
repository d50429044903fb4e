import { join } from 'node:path';

import execa from 'execa';

/** The job of a candidate's process. */
export interface Job {
	/** e.g. `list/ours` */
	candidate: string;
	baseUrl: string;
	apiKey: string;
	/** Folder with `node_modules/n8n-nodes-base`. */
	n8nFolder: string;
	/** Whether to run a little first, so that all code is loaded and compiled. */
	warmUp: boolean;
	/** Whether n8n evaluates expressions without its sandbox, which takes a fifth of the time. */
	quickExpressions?: boolean;
	/** Whether `blockedMs` is that of the node itself, without n8n's hand-over of its items. */
	isWatched?: boolean;
	/** Single reads or writes, if the candidate does them. */
	count: number;
	ids: string[];
	/** When the measured run begins, for processes that begin together; at once, if absent. Unix ms. */
	startAtMs?: number;
}

/** The measurements that a candidate's process prints. */
export interface Figures {
	/** Unix ms. */
	startedAtMs: number;
	wallMs: number;
	/** User and system time of the process. */
	cpuMs: number;
	/** Peak of resident memory, MiB. */
	peakMb: number;
	/** Output items. */
	items: number;
	/** The longest time that nothing else could run, ms; in `grow`, while the node itself ran. */
	blockedMs: number;
	/** How many expressions n8n evaluated. */
	evaluations: number;
}

const SCRIPT = join(__dirname, 'candidate.ts');

/**
 * Runs one candidate in its own process. A native part of n8n's expression engine can crash when the process ends;
 * figures that were printed before still count.
 */
export async function runCandidate(job: Job): Promise<Figures> {
	const { stdout, stderr, exitCode } = await execa(
		process.execPath,
		['--max-old-space-size=8192', '--import', 'tsx', SCRIPT, JSON.stringify(job)],
		{ maxBuffer: 2 ** 26, reject: false },
	);
	const lastLine = stdout.trim().split('\n').pop() ?? '';
	if (!lastLine.startsWith('{"wallMs"'))
		throw new Error(`${job.candidate} ended with ${exitCode} and no figures: ${stderr}`);
	return JSON.parse(lastLine) as Figures;
}
