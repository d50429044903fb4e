import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../shared/api/clock';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { PlatformError, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { type HeldItem, holdFields } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { batchBody, refusalOf, splitImport } from './batches';
import { isEmpty, saysTrouble, skuKey, TROUBLE } from './products';

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/** The document names no largest job; this keeps a body within what servers usually take. */
export const MAX_IMPORT_OPERATIONS = 20_000;

/** The choice of Specify Product with which each item gives the whole body of a job of its own. */
export const WHOLE_BODY = 'jobBody';

/** Characters of a failed job's record in its message. */
const MAX_JOB_TEXT = 500;

/** The words for the end of a job that are taken; the document shows none. Any other is waited for. */
const FINISHED = /^(completed|done|finished|succeeded)$/i;
const FAILED = /^(aborted|cancell?ed|error|failed)$/i;

/** Counts that are the same, and not 0, where a job has done all of its work. */
const COUNTS: readonly string[] = ['total', 'processed', 'succeeded'];

/** What a finished job may have beside them. Of any other field it is not known what it says of the products. */
const JOB_FIELDS = `id job_id request_id type status state
	created_at started_at updated_at completed_at finished_at`.split(/\s+/);

/** The wait between two looks at a job grows from the first to the second. ms. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const WAIT_FACTOR = 1.5;

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function importCatalog(call: BatchCall): Promise<void> {
	const { items, report, options } = call;
	const { batchSize = MAX_IMPORT_OPERATIONS, dryRun } = options;
	const isWholeBody = call.parameter('specifyProduct', '') === WHOLE_BODY;
	const jobs = isWholeBody ? items.map((item) => [item]) : splitImport(items, batchSize as number);
	if (dryRun === true) report.wouldSend(jobs.length);
	const repeated = items.length - new Set(items.map(({ sku }) => skuKey(sku))).size;
	if (repeated > 0 && !isWholeBody)
		report.hint(
			`SKUs that an earlier item has: ${repeated}. Items of one SKU are in one job in input order, but the platform decides in which order it works on them.`,
		);
	for (const [at, wanted] of jobs.entries()) {
		if (call.stopped()) return;
		const job = wanted[0].isDone ? [] : holdFields(wanted, call);
		if (job.length === 0 || call.stopped()) continue;
		const body = isWholeBody ? job[0].fields : batchBody(job);
		if (dryRun === true) call.done(job, { dryRun: true, products: job.length, body });
		else await runJob(call, job, body);
		report.progress(at + 1, jobs.length, 'import jobs');
	}
}

async function runJob(
	call: BatchCall,
	items: readonly HeldItem[],
	body: IDataObject,
): Promise<void> {
	const answer = await settled(call.send({ ...IMPORT, body }, items));
	if (answer.status === 'rejected') {
		// Asked for again, it is another job: under its old key the platform may give the old answer.
		if (refusalOf(answer.reason) === undefined) call.unclear(items);
		else call.refused(items);
		return call.failed(items, answer.reason);
	}
	const started = answer.value.record ?? { accepted: true };
	const shown = await awaited(call, answer.value, started);
	const job = { ...started, ...shown };
	// What stands beside the record.
	const outer = isObject(answer.value.body) ? { ...answer.value.body, data: null } : {};
	const least = Array.isArray(body.operations) ? body.operations.length : 1;
	const doubt = doubtIn(outer, least) ?? doubtIn(started, least) ?? doubtIn(shown, least);
	if (doubt === undefined) return call.done(items, job);
	// A job that did a part keeps its key, so that n8n does not start another one for all products.
	if ([started, shown].flatMap(statesOf).some((one) => FAILED.test(one))) call.refused(items);
	const hint = `In its record ${doubt}. Job: ${JSON.stringify(job).slice(0, MAX_JOB_TEXT)}.`;
	call.failed(
		items,
		new PlatformError('job-failed', { ...IMPORT, host: call.client.host }, { hint }),
	);
}

/**
 * Waits until a job has ended, within a bound. Each look is a request. A state in a word that is not known may be
 * any, so it is looked at again.
 *
 * @returns the job as it was shown last. It is started: what hides its state changes nothing about it
 */
