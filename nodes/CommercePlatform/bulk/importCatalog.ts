import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { pause } from '../../shared/api/clock';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { PlatformError, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { type HeldItem, holdFields } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { failureOf, refusalOf, type BatchLimits } from './batches';
import { batchBody, ENVELOPE_BYTES, operationBytes, skuKey } from './products';
import { costText, requestCost } from './requestCost';

/** `POST /jobs/catalog-import` (API document, "Products"). */
const IMPORT_PATH = '/jobs/catalog-import';

/** An import is meant for more mutations than this (API document, "Products"). */
const MIN_IMPORT_OPERATIONS = 1_000;

/** The document names no largest job; these keep a body within what servers usually take. */
export const MAX_IMPORT_OPERATIONS = 20_000;
/** Bytes. */
const MAX_IMPORT_BYTES = 8_000_000;

/** Characters of a failed job's record in its message. */
const MAX_JOB_TEXT = 500;

/** The words for the end of a job that are taken; the document shows none. Any other is waited for. */
const FINISHED = /^(completed|done|finished|succeeded)$/i;
const FAILED = /^(aborted|cancell?ed|error|failed)$/i;
/** It has ended, and did not do all. */
const WITH_ERRORS = /[_\s-]with[_\s-](errors|failures)$/i;

/** What of a job's fields counts, or lists, the products that it did not write. */
const FAILURES =
	/(failed|failures?|rejected|errors?|invalid)(_?(count|items|operations|products|rows|total))?$/i;

/** The wait between two looks at a job grows from the first to the second. ms. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const WAIT_FACTOR = 1.5;

/** What the user chose for the whole run. */
interface ImportOptions {
	/** Operations a job at most. */
	batchSize: number;
	/** Whether each item gives the whole body of a job of its own. */
	wholeBodies: boolean;
	dryRun: boolean;
	/** How long to wait for the jobs; 0 for not at all. ms. */
	waitMs: number;
}

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function importCatalog(call: BatchCall, options: ImportOptions): Promise<void> {
	const { items, report } = call;
	const { wholeBodies } = options;
	if (items.length === 0) return;
	const limits = { maxOperations: options.batchSize, maxBytes: MAX_IMPORT_BYTES };
	const jobs = wholeBodies ? items.map((item) => [item]) : splitImport(items, limits);
	const bodyOf = (job: readonly HeldItem[]) => (wholeBodies ? job[0].fields : batchBody(job));
	if (options.dryRun) {
		for (const wanted of jobs) {
			const job = holdFields(wanted, call);
			if (job.length > 0) call.done(job, { dryRun: true, products: job.length, body: bodyOf(job) });
		}
		const cost = requestCost(jobs.length, call.client.rateLimit());
		return report.hint(`Dry run: nothing was sent. It would be ${costText(cost)}`);
	}
	if (!wholeBodies) warn(call, jobs.length);
	let started = 0;
	for (const job of jobs) {
		if (call.stopped()) return;
		const held = job[0].isDone ? [] : holdFields(job, call);
		if (held.length > 0 && !call.stopped()) await runJob(call, held, bodyOf(held), options.waitMs);
		report.progress(++started, jobs.length, 'import jobs');
	}
}

function warn({ report, items }: BatchCall, jobs: number): void {
	if (items.length <= MIN_IMPORT_OPERATIONS) {
		report.hint(
			`An import is meant for more than ${MIN_IMPORT_OPERATIONS} products. For ${items.length}, Create or Update tells the result of each.`,
		);
	}
	const repeated = items.length - new Set(items.map(({ sku }) => skuKey(sku))).size;
	if (repeated > 0) {
		report.hint(
			`SKUs that an earlier item has: ${repeated}. Items of one SKU are in one job in input order, but the platform decides in which order it works on them.`,
		);
	}
	if (jobs > 1)
		report.hint(`The products are split over ${jobs} jobs. Weekly limits may count each.`);
}

async function runJob(
	call: BatchCall,
	items: readonly HeldItem[],
	body: IDataObject,
	waitMs: number,
): Promise<void> {
	const answer = await settled(call.send({ method: 'POST', path: IMPORT_PATH, body }, items));
	if (answer.status === 'rejected') {
		// Asked for again, it is another job: under its old key the platform may give the old answer.
		if (refusalOf(answer.reason) === undefined) call.unclear(items);
		else call.refused(items);
		return call.failed(items, failureOf(answer.reason));
	}
	const started = answer.value.record ?? { accepted: true };
	const job = { ...started, ...(await awaited(call, answer.value, started, waitMs)) };
	const failures = failuresOf(job);
	if (failures === undefined) return call.done(items, job);
	// A job that did a part keeps its key, so that n8n does not start another one for all products.
	if (FAILED.test(stateOf(job))) call.refused(items);
	const request = { method: 'POST' as const, path: IMPORT_PATH, host: call.client.host };
	const hint = `It tells of failures: ${failures}. Job: ${JSON.stringify(job).slice(0, MAX_JOB_TEXT)}.`;
	call.failed(items, new PlatformError('job-failed', request, { hint }));
}

/** The job as it was shown last while it was waited for. It is started: what hides its state changes nothing about it. */
async function awaited(
	call: BatchCall,
	answer: PlatformResponse,
	started: IDataObject,
	waitMs: number,
): Promise<IDataObject | undefined> {
	if (waitMs === 0 || hasEnded(started)) return undefined;
	const { client, report } = call;
	const request = jobRequest(answer, client.host);
	const shown = await settled(
		request === undefined ? Promise.resolve(undefined) : waitForJob(client, request, waitMs),
	);
	if (shown.status === 'rejected')
		report.hint('A job was started, but its state could not be read to its end.');
	else if (shown.value === undefined || stateOf(shown.value) === '')
		report.hint('The platform does not show the state of its jobs, so there was no waiting.');
	else if (!hasEnded(shown.value))
		report.hint(
			`A job had not finished within “Wait for the Job”: the platform calls its state “${stateOf(shown.value)}”. It may go on by itself.`,
		);
	return shown.status === 'fulfilled' ? shown.value : undefined;
}

/** The state of a job in the platform’s word; empty where it shows none. */
const stateOf = ({ status, state }: IDataObject): string =>
	[status, state].find((one): one is string => typeof one === 'string')?.trim() ?? '';

const hasEnded = (job: IDataObject): boolean =>
	FINISHED.test(stateOf(job)) || failuresOf(job) !== undefined;

/**
 * What a job tells of products that it did not write: its state, a count above zero, or a list, also in an object of
 * counts.
 *
 * @returns it in words; undefined where it tells of none
 */
export function failuresOf(job: IDataObject): string | undefined {
	const state = stateOf(job);
	if (FAILED.test(state) || WITH_ERRORS.test(state)) return `its state is “${state}”`;
	const holders = [job, ...Object.values(job)].filter(isObject);
	const fields = holders.flatMap((holder) => Object.entries(holder));
	const found = fields.find(([name, value]) => FAILURES.test(name) && tellsOfSome(value));
	return found && `“${found[0]}” is ${JSON.stringify(found[1]).slice(0, MAX_JOB_TEXT)}`;
}

/** Whether a count or a list is not empty. */
function tellsOfSome(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return typeof value === 'boolean' ? value : !/^0*$/.test(String(value ?? ''));
}

/**
 * The request that shows a job. The document names none: the Location of the answer is followed where it leads to a
 * job; otherwise the job is looked for by its ID.
 *
 * @returns undefined where the answer names no job
 */
export function jobRequest(
	{ headers: { location = '' }, record = {} }: Pick<PlatformResponse, 'headers' | 'record'>,
	host: string,
): PlatformRequest | undefined {
	const url = URL.canParse(location, `https://${host}`) && new URL(location, `https://${host}`);
	const isOurs = url !== false && url.host === host;
	const [, of = '', linked] =
		/\/jobs\/(catalog-import\/)?([\w.~-]+)\/?$/.exec(isOurs ? url.pathname : '') ?? [];
	const isLinked = linked !== undefined && linked !== 'catalog-import';
	const jobId = isLinked ? linked : (record.id ?? record.job_id);
	if (typeof jobId !== 'string' && typeof jobId !== 'number') return undefined;
	const path = `/jobs/${isLinked ? of : ''}{jobId}`;
	return { method: 'GET', path, pathParams: { jobId: String(jobId) } };
}

/**
 * Waits until a job has ended, within a bound. Each look is a request. A state in a word that is not known may be
 * any, so it is looked at again.
 *
 * @param request shows the job
 * @param longestMs ms
 * @returns the job as it was shown last; undefined where it is not shown
 * @throws CancelledError; PlatformError where the platform cannot be reached
 */
export async function waitForJob(
	client: PlatformClient,
	request: PlatformRequest,
	longestMs: number,
): Promise<IDataObject | undefined> {
	const { clock, signal } = client;
	const endMs = clock.monotonic() + longestMs;
	let job: IDataObject | undefined;
	let waitMs = FIRST_WAIT_MS;
	for (let leftMs = longestMs; leftMs > 0; leftMs = endMs - clock.monotonic()) {
		await pause(clock, Math.min(waitMs, leftMs), signal);
		const answer = await settled(client.request(request));
		// The platform has no such endpoint, or not for this key: then its jobs are not shown.
		if (answer.status === 'rejected' && refusalOf(answer.reason) === 'notThere') return undefined;
		if (answer.status === 'rejected') throw answer.reason;
		job = answer.value.record;
		if (job === undefined || stateOf(job) === '' || hasEnded(job)) return job;
		waitMs = Math.min(waitMs * WAIT_FACTOR, LONGEST_WAIT_MS);
	}
	return job;
}

/**
 * Splits items into import jobs: as few as possible, since a weekly meter counts them (API document, "Limits", 5), and
 * of about the same size, since a small rest may be refused as too few. Items of one SKU go into one job in their
 * order, because jobs may run beside each other; for their sake a job may be larger than the limits say.
 */
export function splitImport(
	items: readonly HeldItem[],
	{ maxOperations, maxBytes }: BatchLimits,
): HeldItem[][] {
	const total = items.reduce((sum, item) => sum + operationBytes(item), 0);
	const count = Math.max(
		1,
		Math.ceil(items.length / maxOperations),
		Math.ceil(total / Math.max(1, maxBytes - ENVELOPE_BYTES)),
	);
	const share = Math.ceil(items.length / count);
	const jobs: Array<{ items: HeldItem[]; bytes: number }> = [];
	const jobOf = new Map<string, { items: HeldItem[]; bytes: number }>();
	for (const item of items) {
		const key = skuKey(item.sku);
		const bytes = operationBytes(item);
		let job = jobOf.get(key);
		if (job === undefined) {
			job = jobs[jobs.length - 1];
			const isFull = job === undefined || job.items.length >= share || job.bytes + bytes > maxBytes;
			if (isFull) jobs.push((job = { items: [], bytes: ENVELOPE_BYTES }));
			jobOf.set(key, job);
		}
		job.items.push(item);
		job.bytes += bytes;
	}
	return jobs.map((job) => job.items);
}
