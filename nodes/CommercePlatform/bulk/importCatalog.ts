import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../shared/api/clock';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { PlatformError, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { type HeldItem, holdFields } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { batchBody, refusalOf, splitImport } from './batches';
import { skuKey } from './products';

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/** An import is meant for more mutations than this (API document, "Products"). */
const MIN_IMPORT_OPERATIONS = 1_000;

/** The document names no largest job; this keeps a body within what servers usually take. */
export const MAX_IMPORT_OPERATIONS = 20_000;

/** The choice of Specify Product with which each item gives the whole body of a job of its own. */
export const WHOLE_BODY = 'jobBody';

/** Characters of a failed job's record in its message. */
const MAX_JOB_TEXT = 500;

/** The words for the end of a job that are taken; the document shows none. Any other is waited for. */
const FINISHED = /^(completed|done|finished|succeeded)$/i;
const FAILED = /^(aborted|cancell?ed|error|failed)$/i;

/** What tells of products that were not written, in a state or as the name of a field. */
const TROUBLE = /error|fail|invalid|reject/i;

/** Counts that are the same, and not 0, where a job has done all of its work. */
const COUNTS: readonly string[] = ['total', 'processed', 'succeeded'];

/** What a finished job may have beside them. Of any other field it is not known what it says of the products. */
const JOB_FIELDS: readonly string[] = [
	...['id', 'job_id', 'request_id', 'type', 'status', 'state', 'progress'],
	...['created_at', 'started_at', 'updated_at', 'completed_at', 'finished_at'],
];

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
	else if (!isWholeBody && items.length <= MIN_IMPORT_OPERATIONS)
		report.hint(
			`An import is meant for more than ${MIN_IMPORT_OPERATIONS} products. For ${items.length}, Create or Update tells the result of each.`,
		);
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
	const doubt = doubtIn(started) ?? doubtIn(shown);
	if (doubt === undefined) return call.done(items, job);
	// A job that did a part keeps its key, so that n8n does not start another one for all products.
	if ([started, shown].some((one) => FAILED.test(stateOf(one)))) call.refused(items);
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
	const endMs = clock.monotonic() + Number(minutes) * 60_000;
	let job: IDataObject = {};
	let waitMs = FIRST_WAIT_MS;
	while (request !== undefined && clock.monotonic() < endMs) {
		const leftMs = endMs - clock.monotonic();
		const waited = pause(clock, Math.min(waitMs, leftMs), signal);
		const look = await settled(waited.then(async () => await client.request(request)));
		job = (look.status === 'fulfilled' && look.value.record) || {};
		if (stateOf(job) === '' || hasEnded(job)) break;
		waitMs = Math.min(waitMs * WAIT_FACTOR, LONGEST_WAIT_MS);
	}
	const state = stateOf(job);
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

/** The state of a job in the platform’s word; empty where it shows none. */
const stateOf = ({ status, state }: IDataObject): string =>
	[status, state].find((one): one is string => typeof one === 'string')?.trim() ?? '';

const hasEnded = (job: IDataObject): boolean =>
	FINISHED.test(stateOf(job)) || doubtIn(job) !== undefined;

/**
 * What a job tells of products that it did not write, by its state or its fields, also in objects of counts; of a job
 * that is finished whatever is not known to say nothing of that.
 *
 * @returns it in words; undefined where there is nothing of the kind
 */
function doubtIn(job: IDataObject): string | undefined {
	const state = stateOf(job);
	if (FAILED.test(state) || TROUBLE.test(state)) return `the state is “${state}”`;
	const isFinished = FINISHED.test(state);
	const fields = Object.entries(job).flatMap(([name, value]) =>
		isObject(value) && !TROUBLE.test(name) ? Object.entries(value) : [[name, value] as const],
	);
	const count = fields.find(([name]) => COUNTS.includes(name))?.[1];
	const isKnown = (name: string, value: unknown) =>
		COUNTS.includes(name)
			? value === count && !isEmpty(value)
			: isEmpty(value) || (JOB_FIELDS.includes(name) && typeof value !== 'object');
	const found = fields.find(([name, value]) =>
		TROUBLE.test(name) ? !isEmpty(value) && value !== false : isFinished && !isKnown(name, value),
	);
	return found && `“${found[0]}” is ${JSON.stringify(found[1]).slice(0, MAX_JOB_TEXT)}`;
}

/** Whether a count, a text or a list says that there is nothing. */
function isEmpty(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
	return /^0*$/.test(String(value ?? ''));
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
