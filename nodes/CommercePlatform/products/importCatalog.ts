import type { IDataObject } from 'n8n-workflow';

import type { PlatformResponse } from '../../shared/rest/request';
import type { BulkCall, BulkItem } from '../runner/operation';
import { batchBody, mayBeApplied, splitImport, wholeRefusalOf } from './batches';
import { tellOfHandles } from './products';

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/** The document gives no limit for a job. This one keeps a body within what servers usually accept. */
export const MAX_IMPORT_OPERATIONS = 20_000;

/** The choice of Specify Product with which each input item is the whole body of its own job. */
export const WHOLE_BODY = 'jobBody';

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function importCatalog(call: BulkCall): Promise<void> {
	const { items, report, options } = call;
	const { batchSize = MAX_IMPORT_OPERATIONS, dryRun } = options;
	tellOfHandles(call);
	const isWholeBody = call.parameter('specifyProduct', '') === WHOLE_BODY;
	const jobs = isWholeBody ? items.map((item) => [item]) : splitImport(items, batchSize as number);
	if (dryRun === true) report.wouldSend(jobs.length);
	for (const [index, jobItems] of jobs.entries()) {
		if (call.stopped()) return;
		const job = jobItems[0].hasResult ? [] : jobItems;
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
	// What becomes of the job, and where that shows, is not documented: the item is the job as it was answered.
	const { record: job = { accepted: true }, headers } = answer;
	call.done(items, {
		...job,
		...(headers.location !== undefined && { location: headers.location }),
	});
}
