import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { pause } from '../../shared/api/clock';
import { isObject } from '../../shared/values/json';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { settled } from '../../shared/errors/errors';
import { isNotThere } from './batchErrors';

/** Words for the state of a job; the document shows none. */
const STATES: Record<string, JobState> = {
	accepted: 'running',
	active: 'running',
	created: 'running',
	importing: 'running',
	in_progress: 'running',
	new: 'running',
	pending: 'running',
	processing: 'running',
	queued: 'running',
	running: 'running',
	scheduled: 'running',
	started: 'running',
	starting: 'running',
	validating: 'running',
	waiting: 'running',
	complete: 'finished',
	completed: 'finished',
	completed_with_errors: 'finished',
	done: 'finished',
	finished: 'finished',
	imported: 'finished',
	partially_completed: 'finished',
	succeeded: 'finished',
	success: 'finished',
	aborted: 'failed',
	canceled: 'failed',
	cancelled: 'failed',
	error: 'failed',
	failed: 'failed',
};

const STATE_KEYS = ['status', 'state', 'phase'] as const;
const LINK_KEYS = ['status_url', 'url', 'href', 'self'] as const;
const DONE_KEYS = ['processed', 'processed_count', 'done'] as const;

/** The wait between two looks at a job grows from the first to the second. ms. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const WAIT_FACTOR = 1.5;

/** `unknown` where it is in a word that is not known, `notShown` where the record shows none. */
export type JobState = 'running' | 'finished' | 'failed' | 'unknown' | 'notShown';

/** Reads how far a job is. */
export function jobState(job: IDataObject): JobState {
	const word = stateWord(job);
	if (word === undefined) return 'notShown';
	return (
		STATES[
			word
				.trim()
				.toLowerCase()
				.replaceAll(/[\s-]+/g, '_')
		] ?? 'unknown'
	);
}

/** The state of a job in the platform's word. */
export function stateWord(job: IDataObject): string | undefined {
	for (const holder of [job, job.job]) {
		if (!isObject(holder)) continue;
		const word = STATE_KEYS.map((key) => holder[key]).find((one) => typeof one === 'string');
		if (word !== undefined) return word as string;
	}
	return undefined;
}

/** How many of its operations a job has done, where it tells. */
export function jobProgress(job: IDataObject): number | undefined {
	const count = DONE_KEYS.map((key) => job[key]).find((one) => typeof one === 'number');
	return count as number | undefined;
}

/**
 * The request that shows a job. The document names none: a link of the answer is followed where it leads to a
 * job of the same host; otherwise the job is looked for by its ID.
 *
 * @param answer to the request that started the job
 * @param host of the platform
 * @returns undefined where the answer names no job
 */
export function jobRequest(answer: PlatformResponse, host: string): PlatformRequest | undefined {
	const job = answer.record ?? {};
	const links = [job, job.links, job._links].flatMap((holder) =>
		isObject(holder) ? LINK_KEYS.map((key) => holder[key]) : [],
	);
	for (const link of [answer.headers.location, ...links]) {
		const path = typeof link === 'string' ? jobPathOf(link, host) : undefined;
		if (path !== undefined) return path;
	}
	const inner = isObject(job.job) ? job.job : job;
	const id = job.id ?? inner.id ?? job.job_id;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	return { method: 'GET', path: '/jobs/{jobId}', pathParams: { jobId: String(id) } };
}

function jobPathOf(link: string, host: string): PlatformRequest | undefined {
	const url = URL.canParse(link, `https://${host}`) ? new URL(link, `https://${host}`) : undefined;
	const id = /\/jobs\/(?:catalog-import\/)?([\w.~-]+)\/?$/.exec(url?.pathname ?? '')?.[1];
	if (url?.host !== host || id === undefined || id === 'catalog-import') return undefined;
	const path = url.pathname.includes('/jobs/catalog-import/')
		? '/jobs/catalog-import/{jobId}'
		: '/jobs/{jobId}';
	return { method: 'GET', path, pathParams: { jobId: id } };
}

/** What became of waiting. */
export interface WaitedJob {
	/** As the platform showed it last; undefined where it shows no state. */
	job?: IDataObject;
	ended: 'finished' | 'failed' | 'notShown' | 'tooLong';
}

/**
 * Waits until a job has finished, within a bound. Each look is a request. A state in a word that is not known may
 * be any, so it is looked at again.
 *
 * @param request shows the job
 * @param longestMs ms
 * @param onLook is told what each look showed
 * @throws CancelledError; PlatformError where the platform cannot be reached
 */
export async function waitForJob(
	client: PlatformClient,
	request: PlatformRequest,
	longestMs: number,
	onLook: (job: IDataObject) => void,
): Promise<WaitedJob> {
	const endMs = client.clock.monotonic() + longestMs;
	let job: IDataObject | undefined;
	for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * WAIT_FACTOR, LONGEST_WAIT_MS)) {
		const leftMs = endMs - client.clock.monotonic();
		if (leftMs <= 0) return { job, ended: 'tooLong' };
		await pause(client.clock, Math.min(waitMs, leftMs), client.signal);
		job = await lookAt(client, request);
		if (job === undefined) return { ended: 'notShown' };
		onLook(job);
		const state = jobState(job);
		if (state === 'finished' || state === 'failed') return { job, ended: state };
		if (state === 'notShown') return { job, ended: 'notShown' };
	}
}

async function lookAt(
	client: PlatformClient,
	request: PlatformRequest,
): Promise<IDataObject | undefined> {
	const answer = await settled(client.request(request));
	if (answer.status === 'fulfilled') return answer.value.record;
	const error: unknown = answer.reason;
	// The platform has no such endpoint, or not for this key: then its jobs are not shown.
	if (isNotThere(error)) return undefined;
	throw error;
}
