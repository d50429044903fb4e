import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../../shared/rest/client';
import { isInDevelopment, mayBeNotThere } from '../../../shared/rest/errorBody';
import { InputError, PlatformError } from '../../../shared/rest/errors';
import type { PlatformResponse } from '../../../shared/rest/request';
import { type OperationResult, readBatchResults } from '../../../shared/shop/answers';
import type { BulkCall, BulkItem } from '../../runner/operation';
import { isDone, type ProductDone, type ProductWrite } from './plan';

/** API document, "Products". */
export const BATCH = { method: 'POST', path: '/products/batch' } as const;

/** How many operations a batch may hold on every plan (API document, "Other limits"; Enterprise may have more). */
const MAX_BATCH_OPERATIONS = 100;

/** The document gives no limit for a body. Many servers refuse more than 1 MiB. */
const MAX_BATCH_BYTES = 1_000_000;

/** The body of a batch or an import (API document, "Products": `{ operations: [{ op: 'upsert', sku, title, ... }] }`). */
export const operationsOf = (products: ReadonlyArray<{ fields: IDataObject }>): IDataObject => ({
	operations: products.map(({ fields }) => ({ op: 'upsert', ...fields })),
});

/** How much a product adds to a body, save for the few bytes of the operation around it. */
export const operationBytes = ({ fields }: { fields: IDataObject }): number =>
	Buffer.byteLength(JSON.stringify(fields));

/** Groups writes into batches, each when it is asked for. One that is too large gets a batch of its own. */
export function* groupBatches(
	writes: readonly ProductWrite[],
	maxOperations = MAX_BATCH_OPERATIONS,
): Generator<ProductWrite[], void, void> {
	let batch: ProductWrite[] = [];
	let batchBytes = 0;
	for (const write of writes) {
		const bytes = operationBytes(write);
		const isFull = batch.length >= maxOperations || batchBytes + bytes > MAX_BATCH_BYTES;
		if (isFull && batch.length > 0) {
			yield batch;
			[batch, batchBytes] = [[], 0];
		}
		batch.push(write);
		batchBytes += bytes;
	}
	if (batch.length > 0) yield batch;
}

/** Statuses with which the platform refuses a request for its content or its size. */
const REFUSED_WHOLE = new Set([400, 413, 422]);

/**
 * Says how a batch or job failed.
 *
 * @returns `notThere` if the platform has no such endpoint, or not for this key; `notTaken` if it does not accept the
 *   content or the size; `uncertain` if it may have been applied; undefined if it was not sent, or refused otherwise
 */
function batchFailureOf(error: unknown): 'notThere' | 'notTaken' | 'uncertain' | undefined {
	if (!(error instanceof PlatformError))
		return error instanceof InputError ? undefined : 'uncertain';
	const { status = 0, mayBeApplied, code = '' } = error.details;
	// 501 or IN_DEVELOPMENT: the endpoint does not exist, so no attempt was applied. After a lost answer, any other refusal
	// may answer a repeat, so it proves nothing. A 409 may mean that the platform knows the key, so that an earlier sending
	// was applied.
	if (isInDevelopment(error.details)) return 'notThere';
	if (mayBeApplied || status === 409 || /idempotency/i.test(code)) return 'uncertain';
	if (mayBeNotThere(error.details)) return 'notThere';
	return REFUSED_WHOLE.has(status) ? 'notTaken' : undefined;
}

/**
 * Notes what is known of a batch or job that failed. One that may have been applied keeps its key; one that was refused
 * gets a new one when it is sent again: for the old key the platform may repeat its old answer.
 */
export function noteFailure(call: BulkCall, items: readonly BulkItem[], error: unknown): void {
	const failure = batchFailureOf(error);
	if (isWholeRefusal(failure)) call.refused(items);
	else if (failure === 'uncertain') call.noteMayBeApplied(items);
}

const isWholeRefusal = (failure: ReturnType<typeof batchFailureOf>): boolean =>
	failure === 'notThere' || failure === 'notTaken';

/**
 * Sends writes of different SKUs in batches, several at once, and reports the result of each. Those of a refused batch
 * fail, unless they can be sent alone.
 */
export class Batches {
	readonly toSendAlone = new Set<ProductWrite>();
	/** How many batches the platform refused as a whole. */
	refusedCount = 0;
	/** The error that says that the platform has no batches. */
	notThereError?: unknown;
	/** Whether the platform has answered a batch. A later refusal is then about its batch alone. */
	private areThere = false;

	constructor(
		private readonly call: BulkCall,
		private readonly productDone: ProductDone,
	) {}

	/** @throws CancelledError */
	async send(writes: readonly ProductWrite[]): Promise<void> {
		const { client, items, options, report } = this.call;
		let sentCount = items.length - writes.length;
		const sendOpen = async (batch: ProductWrite[]) => {
			// Writes that an earlier try has done (Retry On Fail) are left out here and not before: the grouping, and with
			// it the keys, must stay the same.
			await this.sendOne(batch.filter((write) => !isDone(write)));
			report.progress((sentCount += batch.length), items.length, 'products');
		};
		const batches = groupBatches(writes, options.batchSize);
		// The first batch shows whether the platform has batches at all.
		await sendOpen(batches.next().value ?? []);
		await inParallel(batches, client.options.maxInFlight, sendOpen, () => this.call.stopped());
	}

	private async sendOne(batch: readonly ProductWrite[]): Promise<void> {
		const { call } = this;
		if (this.notThereError !== undefined) return this.handleFailure(batch, this.notThereError);
		if (batch.length === 0 || call.stopped()) return;
		let answer: PlatformResponse;
		try {
			answer = await call.send({ ...BATCH, body: operationsOf(batch) }, itemsOf(batch));
		} catch (error) {
			const failure = batchFailureOf(error);
			if (!this.areThere && failure === 'notThere') this.notThereError = error;
			else if (isWholeRefusal(failure)) this.refusedCount++;
			return this.handleFailure(batch, error);
		}
		this.areThere = true;
		const skus = batch.map(({ sku }) => sku);
		const results = readBatchResults(skus, answer.body);
		for (const [index, write] of batch.entries()) this.handleResult(write, results[index], answer);
	}

	/** Sends the writes of a refused batch alone later, if that is allowed; otherwise they fail, as after any failure. */
	private handleFailure(batch: readonly ProductWrite[], error: unknown): void {
		const failure = batchFailureOf(error);
		if (isWholeRefusal(failure) && this.call.options.ifBatchNotAvailable !== 'stop') {
			for (const write of batch) this.toSendAlone.add(write);
			return;
		}
		noteFailure(this.call, itemsOf(batch), error);
		const reason =
			failure === 'notTaken' && error instanceof PlatformError
				? new PlatformError('batch-refused', error.request, error.details)
				: error;
		for (const { items } of batch) this.call.failed(items, reason);
	}

	/** Reports the result of a write. */
	private handleResult(
		write: ProductWrite,
		result: OperationResult,
		{ requestId, earlierMayBeApplied }: PlatformResponse,
	): void {
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
			const details = { requestId, ...result.details, hint: `${hint}.` };
			call.failed(items, new PlatformError('operation-refused', request, details));
		}
	}
}

const itemsOf = (writes: readonly ProductWrite[]): BulkItem[] =>
	writes.flatMap(({ items }) => items);

/** Whether a batch can hold a write: the document's batch names products by SKU. */
export const hasSku = ({ sku }: ProductWrite): boolean => sku !== '';
