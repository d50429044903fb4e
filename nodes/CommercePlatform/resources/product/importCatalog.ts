import type { IDataObject } from 'n8n-workflow';

import { nextTurn } from '../../../shared/rest/clock';
import type { PlatformResponse } from '../../../shared/rest/request';
import { numberField, shownWhen } from '../../../shared/values/fields';
import { amountOptions } from '../../fields/amounts';
import { dryRun } from '../../fields/options';
import type { BulkCall, BulkItem } from '../../runner/operation';
import { all } from '../makeOperation';
import { skuOfItem, tellOfHandles } from './plan';
import { columnsToSend, jobBody, specifyProduct, WHOLE_BODY } from './specifyProduct';
import { noteFailure, OF_PRODUCTS, operationBytes, operationsOf } from './upsert';

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/**
 * The document gives no limit for a job. These keep a body within what servers usually accept, and n8n from standing
 * still while the body is checked and written out.
 */
const MAX_IMPORT_OPERATIONS = 10_000;
const MAX_IMPORT_BYTES = 8_000_000;

export const importCatalog = all({
	...OF_PRODUCTS,
	request: `${IMPORT.method} ${IMPORT.path}`,
	name: 'Import Catalog',
	value: 'importCatalog',
	action: 'Import catalog of products',
	description:
		'Start import jobs for all input items, meant for more than 1,000 products; returns the jobs',
	whichRowCounts:
		'They are in one job in input order, but the platform decides in which order it works on them.',
	run: sendImport,
	fields: [
		...specifyProduct({
			[WHOLE_BODY]: [
				'Whole Body (JSON)',
				'Enter the body of the import job itself; each item starts a job of its own',
			],
		}),
		...shownWhen('specifyProduct', [WHOLE_BODY], jobBody),
	],
	options: [
		...amountOptions,
		dryRun,
		numberField('Batch Size', 'batchSize', 'How many products one import job holds at most', {
			default: MAX_IMPORT_OPERATIONS,
			min: 1,
		}),
		columnsToSend,
	],
});

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
async function sendImport(call: BulkCall): Promise<void> {
	const { items, report, options } = call;
	const { batchSize = MAX_IMPORT_OPERATIONS, dryRun } = options;
	await tellOfHandles(call);
	const isWholeBody = call.parameter('specifyProduct', '') === WHOLE_BODY;
	const jobs = isWholeBody ? items.map((item) => [item]) : await splitIntoJobs(items, batchSize);
	if (dryRun === true) report.wouldSend(jobs.length);
	for (const [index, job] of jobs.entries()) {
		await nextTurn();
		if (call.stopped()) return;
		if (job[0].hasResult) continue;
		const body = isWholeBody ? job[0].fields : operationsOf(job);
		if (dryRun === true) call.done(job, { dryRun: true, products: job.length, body });
		else await runJob(call, job, body);
		report.progress(index + 1, jobs.length, 'import jobs');
	}
}

/**
 * Splits items into import jobs: as few as possible, since a weekly meter counts them (API document, "Limits", 5), and
 * of about the same size, since the platform may refuse a small rest as too few. Items of one SKU go into one job in
 * their order, because jobs may run at the same time. For this a job may exceed the limits.
 */
async function splitIntoJobs(
	items: readonly BulkItem[],
	maxOperations: number,
): Promise<BulkItem[][]> {
	const measured: Array<{ item: BulkItem; bytes: number }> = [];
	for (const item of items) {
		await nextTurn();
		measured.push({ item, bytes: operationBytes(item) });
	}
	const totalBytes = measured.reduce((sum, { bytes }) => sum + bytes, 0);
	const minJobs = Math.max(items.length / maxOperations, totalBytes / MAX_IMPORT_BYTES);
	const itemsPerJob = Math.ceil(items.length / Math.ceil(minJobs));
	const jobs: Array<{ items: BulkItem[]; bytes: number }> = [];
	const jobOfSku = new Map<string, (typeof jobs)[number]>();
	for (const { item, bytes } of measured) {
		await nextTurn();
		const sku = skuOfItem(item);
		let job = jobOfSku.get(sku);
		if (job === undefined) {
			const last = jobs.at(-1);
			const hasRoom =
				last && last.items.length < itemsPerJob && last.bytes + bytes <= MAX_IMPORT_BYTES;
			job = hasRoom ? last : { items: [], bytes: 0 };
			if (!hasRoom) jobs.push(job);
		}
		job.items.push(item);
		job.bytes += bytes;
		jobOfSku.set(sku, job);
	}
	return jobs.map((job) => job.items);
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
		noteFailure(call, items, error);
		return call.failed(items, error);
	}
	// What becomes of the job, and where that shows, is not documented: the item is the job as it was answered.
	const { record: job = { accepted: true }, headers } = answer;
	call.done(items, {
		...job,
		...(headers.location !== undefined && { location: headers.location }),
	});
}
