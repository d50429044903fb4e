import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../shared/rest/client';
import { nextTurn, pause } from '../../shared/rest/clock';
import { isInDevelopment } from '../../shared/rest/errorBody';
import { InputError, PlatformError } from '../../shared/rest/errors';
import type { PlatformResponse, SendOptions } from '../../shared/rest/request';
import { type OperationResult, readBatchResults } from '../../shared/shop/answers';
import type { BulkCall, BulkItem } from '../runner/operation';
import { isDone, type ProductDone, type ProductWrite, skuOfItem, tellOfHandles } from './products';

/** API document, "Products". */
const BATCH = { method: 'POST', path: '/products/batch' } as const;

/** How long to wait before each repeat of the operations that the platform could not take for the moment. ms. */
const REPEAT_WAITS_MS = [1_000, 4_000];

/** Statuses that may say that the platform has no such endpoint (API document, "Errors", 1). */
const NOT_THERE = new Set([403, 404, 405, 410, 501]);

/**
 * Statuses with which the platform refuses a request for its content or its size. 409 is not one of them: it may mean
 * that the platform knows the key, so the write was done before.
 */
const REFUSED_WHOLE = new Set([400, 413, 422]);

/**
 * Statuses of an operation that may succeed if it is sent again, by the user's choice of retries. With 429 nothing was
 * written.
 */
const TEMPORARY_STATUSES: Record<SendOptions['retryWrites'], ReadonlySet<number | undefined>> = {
	automatic: new Set([429, 503]),
	whenSurelyNotApplied: new Set([429]),
	never: new Set(),
};

/**
 * Says how the platform refused a whole request, so that nothing of it was done.
 *
 * @returns `notThere` if it has no such endpoint, or not for this key; `notTaken` if it does not accept the content or
 *   the size; undefined after any other failure
 */
function wholeRefusalOf(error: unknown): 'notThere' | 'notTaken' | undefined {
	if (!(error instanceof PlatformError)) return undefined;
	const { status = 0, mayBeApplied = false, code = '' } = error.details;
	// 501 or IN_DEVELOPMENT: the endpoint does not exist, so no attempt was applied. After a lost answer, any other refusal
	// may answer a repeat, so it proves nothing.
	if (isInDevelopment(error.details)) return 'notThere';
	if (mayBeApplied || /idempotency/i.test(code)) return undefined;
	if (NOT_THERE.has(status)) return 'notThere';
	return REFUSED_WHOLE.has(status) ? 'notTaken' : undefined;
}

/**
 * Whether a batch or job that failed may have been applied. A 409 may mean that the platform knows the key, so that an
 * earlier sending was applied.
 */
function isUncertain(error: unknown): boolean {
	if (error instanceof InputError || wholeRefusalOf(error) !== undefined) return false;
	if (!(error instanceof PlatformError)) return true;
	const { status, mayBeApplied: isUnknown, code = '' } = error.details;
	return isUnknown === true || status === 409 || /idempotency/i.test(code);
}

/** How many operations a batch may hold on every plan (API document, "Other limits"; Enterprise may have more). */
const MAX_BATCH_OPERATIONS = 100;

/** The document gives no limit for a body. Many servers refuse more than 1 MiB, but an import is larger. Bytes. */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_IMPORT_BYTES = 8_000_000;

/** The body of a batch or an import (API document, "Products": `{ operations: [{ op: 'upsert', sku, title, ... }] }`). */
export const batchBody = (products: ReadonlyArray<{ fields: IDataObject }>): IDataObject => ({
	operations: products.map(({ fields }) => ({ op: 'upsert', ...fields })),
});

/** What an operation adds to its fields: `"op":"upsert",` and the comma after the operation. Bytes. */
const OP_BYTES = 15;

/** The body without its operations: `{"operations":[]}`. Bytes. */
const ENVELOPE_BYTES = 17;

/** How much a product adds to a body. */
const operationBytes = ({ fields }: { fields: IDataObject }): number =>
	Buffer.byteLength(JSON.stringify(fields)) + OP_BYTES;

/** The products of one request body, and the length of the body. */
interface Body<Product> {
	products: Product[];
	bytes: number;
}

/** Adds a product of so many bytes to the last body, or to a new one if the last has no room. */
function addTo<Product>(
	bodies: Array<Body<Product>>,
	product: Product,
	bytes: number,
	maxOperations = Infinity,
	maxBytes = Infinity,
) {
	let body = bodies.at(-1);
	if (body === undefined || body.products.length >= maxOperations || body.bytes + bytes > maxBytes)
		bodies.push((body = { products: [], bytes: ENVELOPE_BYTES }));
	body.products.push(product);
	body.bytes += bytes;
	return body;
}

