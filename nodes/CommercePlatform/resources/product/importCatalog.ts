import type { IDataObject } from 'n8n-workflow';

import { nextTurn } from '../../../shared/rest/clock';
import type { PlatformResponse } from '../../../shared/rest/request';
import { numberField, shownWhen } from '../../../shared/values/fields';
import { amountOptions } from '../../fields/amounts';
import { dryRun } from '../../fields/options';
import type { BulkCall, BulkItem } from '../../runner/operation';
import { all } from '../makeOperation';
import { plannedWrites, type ProductWrite, tellOfHandles } from './plan';
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
	const jobs = isWholeBody
		? items.map((item) => ({ items: [item], products: 1, body: item.fields }))
		: (await splitIntoJobs(await plannedWrites(call, items, 'nothing'), batchSize)).map(jobOf);
	if (dryRun === true) report.wouldSend(jobs.length);
	for (const [index, { items: ofJob, products, body }] of jobs.entries()) {
		await nextTurn();
		if (call.stopped()) return;
		if (ofJob[0].hasResult) continue;
		if (dryRun === true) call.done(ofJob, { dryRun: true, products, body });
		else await runJob(call, ofJob, body);
		report.progress(index + 1, jobs.length, 'import jobs');
	}
}

const jobOf = (writes: readonly ProductWrite[]) => ({
	// In input order, as n8n's users follow them.
	items: writes.flatMap(({ items }) => items).sort((a, b) => a.itemIndexes[0] - b.itemIndexes[0]),
	products: writes.length,
	body: operationsOf(writes),
});

/**
 * Splits products into import jobs: as few as possible, since a weekly meter counts them (API document, "Limits", 5), and
 * of about the same size, since the platform may refuse a small rest as too few.
 */
async function splitIntoJobs(
	writes: readonly ProductWrite[],
	maxOperations: number,
): Promise<ProductWrite[][]> {
	const measured: Array<{ write: ProductWrite; bytes: number }> = [];
	for (const write of writes) {
		await nextTurn();
		measured.push({ write, bytes: operationBytes(write) });
	}
	const totalBytes = measured.reduce((sum, { bytes }) => sum + bytes, 0);
	const minJobs = Math.max(writes.length / maxOperations, totalBytes / MAX_IMPORT_BYTES);
	const writesPerJob = Math.ceil(writes.length / Math.ceil(minJobs));
	const jobs: ProductWrite[][] = [];
	let bytesOfLast = 0;
	for (const { write, bytes } of measured) {
		const last = jobs.at(-1);
		if (last && last.length < writesPerJob && bytesOfLast + bytes <= MAX_IMPORT_BYTES) {
			last.push(write);
			bytesOfLast += bytes;
		} else {
			jobs.push([write]);
			bytesOfLast = bytes;
		}
	}
	return jobs;
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
