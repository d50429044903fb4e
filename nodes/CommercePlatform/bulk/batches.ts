import { pause } from '../../shared/api/clock';
import type { PlatformResponse, RetryWrites } from '../../shared/api/request';
import { isInDevelopment } from '../../shared/errors/errorBody';
import { PlatformError, settled } from '../../shared/errors/errors';
import { type HeldItem, holdFields } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { readBatchResults, type OperationResult } from './batchResults';
import { batchBody, ENVELOPE_BYTES, operationBytes, skuKey, type TakeProduct } from './products';

/** `POST /products/batch` (API document, "Products"). */
const BATCH_PATH = '/products/batch';

/** Operations a batch holds on every plan (API document, "Other limits"; Enterprise may have more). */
export const MAX_BATCH_OPERATIONS = 100;

/** The document names no limit for a body; many servers refuse more than 1 MiB. Bytes. */
export const MAX_BATCH_BYTES = 1_000_000;

/** Waits before operations are sent again that the platform could not take just then. ms. */
const REPEAT_WAITS_MS = [1_000, 4_000];

/** Statuses with which a platform may say that it has no such endpoint (API document, "Errors", 1). */
const NOT_THERE = new Set([403, 404, 405, 410, 501]);

/**
 * Statuses with which a platform refuses what a request holds. 409 is not among them: it may be a key that the
 * platform knows, so that the write was done before.
 */
const REFUSED_WHOLE = new Set([400, 422]);

/** The body is larger than the platform takes. */
const TOO_LARGE = 413;

/** Statuses of one operation that pass by themselves, by what they say: with 429 nothing was written. */
const PASSING: Record<RetryWrites, ReadonlySet<number | undefined>> = {
	automatic: new Set([429, 503]),
	whenSurelyNotApplied: new Set([429]),
	never: new Set(),
};

/**
 * How the platform refused a request as a whole, so that nothing of it was done: it has no such endpoint, or not for
 * this key, or it does not take what the request holds.
 *
 * @returns undefined where something may have been done
 */
export function refusalOf(error: unknown): 'notThere' | 'notTaken' | undefined {
	if (!(error instanceof PlatformError)) return undefined;
	const { status = 0, mayBeApplied = false, code = '' } = error.details;
	// No attempt at an endpoint that is not there was applied; any other refusal may be of a repeat.
	if (isInDevelopment(error.details)) return 'notThere';
	if (mayBeApplied || /idempotency/i.test(code)) return undefined;
	if (NOT_THERE.has(status)) return 'notThere';
	return REFUSED_WHOLE.has(status) ? 'notTaken' : undefined;
}

/** The error of a write that failed, which tells that it may have been done wherever the contrary is not known. */
export function failureOf(error: unknown): unknown {
	const isOpen = error instanceof PlatformError && error.problem === 'refused';
	if (!isOpen || refusalOf(error) !== undefined) return error;
	return new PlatformError(error.problem, error.request, { ...error.details, mayBeApplied: true });
}

export interface BatchLimits {
	maxOperations: number;
	/** Of the whole body. An operation that is larger alone is sent alone. */
	maxBytes: number;
}

/**
 * The rounds in which items are sent: the n-th write of a SKU is in the n-th round, so that no batch holds two of
 * them. A round is filled as its items are taken; the later ones are whole once the first is.
 */
function roundsOf(items: readonly HeldItem[]): HeldItem[][] {
	const rounds: HeldItem[][] = [];
	const times = new Map<string, number>();
	for (const item of items) {
		const key = skuKey(item.sku);
		const round = times.get(key) ?? 0;
		times.set(key, round + 1);
		(rounds[round] ??= []).push(item);
	}
	return rounds;
}

/** Splits the items of a round into batches, in their order. */
function* batchesOf(items: readonly HeldItem[], limits: BatchLimits): Generator<HeldItem[]> {
	let batch: HeldItem[] = [];
	let bytes = ENVELOPE_BYTES;
	for (const item of items) {
		const more = operationBytes(item);
		const isFull = batch.length >= limits.maxOperations || bytes + more > limits.maxBytes;
		if (isFull && batch.length > 0) {
			yield batch;
			batch = [];
			bytes = ENVELOPE_BYTES;
		}
		batch.push(item);
		bytes += more;
	}
	if (batch.length > 0) yield batch;
}

/** Groups items into batches; those of one SKU are in different ones, in their order. */
export const groupBatches = (items: readonly HeldItem[], limits: BatchLimits): HeldItem[][] =>
	roundsOf(items).flatMap((round) => [...batchesOf(round, limits)]);

/** What is left after the batches. */
interface BatchesSent {
	/** The items that are to be sent by themselves, in input order. */
	left: HeldItem[];
	/** How many batches were refused; none where the platform has no batches at all. */
	refused: number;
}

/**
 * Sends items in batches, some at once, and tells of each what became of it. A round begins when the one before it is
 * answered.
 *
 * @param keepRefused whether items of refused batches are given back, so that they can be sent by themselves;
 *   otherwise they fail
 * @param done takes the products that were written
 */
