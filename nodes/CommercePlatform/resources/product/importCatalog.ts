import type { IDataObject } from 'n8n-workflow';

import { nextTurn } from '../../../shared/rest/clock';
import type { PlatformResponse } from '../../../shared/rest/request';
import { numberField, shownWhen } from '../../../shared/values/fields';
import { amountOptions } from '../../fields/amounts';
import { dryRun } from '../../fields/options';
import type { BulkCall, BulkItem } from '../../runner/operation';
import { all } from '../makeOperation';
import { noteFailure, operationBytes, operationsOf } from './batches';
import { isDone, plannedWrites, type ProductWrite, skuOfItem, tellOfHandles } from './plan';
import { columnsToSend, jobBody, specifyProduct, WHOLE_BODY } from './specifyProduct';
import { OF_PRODUCTS } from './upsert';

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
	const mode = call.parameter('specifyProduct', '');
	const jobs =
		mode === WHOLE_BODY
			? items.map((item) => [{ items: [item], fields: item.fields }])
			: await splitIntoJobs(
					mode === 'json'
						? await joinedAsEntered(items)
						: await plannedWrites(call, items, 'nothing'),
					batchSize,
				);
	if (dryRun === true) report.wouldSend(jobs.length);
	for (const [index, job] of jobs.entries()) {
		await nextTurn();
		if (call.stopped()) return;
		// An earlier try may have done some, if it failed for others before they were sent.
		const open = job.filter((product) => !isDone(product));
		if (open.length === 0) continue;
		const body = mode === WHOLE_BODY ? open[0].fields : operationsOf(open);
		// In input order, as n8n's users follow them.
		const ofJob = open
			.flatMap((product) => product.items)
			.sort((one, other) => one.itemIndexes[0] - other.itemIndexes[0]);
		if (dryRun === true) call.done(ofJob, { dryRun: true, products: open.length, body });
		else await runJob(call, ofJob, body);
		report.progress(index + 1, jobs.length, 'import jobs');
	}
}

/** What a job says of one product, for all items that are about it. */
type ImportedProduct = Pick<ProductWrite, 'fields' | 'items'>;

/** Joins items of one SKU that are entered as JSON, which is sent as it stands: each field is that of the last item. */
async function joinedAsEntered(items: readonly BulkItem[]): Promise<ImportedProduct[]> {
	const bySku = new Map<unknown, { items: BulkItem[]; fields: IDataObject }>();
	for (const item of items) {
		await nextTurn();
		const sku = skuOfItem(item);
		const earlier = bySku.get(sku);
		if (earlier === undefined) bySku.set(sku, { items: [item], fields: item.fields });
		else {
			earlier.items.push(item);
			earlier.fields = { ...earlier.fields, ...item.fields };
		}
	}
	return [...bySku.values()];
}

/**
 * Splits products into import jobs: as few as possible, since a weekly meter counts them (API document, "Limits", 5), and
 * of about the same size, since the platform may refuse a small rest as too few.
 */
async function splitIntoJobs(
	products: readonly ImportedProduct[],
	maxOperations: number,
): Promise<ImportedProduct[][]> {
	const measured: Array<{ product: ImportedProduct; bytes: number }> = [];
	for (const product of products) {
		await nextTurn();
		measured.push({ product, bytes: operationBytes(product) });
	}
	const totalBytes = measured.reduce((sum, { bytes }) => sum + bytes, 0);
	const minJobs = Math.max(products.length / maxOperations, totalBytes / MAX_IMPORT_BYTES);
	const productsPerJob = Math.ceil(products.length / Math.ceil(minJobs));
	const jobs: ImportedProduct[][] = [];
	let bytesOfLast = 0;
	for (const { product, bytes } of measured) {
		const last = jobs.at(-1);
		if (last && last.length < productsPerJob && bytesOfLast + bytes <= MAX_IMPORT_BYTES) {
			last.push(product);
			bytesOfLast += bytes;
		} else {
			jobs.push([product]);
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
