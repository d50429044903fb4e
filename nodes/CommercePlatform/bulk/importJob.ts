import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { pause } from '../../shared/api/clock';
import { isObject } from '../../shared/values/json';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { settled } from '../../shared/errors/errors';
import { isNotThere } from './batches';

/** The words for the end of a job that are taken; the document shows none. Any other is waited for. */
const STATES = new Map<string, JobState>([
	['completed', 'finished'],
	['done', 'finished'],
	['finished', 'finished'],
	['succeeded', 'finished'],
	['aborted', 'failed'],
	['canceled', 'failed'],
	['cancelled', 'failed'],
	['error', 'failed'],
	['failed', 'failed'],
]);

/** A job that has ended and says that it did not do all, e.g. `completed_with_errors`. */
const WITH_ERRORS = /_with_(errors|failures)$/;

/** What of a job's fields counts, or lists, the products that it did not write. */
const FAILURES =
	/(failed|failures?|rejected|errors?|invalid)(_?(count|items|operations|products|rows|total))?$/i;

const STATE_KEYS = ['status', 'state', 'phase'] as const;
const LINK_KEYS = ['status_url', 'url', 'href', 'self'] as const;
const DONE_KEYS = ['processed', 'processed_count', 'done'] as const;

/** The wait between two looks at a job grows from the first to the second. ms. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const WAIT_FACTOR = 1.5;

/** `partial` where it has ended without doing all. */
type JobState = 'open' | 'finished' | 'partial' | 'failed';

/** Reads how far a job is. */
export function jobState(job: IDataObject): JobState {
	const word = (stateWord(job) ?? '')
		.trim()
		.toLowerCase()
		.replaceAll(/[\s-]+/g, '_');
	if (WITH_ERRORS.test(word)) return 'partial';
	return STATES.get(word) ?? 'open';
}

/**
 * What a job tells of products that it did not write: a count above zero, or a list, also in an object of counts.
 *
 * @returns it in words; undefined where it tells of none
 */
export function failuresOf(job: IDataObject): string | undefined {
	const state = jobState(job) === 'partial' ? `state “${stateWord(job)}”` : undefined;
	const holders = [job, ...Object.values(job)].filter(isObject);
	const fields = holders.flatMap((holder) => Object.entries(holder));
	const found = fields.find(([name, value]) => FAILURES.test(name) && tellsOfSome(value));
	if (found === undefined) return state;
	return `“${found[0]}” is ${JSON.stringify(found[1]).slice(0, MAX_TOLD)}`;
}

/** Longest part of a list of failures in a message. Characters. */
const MAX_TOLD = 200;

/** Whether a count or a list is not empty. */
function tellsOfSome(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	if (typeof value === 'string') return value !== '' && !/^0+$/.test(value);
	return value === true || (typeof value === 'number' && value !== 0);
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
	ended: 'finished' | 'notShown' | 'notAwaited' | 'tooLong';
}

/**
 * Waits until a job has ended, within a bound. Each look is a request. A state in a word that is not known may be
 * any, so it is looked at again.
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
		if (jobState(job) !== 'open') return { job, ended: 'finished' };
		if (stateWord(job) === undefined) return { job, ended: 'notShown' };
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