const productsByBody = <Product>(bodies: ReadonlyArray<Body<Product>>): Product[][] =>
	bodies.map(({ products }) => products);

/**
 * Groups products into batches, each when it is asked for. A product that is larger than `maxBytes` gets a batch of its
 * own.
 *
 * @param maxBytes of a whole body
 */
export function* groupBatches<Product extends { fields: IDataObject }>(
	products: readonly Product[],
	maxOperations = MAX_BATCH_OPERATIONS,
	maxBytes = MAX_BATCH_BYTES,
): Generator<Product[], void, void> {
	const batches: Array<Body<Product>> = [];
	for (const product of products) {
		addTo(batches, product, operationBytes(product), maxOperations, maxBytes);
		if (batches.length > 1) yield* productsByBody(batches.splice(0, 1));
	}
	yield* productsByBody(batches);
}

/**
 * Splits items into import jobs: as few as possible, since a weekly meter counts them (API document, "Limits", 5), and
 * of about the same size, since the platform may refuse a small rest as too few. Items of one SKU go into one job in
 * their order, because jobs may run at the same time. For this a job may exceed the limits.
 */
export async function splitImport(
	items: readonly BulkItem[],
	maxOperations: number,
	maxBytes = MAX_IMPORT_BYTES,
): Promise<BulkItem[][]> {
	const measured: Array<{ item: BulkItem; bytes: number }> = [];
	for (const item of items) {
		await nextTurn();
		measured.push({ item, bytes: operationBytes(item) });
	}
	const totalBytes = measured.reduce((sum, { bytes }) => sum + bytes, 0);
	const minJobs = Math.max(items.length / maxOperations, totalBytes / (maxBytes - ENVELOPE_BYTES));
	const itemsPerJob = Math.ceil(items.length / Math.ceil(minJobs));
	const jobs: Array<Body<BulkItem>> = [];
	const jobBySku = new Map<string, Body<BulkItem>>();
	for (const { item, bytes } of measured) {
		await nextTurn();
		const sku = skuOfItem(item);
		const earlierJob = jobBySku.get(sku);
		jobBySku.set(
			sku,
			earlierJob
				? addTo([earlierJob], item, bytes)
				: addTo(jobs, item, bytes, itemsPerJob, maxBytes),
		);
	}
	return productsByBody(jobs);
}

/**
 * Sends writes in batches, several at once, and reports the result of each. Those of a refused batch fail, unless they
 * can be sent alone.
 *
 * @param writes of different products, by different SKUs
 * @param productDone receives the products that were written
 * @returns the writes to send alone, in input order; how many batches the platform refused; and whether it has no
 *   batches at all
 * @throws CancelledError
 */