export async function sendBatches(
	call: BatchCall,
	items: readonly HeldItem[],
	limits: BatchLimits,
	keepRefused: boolean,
	done: TakeProduct,
): Promise<BatchesSent> {
	const run = new BatchRun(call, keepRefused, done, call.items.length - items.length);
	for (const round of roundsOf(items)) {
		const batches = batchesOf(round, limits);
		// The first batch shows whether there are batches at all.
		const first = run.isAnswered ? undefined : batches.next().value;
		if (first !== undefined) await run.send(first as HeldItem[]);
		await inParallel(
			batches,
			call.client.options.maxInFlight,
			async (batch) => await run.send(batch),
			() => call.stopped(),
		);
	}
	return { left: run.left.sort((a, b) => a.itemIndex - b.itemIndex), refused: run.refused };
}

/** Several batches on their way. */
class BatchRun {
	readonly left: HeldItem[] = [];
	refused = 0;
	isAnswered = false;
	/** SKUs of what is left: their later items must not go before it. */
	private readonly leftSkus = new Set<string>();
	/** Why the platform has no batches. */
	private refusal?: unknown;

	constructor(
		private readonly call: BatchCall,
		private readonly keepRefused: boolean,
		private readonly done: TakeProduct,
		private count: number,
	) {}

	async send(batch: readonly HeldItem[]): Promise<void> {
		// What an earlier run has done is not asked for again, but the grouping stays the same with its keys.
		const undone = batch.filter(({ isDone }) => !isDone);
		const open = undone.filter(({ sku }) => !this.leftSkus.has(skuKey(sku)));
		if (open.length < undone.length)
			this.left.push(...undone.filter((item) => !open.includes(item)));
		if (open.length > 0 && !this.call.stopped()) await this.sendOperations(open);
		this.count += batch.length;
		this.call.report.progress(this.count, this.call.items.length, 'products');
	}

	private async sendOperations(wanted: readonly HeldItem[], repeat = 0): Promise<void> {
		const { call } = this;
		if (this.refusal !== undefined) return this.refuse(wanted, this.refusal);
		const items = holdFields(wanted, call);
		if (items.length === 0 || call.stopped()) return;
		const request = { method: 'POST' as const, path: BATCH_PATH, body: batchBody(items) };
		const answer = await settled(call.send(request, items));
		if (answer.status === 'rejected') return await this.takeFailure(items, answer.reason, repeat);
		this.isAnswered = true;
		const mayRepeat = repeat < REPEAT_WAITS_MS.length && !call.stopped();
		const results = readBatchResults(items, answer.value.body);
		const again = items.filter((item, at) =>
			this.takeResult(item, results[at], answer.value, mayRepeat),
		);
		if (again.length === 0) return;
		const waited = await settled(
			pause(call.client.clock, REPEAT_WAITS_MS[repeat], call.client.signal),
		);
		if (waited.status === 'rejected') for (const item of again) call.failed([item], waited.reason);
		else if (!call.stopped()) await this.sendOperations(again, repeat + 1);
	}

	private async takeFailure(
		items: readonly HeldItem[],
		error: unknown,
		repeat: number,
	): Promise<void> {
		const isTooLarge = error instanceof PlatformError && error.details.status === TOO_LARGE;
		if (isTooLarge && items.length > 1) {
			const half = Math.ceil(items.length / 2);
			await this.sendOperations(items.slice(0, half), repeat);
			return await this.sendOperations(items.slice(half), repeat);
		}
		if (refusalOf(error) === 'notThere' && !this.isAnswered) this.refusal = error;
		else this.refused++;
		this.refuse(items, error);
	}

	private refuse(items: readonly HeldItem[], error: unknown): void {
		const refusal = refusalOf(error);
		if (this.keepRefused && refusal !== undefined) {
			this.left.push(...items);
			for (const { sku } of items) this.leftSkus.add(skuKey(sku));
			return;
		}
		if (refusal === undefined) this.call.unclear(items);
		const reason = wholeBatchError(error, items.length);
		for (const item of items) this.call.failed([item], reason);
	}

	/** @returns whether the item is to be sent again, since the platform could not take it just then */
	private takeResult(
		item: HeldItem,
		result: OperationResult,
		{ requestId, afterLost }: PlatformResponse,
		mayRepeat: boolean,
	): boolean {
		const { call } = this;
		if (result.kind === 'done') {
			this.done(item, result.record, result.result);
			return false;
		}
		const { host, options } = call.client;
		const request = { method: 'POST' as const, path: BATCH_PATH, host };
		const sku = `SKU “${item.sku}”`;
		if (result.kind === 'notConfirmed') {
			call.unclear([item]);
			const hint = `${sku}: ${result.reason}.`;
			call.failed([item], new PlatformError('not-confirmed', request, { requestId, hint }));
			return false;
		}
		const details = { requestId, ...result.details, hint: `${sku}.`, mayBeApplied: afterLost };
		// What is refused after a lost answer may have been done before.
		if (afterLost) call.unclear([item]);
		else call.refused([item]);
		if (mayRepeat && !afterLost && PASSING[options.retryWrites].has(details.status)) return true;
		call.failed([item], new PlatformError('operation-refused', request, details));
		return false;
	}
}

/** The error of each operation of a batch that failed as a whole. */
function wholeBatchError(error: unknown, operations: number): unknown {
	if (!(error instanceof PlatformError) || refusalOf(error) !== 'notTaken') return failureOf(error);
	const whose =
		operations === 1 ? 'Its one item was' : `All ${operations} items of this batch were`;
	return new PlatformError('batch-refused', error.request, {
		...error.details,
		hint: `${whose} refused together: none was written.`,
	});
}
