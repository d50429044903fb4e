import type { IDataObject } from 'n8n-workflow';

import type { PlatformResponse } from '../../shared/api/request';
import { PlatformError, settled } from '../../shared/errors/errors';
import type { HeldItem } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { failureOf, isRefusal, type BatchLimits } from './batches';
import {
	failuresOf,
	jobProgress,
	jobRequest,
	jobState,
	stateWord,
	waitForJob,
	type WaitedJob,
} from './importJob';
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

/** What the user chose for the whole run. */
interface ImportOptions {
	/** Operations a job at most. */
	batchSize: number;
	/** Whether each item gives the whole body of a job of its own. */
	wholeBodies: boolean;
	dryRun: boolean;
	/** How long to wait for the jobs; undefined for not at all. ms. */
	waitMs?: number;
}

/** One job before it is sent. */
interface Job {
	items: HeldItem[];
	/** Made when it is sent. */
	body(): IDataObject;
}

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function importCatalog(call: BatchCall, options: ImportOptions): Promise<void> {
	const { items } = call;
	if (items.length === 0) return;
	const limits = { maxOperations: options.batchSize, maxBytes: MAX_IMPORT_BYTES };
	const jobs: Job[] = options.wholeBodies
		? items.map((item) => ({ items: [item], body: () => item.fields }))
		: splitImport(items, limits).map((ofJob) => ({ items: ofJob, body: () => batchBody(ofJob) }));
	if (options.dryRun) return showJobs(call, jobs);
	if (!options.wholeBodies) warn(call, jobs.length);
	let started = 0;
	for (const job of jobs) {
		if (call.stopped()) return;
		if (!job.items[0].isDone) await runJob(call, job, options);
		call.report.progress(++started, jobs.length, 'import jobs');
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

async function runJob(call: BatchCall, job: Job, { waitMs }: ImportOptions): Promise<void> {
	const { items } = job;
	const request = { method: 'POST' as const, path: IMPORT_PATH, body: job.body() };
	const answer = await settled(call.send(request, items));
	if (answer.status === 'rejected') {
		// Asked for again, it is another job: under its old key the platform may give the old answer.
		if (isRefusal(answer.reason)) call.refused(items);
		else call.unclear(items);
		return call.failed(items, failureOf(answer.reason));
	}
	const started = answer.value.record ?? { accepted: true };
	const isOver = jobState(started) === 'failed' || failuresOf(started) !== undefined;
	const job0: WaitedJob = { job: started, ended: 'notAwaited' };
	if (waitMs === undefined || isOver) return conclude(call, items, started, job0);
	const waited = await settled(wait(call, answer.value, items.length, waitMs));
	if (waited.status === 'fulfilled') return conclude(call, items, started, waited.value);
	// The job is started: that its state cannot be read changes nothing about it.
	call.report.hint('A job was started, but its state could not be read to its end.');
	call.done(items, started);
}

async function wait(
	{ client, report }: BatchCall,
	answer: PlatformResponse,
	total: number,
	longestMs: number,
): Promise<WaitedJob> {
	const request = jobRequest(answer, client.host);
	if (request === undefined) return { ended: 'notShown' };
	return await waitForJob(client, request, longestMs, (job) => {
		const done = jobProgress(job);
		if (done !== undefined) report.progress(done, total, 'products of an import job');
	});
}

function conclude(
	call: BatchCall,
	items: readonly HeldItem[],
	started: IDataObject,
	{ job = {}, ended }: WaitedJob,
): void {
	const record = { ...started, ...job };
	const isFailed = jobState(record) === 'failed';
	const failures = failuresOf(record);
	if (isFailed || failures !== undefined) {
		const { host } = call.client;
		const why = failures === undefined ? '' : `It tells of failures: ${failures}. `;
		const hint = `${why}Job: ${JSON.stringify(record).slice(0, MAX_JOB_TEXT)}.`;
		// A job that did a part keeps its key, so that n8n does not start another one for all products.
		if (isFailed) call.refused(items);
		const request = { method: 'POST' as const, path: IMPORT_PATH, host };
		return call.failed(items, new PlatformError('job-failed', request, { hint }));
	}
	if (ended === 'notShown')
		call.report.hint('The platform does not show the state of its jobs, so there was no waiting.');
	if (ended === 'tooLong') call.report.hint(notFinished(record));
	call.done(items, record);
}

function notFinished(job: IDataObject): string {
	const word = stateWord(job);
	return `A job had not finished within “Wait for the Job”${word === undefined ? '' : `: the platform calls its state “${word}”`}. It may go on by itself.`;
}

function showJobs(call: BatchCall, jobs: Job[]): void {
	const cost = requestCost(jobs.length, call.client.rateLimit());
	for (const { items, body } of jobs) {
		call.done(items, {
			dryRun: true,
			method: 'POST',
			path: IMPORT_PATH,
			body: body(),
			cost: cost as unknown as IDataObject,
		});
	}
	call.report.hint(`Dry run: nothing was sent. It would be ${costText(cost)}`);
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
