import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../shared/rest/clock';
import type { PlatformRequest, PlatformResponse } from '../../shared/rest/request';
import { PlatformError } from '../../shared/rest/errors';
import { type BulkItem, readableItems } from '../runner/bulkItem';
import type { BulkCall } from '../runner/operation';
import { batchBody, mayBeApplied, splitImport, wholeRefusalOf } from './batches';
import { type JobReading, readJob } from './importJob';

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/** The document gives no limit for a job. This one keeps a body within what servers usually accept. */
export const MAX_IMPORT_OPERATIONS = 20_000;

/** The choice of Specify Product with which each input item is the whole body of its own job. */
export const WHOLE_BODY = 'jobBody';

/** How many characters of a failed job's record its message shows. */
const MAX_JOB_TEXT = 500;

/** The wait between two looks at a job grows from the first of these to the second. ms. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const WAIT_FACTOR = 1.5;

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function importCatalog(call: BulkCall): Promise<void> {
	const { items, report, options } = call;
	const { batchSize = MAX_IMPORT_OPERATIONS, dryRun } = options;
	const isWholeBody = call.parameter('specifyProduct', '') === WHOLE_BODY;
	const jobs = isWholeBody ? items.map((item) => [item]) : splitImport(items, batchSize as number);
	if (dryRun === true) report.wouldSend(jobs.length);
	for (const [index, jobItems] of jobs.entries()) {
		if (call.stopped()) return;
		const job = jobItems[0].hasResult ? [] : readableItems(jobItems, call);
		if (job.length === 0 || call.stopped()) continue;
		const body = isWholeBody ? job[0].fields : batchBody(job);
		if (dryRun === true) call.done(job, { dryRun: true, products: job.length, body });
		else await runJob(call, job, body);
		report.progress(index + 1, jobs.length, 'import jobs');
	}
}

async function runJob(
	call: BulkCall,
	items: readonly BulkItem[],
	body: IDataObject,
): Promise<void> {
	let answer: PlatformResponse;
	try {
		answer = await call.send({ ...IMPORT, body }, items);
	} catch (error) {
		// Sent again, a refused job is a new one with a new key: for the old key the platform may repeat its old answer.
		if (mayBeApplied(error)) call.noteMayBeApplied(items);
		else if (wholeRefusalOf(error) !== undefined) call.refused(items);
		return call.failed(items, error);
	}
	const productCount = Array.isArray(body.operations) ? body.operations.length : 1;
	const { record: startedJob = { accepted: true } } = answer;
	const startReading = readJob(answer.body, productCount);
	const lastLook = await lookUntilEnd(call, answer, startReading, productCount);
	const job = { ...startedJob, ...lastLook?.record };
	const readings = lastLook === undefined ? [startReading] : [startReading, lastLook.reading];
	const failure = readings.find((reading) => reading.failure !== undefined)?.failure;
	if (failure === undefined) return call.done(items, job);
	// A job that wrote some of the products keeps its key, so that Retry On Fail does not start another job for all of
	// them.
	if (readings.some(({ hasFailedWhole }) => hasFailedWhole)) call.refused(items);
	const hint = `In its record ${failure}. Job: ${JSON.stringify(job).slice(0, MAX_JOB_TEXT)}.`;
	call.failed(
		items,
		new PlatformError('job-failed', { ...IMPORT, host: call.client.host }, { hint }),
	);
}

/** What one look at a job showed. */
interface Look {
	reading: JobReading;
	record?: IDataObject;
}

/**
 * Looks at a job until it has ended, for as long as Wait for the Job allows. Each look is a request. A state in an
 * unknown word may be any state, so the job is looked at again.
 *
 * @param startReading what the answer that started the job says
 * @returns the last look that showed the job; undefined if none did, which says nothing about the job
 */
async function lookUntilEnd(
	{ client, report, options: { waitForJob: minutes = 0 } }: BulkCall,
	answer: PlatformResponse,
	startReading: JobReading,
	productCount: number,
): Promise<Look | undefined> {
	if (minutes === 0 || startReading.hasEnded) return undefined;
	const { clock, signal } = client;
	const request = jobRequest(answer, startReading.id, client.host);
	const endMs = clock.monotonic() + Number(minutes) * 60_000;
	let lastLook: Look | undefined;
	let isReadable = request !== undefined;
	let waitMs = FIRST_WAIT_MS;
	while (request !== undefined && isReadable && clock.monotonic() < endMs) {
		const leftMs = endMs - clock.monotonic();
		const look = await pause(clock, Math.min(waitMs, leftMs), signal)
			.then(async () => lookOf(await client.request(request), request, productCount))
			.catch(() => undefined);
		isReadable = look !== undefined;
		lastLook = look ?? lastLook;
		if (lastLook?.reading.hasEnded === true) break;
		waitMs = Math.min(waitMs * WAIT_FACTOR, LONGEST_WAIT_MS);
	}
	if (lastLook === undefined || !isReadable)
		report.hint(
			'A job was started. Its state could not be read to the end, so it is not known what became of it.',
		);
	else if (!lastLook.reading.hasEnded)
		report.hint(
			`A job had not finished within “Wait for the Job”: the platform calls its state “${lastLook.reading.state}”. It may go on by itself.`,
		);
	return lastLook;
}

/** @returns undefined if the answer shows no state, or is about another job */
function lookOf(
	{ body, record }: PlatformResponse,
	{ pathParams }: PlatformRequest,
	productCount: number,
): Look | undefined {
	const reading = readJob(body, productCount);
	const { id, state, failure } = reading;
	const isOtherJob = id !== undefined && String(id) !== pathParams?.jobId;
	// An error without an ID may be about the look, not the job.
	const isShown = state !== undefined || (id !== undefined && failure !== undefined);
	return isOtherJob || !isShown ? undefined : { reading, record };
}

/**
 * Makes the request that shows a job. The document names none. If the Location of the answer leads to a job, that is
 * used; otherwise the job's ID.
 *
 * @returns undefined if the answer names no job
 */
function jobRequest(
	{ headers: { location = '' } }: PlatformResponse,
	id: string | number | undefined,
	host: string,
): PlatformRequest | undefined {
	const base = `https://${host}`;
	const url = URL.canParse(location, base) ? new URL(location, base) : undefined;
	const path = url?.host === host ? url.pathname : '';
	const linkedJob = /\/jobs\/(catalog-import\/)?(?!catalog-import\/?$)([\w.~-]+)\/?$/.exec(path);
	const [, folder = '', jobId = id] = linkedJob ?? [];
	if (jobId === undefined) return undefined;
	return { method: 'GET', path: `/jobs/${folder}{jobId}`, pathParams: { jobId: String(jobId) } };
}
