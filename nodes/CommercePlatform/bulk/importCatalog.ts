import type { IDataObject } from 'n8n-workflow';

import { PlatformError, settled } from '../../shared/errors/errors';
import type { PlatformResponse } from '../../shared/api/request';
import type { BatchCall } from '../engine/batchCall';
import { isRefusal } from './batchErrors';
import {
	jobProgress,
	jobRequest,
	jobState,
	stateWord,
	waitForJob,
	type WaitedJob,
} from './importJob';
import { batchBody, productWrites, type ProductWrite } from './productWrite';
import { costText, requestCost } from './requestCost';
import { MAX_IMPORT_BYTES, MIN_IMPORT_OPERATIONS, repeatedSkus, splitImport } from './splitImport';

/** `POST /jobs/catalog-import` (API document, "Products"). */
const IMPORT_PATH = '/jobs/catalog-import';

/** Characters of a failed job's record in its message. */
const MAX_JOB_TEXT = 500;

/** What the user chose for the whole run. */
export interface ImportOptions {
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
	itemIndexes: number[];
	/** Made when it is sent. */
	body(): IDataObject;
}

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function importCatalog(call: BatchCall, options: ImportOptions): Promise<void> {
	if (call.entries.length === 0) return;
	const writes = options.wholeBodies ? [] : [...productWrites(call.entries)];
	const jobs = options.wholeBodies ? wholeJobs(call) : splitJobs(writes, options.batchSize);
	if (options.dryRun) return showJobs(call, jobs);
	if (!options.wholeBodies) warn(call, writes, jobs.length);
	let started = 0;
	for (const job of jobs) {
		if (call.stopped()) return;
		if (!call.wasDone(job.itemIndexes[0])) await runJob(call, job, options);
		call.report.progress(++started, jobs.length, 'import jobs');
	}
}

function wholeJobs({ entries }: BatchCall): Job[] {
	return Array.from(entries, (entry) => ({
		itemIndexes: [entry.itemIndex],
		body: () => entry.fields,
	}));
}

function splitJobs(writes: ProductWrite[], maxOperations: number): Job[] {
	return splitImport(writes, { maxOperations, maxBytes: MAX_IMPORT_BYTES }).map((ofJob) => ({
		itemIndexes: ofJob.map(({ itemIndex }) => itemIndex),
		body: () => batchBody(ofJob),
	}));
}

function warn({ report }: BatchCall, writes: ProductWrite[], jobs: number): void {
	if (writes.length <= MIN_IMPORT_OPERATIONS) {
		report.hint(
			`An import is meant for more than ${MIN_IMPORT_OPERATIONS} products. For ${writes.length}, Create or Update tells the result of each.`,
		);
	}
	const repeated = repeatedSkus(writes);
	if (repeated > 0) {
		report.hint(
			`SKUs that an earlier item has: ${repeated}. Items of one SKU are in one job in input order, but the platform decides in which order it works on them.`,
		);
	}
	if (jobs > 1)
		report.hint(`The products are split over ${jobs} jobs. Weekly limits may count each.`);
}

async function runJob(call: BatchCall, job: Job, { waitMs }: ImportOptions): Promise<void> {
	const { itemIndexes } = job;
	const request = { method: 'POST' as const, path: IMPORT_PATH, body: job.body() };
	const answer = await settled(call.send(request, itemIndexes));
	if (answer.status === 'rejected') {
		// Asked for again, it is another job: under its old key the platform may give the old answer.
		if (isRefusal(answer.reason)) call.refused(itemIndexes);
		return call.failed(itemIndexes, answer.reason);
	}
	const started = answer.value.record ?? { accepted: true };
	if (waitMs === undefined) return call.done(itemIndexes, started);
	const waited = await settled(wait(call, answer.value, itemIndexes.length, waitMs));
	if (waited.status === 'fulfilled') return conclude(call, itemIndexes, started, waited.value);
	// The job is started: that its state cannot be read changes nothing about it.
	call.report.hint('A job was started, but its state could not be read to its end.');
	call.done(itemIndexes, started);
}

async function wait(
	{ client, report }: BatchCall,
	answer: PlatformResponse,
	operations: number,
	longestMs: number,
): Promise<WaitedJob> {
	const request = jobRequest(answer, client.host);
	if (request === undefined) return { ended: 'notShown' };
	return await waitForJob(client, request, longestMs, (job) =>
		report.progress(jobProgress(job) ?? 0, operations, 'operations of the job'),
	);
}

function conclude(
	call: BatchCall,
	itemIndexes: number[],
	started: IDataObject,
	{ job, ended }: WaitedJob,
): void {
	if (ended === 'notShown')
		call.report.hint('The platform does not show the state of its jobs, so there was no waiting.');
	if (ended === 'tooLong') call.report.hint(notFinished(job));
	const record = { ...started, ...job };
	if (ended !== 'failed') return call.done(itemIndexes, record);
	const { host } = call.client;
	const request = { method: 'POST' as const, path: IMPORT_PATH, host };
	const hint = `Job: ${JSON.stringify(record).slice(0, MAX_JOB_TEXT)}.`;
	call.refused(itemIndexes);
	call.failed(itemIndexes, new PlatformError('job-failed', request, { hint }));
}

function notFinished(job: IDataObject = {}): string {
	return jobState(job) === 'unknown'
		? `The platform calls the state of a job “${stateWord(job)}”. This word is not known here, so the job may have ended or not.`
		: 'A job had not finished within “Wait for the Job”. It goes on by itself.';
}

function showJobs(call: BatchCall, jobs: Job[]): void {
	const cost = requestCost(jobs.length, call.client.rateLimit());
	for (const { itemIndexes, body } of jobs) {
		call.done(itemIndexes, {
			dryRun: true,
			method: 'POST',
			path: IMPORT_PATH,
			body: body(),
			cost: cost as unknown as IDataObject,
		});
	}
	call.report.hint(`Dry run: nothing was sent. It would be ${costText(cost)}`);
}
