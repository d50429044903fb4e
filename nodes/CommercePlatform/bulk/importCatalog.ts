import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../shared/api/clock';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { PlatformError } from '../../shared/errors/errors';
import { type BulkItem, readableItems } from '../run/bulkItem';
import type { BulkCall } from '../run/operation';
import { batchBody, refusalOf, splitImport } from './batches';
import { type JobReading, readJob } from './importJob';

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/** The document names no largest job; this keeps a body within what servers usually take. */
export const MAX_IMPORT_OPERATIONS = 20_000;

/** The choice of Specify Product with which each item gives the whole body of a job of its own. */
export const WHOLE_BODY = 'jobBody';

/** Characters of a failed job's record in its message. */
const MAX_JOB_TEXT = 500;

/** The wait between two looks at a job grows from the first to the second. ms. */
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
	for (const [at, wanted] of jobs.entries()) {
		if (call.stopped()) return;
		const job = wanted[0].hasResult ? [] : readableItems(wanted, call);
		if (job.length === 0 || call.stopped()) continue;
		const body = isWholeBody ? job[0].fields : batchBody(job);
		if (dryRun === true) call.done(job, { dryRun: true, products: job.length, body });
		else await runJob(call, job, body);
		report.progress(at + 1, jobs.length, 'import jobs');
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
		// Asked for again, it is another job: under its old key the platform may give the old answer.
		if (refusalOf(error) === undefined) call.noteMayBeApplied(items);
		else call.refused(items);
		return call.failed(items, error);
	}
	const sent = Array.isArray(body.operations) ? body.operations.length : 1;
	const { record: started = { accepted: true } } = answer;
	const first = readJob(answer.body, sent);
	const look = await lookUntilEnd(call, answer, first, sent);
	const job = { ...started, ...look?.record };
	const readings = look === undefined ? [first] : [first, look.reading];
	const failure = readings.find((reading) => reading.failure !== undefined)?.failure;
	if (failure === undefined) return call.done(items, job);
	// A job that did a part keeps its key, so that n8n does not start another one for all products.
	if (readings.some(({ isRefused }) => isRefused)) call.refused(items);
	const hint = `In its record ${failure}. Job: ${JSON.stringify(job).slice(0, MAX_JOB_TEXT)}.`;
	call.failed(
		items,
		new PlatformError('job-failed', { ...IMPORT, host: call.client.host }, { hint }),
	);
}

/** How a job was shown. */
interface Look {
	reading: JobReading;
	record?: IDataObject;
}

/**
 * Looks at a job until it has ended, within a bound. Each look is a request. A state in a word that is not known may be
 * any, so it is looked at again.
 *
 * @param first what the answer that started it tells
 * @returns the last look; undefined if none shows the job, which changes nothing about it
 */
async function lookUntilEnd(
	{ client, report, options: { waitForJob: minutes = 0 } }: BulkCall,
	answer: PlatformResponse,
	first: JobReading,
	sent: number,
): Promise<Look | undefined> {
	if (minutes === 0 || first.hasEnded) return undefined;
	const { clock, signal } = client;
	const request = jobRequest(answer, first.id, client.host);
	const endMs = clock.monotonic() + Number(minutes) * 60_000;
	let look: Look | undefined;
	let waitMs = FIRST_WAIT_MS;
	while (request !== undefined && clock.monotonic() < endMs) {
		const leftMs = endMs - clock.monotonic();
		look = await pause(clock, Math.min(waitMs, leftMs), signal)
			.then(async () => lookOf(await client.request(request), request, sent))
			.catch(() => undefined);
		if (look === undefined || look.reading.hasEnded) break;
		waitMs = Math.min(waitMs * WAIT_FACTOR, LONGEST_WAIT_MS);
	}
	if (look === undefined)
		report.hint(
			'A job was started. The platform does not show the state of its jobs, or not to the end, so it is not known what became of it.',
		);
	else if (!look.reading.hasEnded)
		report.hint(
			`A job had not finished within “Wait for the Job”: the platform calls its state “${look.reading.state}”. It may go on by itself.`,
		);
	return look;
}

/** @returns undefined if the answer shows no state, or another job, which says nothing of this one */
function lookOf(
	{ body, record }: PlatformResponse,
	{ pathParams }: PlatformRequest,
	sent: number,
): Look | undefined {
	const reading = readJob(body, sent);
	const { id, state, failure } = reading;
	const isOther = id !== undefined && String(id) !== pathParams?.jobId;
	// An error without an ID may be that of the look.
	const isShown = state !== undefined || (id !== undefined && failure !== undefined);
	return isOther || !isShown ? undefined : { reading, record };
}

/**
 * The request that shows a job. The document names none: the Location of the answer is followed where it leads to a
 * job; otherwise the job is looked for by its ID.
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
	const linked = /\/jobs\/(catalog-import\/)?(?!catalog-import\/?$)([\w.~-]+)\/?$/.exec(path);
	const [, of = '', jobId = id] = linked ?? [];
	if (jobId === undefined) return undefined;
	return { method: 'GET', path: `/jobs/${of}{jobId}`, pathParams: { jobId: String(jobId) } };
}