async function awaited(
	{ client, report, options: { waitForJob: minutes = 0 } }: BatchCall,
	answer: PlatformResponse,
	started: IDataObject,
): Promise<IDataObject> {
	if (minutes === 0 || hasEnded(started)) return {};
	const { clock, signal } = client;
	const request = jobRequest(answer, client.host);
	const jobId = request?.pathParams?.jobId;
	const endMs = clock.monotonic() + Number(minutes) * 60_000;
	let job: IDataObject = {};
	let waitMs = FIRST_WAIT_MS;
	while (request !== undefined && clock.monotonic() < endMs) {
		const leftMs = endMs - clock.monotonic();
		const waited = pause(clock, Math.min(waitMs, leftMs), signal);
		const look = await settled(waited.then(async () => await client.request(request)));
		job = (look.status === 'fulfilled' && look.value.record) || {};
		// Another job says nothing of this one.
		if ([job.id, job.job_id].some((id) => id !== undefined && String(id) !== jobId)) job = {};
		if (statesOf(job).length === 0 || hasEnded(job)) break;
		waitMs = Math.min(waitMs * WAIT_FACTOR, LONGEST_WAIT_MS);
	}
	const [state = ''] = statesOf(job);
	if (state === '')
		report.hint(
			'A job was started. The platform does not show the state of its jobs, or not to the end, so it is not known what became of it.',
		);
	else if (!hasEnded(job))
		report.hint(
			`A job had not finished within “Wait for the Job”: the platform calls its state “${state}”. It may go on by itself.`,
		);
	return job;
}

/** The fields of a job, with those of the objects that it holds. */
const fieldsOf = (job: IDataObject): Array<[string, unknown]> =>
	Object.entries(job).flatMap(([name, value]) =>
		isObject(value) && !TROUBLE.test(name) ? Object.entries(value) : [[name, value]],
	);

/** What a job says of its state in the platform’s words; several where it has fields for it in several places. */
const statesOf = (job: IDataObject): string[] =>
	fieldsOf(job).flatMap(([name, value]) =>
		/^stat(us|e)$/.test(name) && typeof value === 'string' ? value.trim() : [],
	);

const isFinished = (job: IDataObject): boolean =>
	statesOf(job).length > 0 && statesOf(job).every((state) => FINISHED.test(state));

const hasEnded = (job: IDataObject): boolean => isFinished(job) || doubtIn(job) !== undefined;

/**
 * What a job tells of products that it did not write, by its state or its fields, also in objects of counts; of a job
 * that is finished whatever is not known to say nothing of that.
 *
 * @param least products that it was to write
 * @returns it in words; undefined where there is nothing of the kind
 */
function doubtIn(job: IDataObject, least = 1): string | undefined {
	const failed = statesOf(job).find((one) => FAILED.test(one) || TROUBLE.test(one));
	if (failed !== undefined) return `the state is “${failed}”`;
	const count = fieldsOf(job).find(([name]) => COUNTS.includes(name))?.[1];
	const isKnown = (name: string, value: unknown) => {
		if (COUNTS.includes(name)) return value === count && Number(value) >= least;
		// Percent, or a share.
		if (name === 'progress') return value === 100 || value === 1;
		return isEmpty(value) || (JOB_FIELDS.includes(name) && typeof value !== 'object');
	};
	const found = fieldsOf(job).find(([name, value]) => {
		if (name === 'success' || TROUBLE.test(name)) return saysTrouble(name, value);
		return isFinished(job) && !isKnown(name, value);
	});
	return found && `“${found[0]}” is ${JSON.stringify(found[1]).slice(0, MAX_JOB_TEXT)}`;
}

/**
 * The request that shows a job. The document names none: the Location of the answer is followed where it leads to a
 * job; otherwise the job is looked for by its ID.
 *
 * @returns undefined where the answer names no job
 */
function jobRequest(
	{ headers: { location = '' }, record = {} }: PlatformResponse,
	host: string,
): PlatformRequest | undefined {
	const base = `https://${host}`;
	const url = URL.canParse(location, base) ? new URL(location, base) : undefined;
	const path = url?.host === host ? url.pathname : '';
	const linked = /\/jobs\/(catalog-import\/)?(?!catalog-import\/?$)([\w.~-]+)\/?$/.exec(path);
	const [, of = '', jobId = record.id ?? record.job_id] = linked ?? [];
	if (typeof jobId !== 'string' && typeof jobId !== 'number') return undefined;
	return { method: 'GET', path: `/jobs/${of}{jobId}`, pathParams: { jobId: String(jobId) } };
}