export async function sendBatches(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<{ toSendAlone: ProductWrite[]; refusedBatches: number; takesNone: boolean }> {
	const { batchSize } = call.options as { batchSize?: number };
	const sender = new BatchSender(call, productDone);
	let sentCount = call.items.length - writes.length;
	const send = async (batch: ProductWrite[]) => {
		// Writes that an earlier try has done (Retry On Fail) are left out here and not before: the grouping, and with it
		// the keys, must stay the same.
		await sender.send(batch.filter((write) => !isDone(write)));
		call.report.progress((sentCount += batch.length), call.items.length, 'products');
	};
	const batches = groupBatches(writes, batchSize);
	// The first batch shows whether the platform has batches at all.
	await send(batches.next().value ?? []);
	await inParallel(batches, call.client.options.maxInFlight, send, () => call.stopped());
	const { toSendAlone, refusedBatches, noBatchesError } = sender;
	return {
		toSendAlone: writes.filter((write) => toSendAlone.has(write)),
		refusedBatches,
		takesNone: noBatchesError !== undefined,
	};
}

/** Sends batches, and collects the writes to send alone. */
class BatchSender {
	readonly toSendAlone = new Set<ProductWrite>();
	refusedBatches = 0;
	/** Whether the platform has answered a batch. A later refusal is then about its batch alone. */
	private hasBatches = false;
	/** The error that says that the platform has no batches. */
	noBatchesError?: unknown;

	constructor(
		private readonly call: BulkCall,
		private readonly productDone: ProductDone,
	) {}

	async send(batch: readonly ProductWrite[], repeats = 0): Promise<void> {
		const { call } = this;
		if (this.noBatchesError !== undefined) return this.handleFailure(batch, this.noBatchesError);
		if (batch.length === 0 || call.stopped()) return;
		const items = itemsOf(batch);
		let answer: PlatformResponse;
		try {
			answer = await call.send({ ...BATCH, body: batchBody(batch) }, items);
		} catch (error) {
			const refusal = wholeRefusalOf(error);
			if (!this.hasBatches && refusal === 'notThere') this.noBatchesError = error;
			else if (refusal !== undefined) this.refusedBatches++;
			return this.handleFailure(batch, error);
		}
		this.hasBatches = true;
		const results = readBatchResults(
			batch.map(({ sku }) => sku),
			answer.body,
		);
		const mayRepeat = repeats < REPEAT_WAITS_MS.length && !call.stopped();
		const toRepeat = batch.filter((write, index) =>
			this.handleResult(write, results[index], answer, mayRepeat),
		);
		if (toRepeat.length === 0) return;
		const { clock, signal } = call.client;
		await pause(clock, REPEAT_WAITS_MS[repeats], signal);
		await this.send(toRepeat, repeats + 1);
	}

	/** Sends the writes of a refused batch alone later, if that is allowed; otherwise they fail, as after any failure. */
	private handleFailure(batch: readonly ProductWrite[], error: unknown): void {
		const refusal = wholeRefusalOf(error);
		if (refusal !== undefined && this.call.options.ifBatchNotAvailable !== 'stop') {
			for (const write of batch) this.toSendAlone.add(write);
			return;
		}
		if (isUncertain(error)) this.call.noteMayBeApplied(itemsOf(batch));
		const reason =
			refusal === 'notTaken' && error instanceof PlatformError
				? new PlatformError('batch-refused', error.request, error.details)
				: error;
		for (const { items } of batch) this.call.failed(items, reason);
	}

	/**
	 * Reports the result of a write.
	 *
	 * @returns whether it is to be sent again, since the platform could not take it for the moment
	 */
	private handleResult(
		write: ProductWrite,
		result: OperationResult,
		{ requestId, earlierMayBeApplied }: PlatformResponse,
		mayRepeat: boolean,
	): boolean {
		const { call } = this;
		const { items, sku } = write;
		const request = { ...BATCH, host: call.client.host };
		const hint = `SKU “${sku}”`;
		if (result.kind === 'done') this.productDone(write, result.record, result.result);
		else if (result.kind === 'notConfirmed') {
			call.noteMayBeApplied(items);
			const details = { requestId, hint: `${hint}: ${result.reason}.` };
			call.failed(items, new PlatformError('not-confirmed', request, details));
		} else {
			// If an earlier answer was lost, the operation may have been done before this refusal.
			if (earlierMayBeApplied) call.noteMayBeApplied(items);
			else call.refused(items);
			const temporaryStatuses = TEMPORARY_STATUSES[call.client.options.retryWrites];
			if (mayRepeat && !earlierMayBeApplied && temporaryStatuses.has(result.details.status))
				return true;
			const details = { requestId, ...result.details, hint: `${hint}.` };
			call.failed(items, new PlatformError('operation-refused', request, details));
		}
		return false;
	}
}

const itemsOf = (writes: readonly ProductWrite[]): BulkItem[] =>
	writes.flatMap(({ items }) => items);

/** API document, "Products". */
const IMPORT = { method: 'POST', path: '/jobs/catalog-import' } as const;

/**
 * The document gives no limit for a job. This one keeps a body within what servers usually accept, and n8n from standing
 * still while the body is checked and written out.
 */
export const MAX_IMPORT_OPERATIONS = 10_000;

/** The choice of Specify Product with which each input item is the whole body of its own job. */
export const WHOLE_BODY = 'jobBody';

/** Starts import jobs for the products of all input items. Each job becomes one output item. */
export async function sendImport(call: BulkCall): Promise<void> {
	const { items, report, options } = call;
	const { batchSize = MAX_IMPORT_OPERATIONS, dryRun } = options;
	await tellOfHandles(call);
	const isWholeBody = call.parameter('specifyProduct', '') === WHOLE_BODY;
	const jobs = isWholeBody
		? items.map((item) => [item])
		: await splitImport(items, batchSize as number);
	if (dryRun === true) report.wouldSend(jobs.length);
	for (const [index, job] of jobs.entries()) {
		await nextTurn();
		if (call.stopped()) return;
		if (job[0].hasResult) continue;
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
		if (isUncertain(error)) call.noteMayBeApplied(items);
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
