import { pause } from '../../shared/api/clock';
import type { PlatformResponse } from '../../shared/api/request';
import { settled } from '../../shared/errors/errors';
import type { BatchCall } from '../engine/batchCall';
import {
	isNotThere,
	isRefusal,
	isTooLarge,
	notConfirmed,
	operationError,
	passesByItself,
	wholeBatchError,
} from './batchErrors';
import { BatchGrouping, type Batch, type BatchLimits } from './groupBatches';
import { inParallel } from '../run/pool';
import { batchBody, skuKey, type ProductWrite } from './productWrite';
import { readBatchResults } from './batchResults';

/** `POST /products/batch` (API document, "Products"). */
const BATCH_PATH = '/products/batch';

/** Waits before operations are sent again that the platform could not take just then. ms. */
const REPEAT_WAITS_MS = [1_000, 4_000];

/** What is left after the batches. */
export interface BatchesSent {
	/** The writes that are to be sent by themselves, in input order. */
	left: ProductWrite[];
	/** How many batches were refused; none where the platform has no batches at all. */
	refused: number;
}

/**
 * Sends writes in batches, some at once, and says of every write what became of it. Writes are taken and grouped
 * only as they are sent, so that no more of them is held than is on its way.
 *
 * @param keepRefused whether writes of refused batches are given back, so that they can be sent by themselves;
 *   otherwise they fail
 * @param skipped how many items need no write, for what is said of the progress
 */
export async function sendBatches(
	call: BatchCall,
	writes: Iterable<ProductWrite>,
	limits: BatchLimits,
	keepRefused: boolean,
	skipped = 0,
): Promise<BatchesSent> {
	const grouping = new BatchGrouping(limits);
	const batches = grouping.group(writes);
	const run = new BatchRun(call, grouping, keepRefused, skipped);
	// The first batch shows whether there are batches at all.
	const first = batches.next();
	if (first.done === true) return { left: [], refused: 0 };
	await run.send(first.value);
	await inParallel(
		batches,
		call.client.options.maxInFlight,
		async (batch) => await run.send(batch),
		() => call.stopped(),
	);
	return { left: run.left.sort((a, b) => a.itemIndex - b.itemIndex), refused: run.refused };
}

/** Several batches on their way. */
class BatchRun {
	readonly left: ProductWrite[] = [];
	refused = 0;
	/** SKUs of what is left: their later writes must not go before it. */
	private readonly leftSkus = new Set<string>();
	/** Why the platform has no batches. */
	private refusal?: unknown;
	private readonly answered = new Map<number, Promise<void>>();
	private works = false;

	constructor(
		private readonly call: BatchCall,
		private readonly grouping: BatchGrouping,
		private readonly keepRefused: boolean,
		private done: number,
	) {}

	/** Sends a batch after those that hold earlier writes of its SKUs. */
	async send(batch: Batch): Promise<void> {
		const sent = this.sendAfter(batch);
		this.answered.set(batch.number, sent);
		await sent;
		this.answered.delete(batch.number);
		this.grouping.answered(batch);
	}

	private async sendAfter({ operations, after }: Batch): Promise<void> {
		await Promise.all([...after].map(async (number) => await this.answered.get(number)));
		// What an earlier run has done is not asked for again, but the grouping stays the same with its keys.
		const open = operations.filter(
			(write) => !this.call.wasDone(write.itemIndex) && !this.waitsForLeft(write),
		);
		if (open.length > 0 && !this.call.stopped()) await this.sendOperations(open);
		this.done += operations.length;
		this.call.report.progress(this.done, this.call.entries.length, 'products');
	}

	/** A write of which an earlier one of its SKU is left is left as well. */
	private waitsForLeft(write: ProductWrite): boolean {
		if (!this.leftSkus.has(skuKey(write.sku))) return false;
		this.left.push(write);
		return true;
	}

	private async sendOperations(operations: ProductWrite[], repeat = 0): Promise<void> {
		if (this.refusal !== undefined) return this.refuse(operations, this.refusal);
		const answer = await settled(
			this.call.send(
				{ method: 'POST', path: BATCH_PATH, body: batchBody(operations) },
				operations.map(({ itemIndex }) => itemIndex),
			),
		);
		if (answer.status === 'fulfilled') {
			this.works = true;
			const again = takeResults(this.call, operations, answer.value, repeat);
			if (again.length > 0) await this.sendAgain(again, repeat);
		} else await this.takeFailure(operations, answer.reason, repeat);
	}

	/** Sends once more what the platform could not take just then. */
	private async sendAgain(operations: ProductWrite[], repeat: number): Promise<void> {
		const { clock, signal } = this.call.client;
		const waited = await settled(pause(clock, REPEAT_WAITS_MS[repeat], signal));
		if (this.call.stopped()) return;
		if (waited.status === 'fulfilled') return await this.sendOperations(operations, repeat + 1);
		for (const { itemIndex } of operations) this.call.failed([itemIndex], waited.reason);
	}

	private async takeFailure(
		operations: ProductWrite[],
		error: unknown,
		repeat: number,
	): Promise<void> {
		if (isTooLarge(error) && operations.length > 1) {
			const half = Math.ceil(operations.length / 2);
			await this.sendOperations(operations.slice(0, half), repeat);
			return await this.sendOperations(operations.slice(half), repeat);
		}
		if (isNotThere(error) && !this.works) this.refusal = error;
		else this.refused++;
		this.refuse(operations, error);
	}

	private refuse(operations: ProductWrite[], error: unknown): void {
		if (this.keepRefused && isRefusal(error)) {
			this.left.push(...operations);
			for (const { sku } of operations) this.leftSkus.add(skuKey(sku));
			return;
		}
		const reason = wholeBatchError(error, operations.length);
		for (const { itemIndex } of operations) this.call.failed([itemIndex], reason);
	}
}

/** @returns the operations that are to be sent again */
function takeResults(
	call: BatchCall,
	operations: ProductWrite[],
	answer: PlatformResponse,
	repeat: number,
): ProductWrite[] {
	const { host, options } = call.client;
	const mayRepeat = repeat < REPEAT_WAITS_MS.length && !call.stopped();
	const again: ProductWrite[] = [];
	const skus = operations.map(({ sku }) => sku);
	const results = readBatchResults(skus, answer.body);
	operations.forEach((write, at) => {
		const { itemIndex, sku } = write;
		const result = results[at];
		if (result.kind === 'done') call.done([itemIndex], result.record ?? { sku, written: true });
		else if (result.kind === 'failed') {
			call.refused([itemIndex]);
			if (mayRepeat && passesByItself(result.error, options.retryWrites))
				return void again.push(write);
			call.failed(
				[itemIndex],
				operationError(host, sku, { requestId: answer.requestId, ...result.error }),
			);
		} else call.failed([itemIndex], notConfirmed(host, sku, result.reason, answer.requestId));
	});
	return again;
}
