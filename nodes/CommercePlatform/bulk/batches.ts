import { pause } from '../../shared/api/clock';
import type { PlatformResponse, RetryWrites } from '../../shared/api/request';
import { PlatformError, settled } from '../../shared/errors/errors';
import type { HeldItem } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { readBatchResults, type OperationError } from './batchResults';
import { batchBody, ENVELOPE_BYTES, operationBytes, skuKey, type UpsertCounts } from './products';

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
 * Statuses with which a platform refuses what a request holds. Nothing of it was written then. 409 is not among them:
 * it may be a key that the platform knows, so that the write was done before.
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

/** Whether the error may mean that the platform has no such endpoint, or not for this key. */
export const isNotThere = (error: unknown): error is PlatformError =>
	isAnsweredBy(error, NOT_THERE);

/** Whether the platform refused a write of several products as a whole, so that none of it was done. */
export function isRefusal(error: unknown): boolean {
	if (!isAnsweredBy(error, NOT_THERE) && !isAnsweredBy(error, REFUSED_WHOLE)) return false;
	const { status, mayBeApplied, code = '' } = error.details;
	// No attempt at an endpoint that is not there was applied; any other refusal may be of a repeat.
	return status === 501 || (mayBeApplied !== true && !/idempotency/i.test(code));
}

/** The error of a write that failed, which tells that it may have been done wherever the contrary is not known. */
export function failureOf(error: unknown): unknown {
	if (isRefusal(error) || !(error instanceof PlatformError) || error.problem !== 'refused')
		return error;
	return new PlatformError(error.problem, error.request, { ...error.details, mayBeApplied: true });
}

function isAnsweredBy(error: unknown, statuses: ReadonlySet<number>): error is PlatformError {
	return error instanceof PlatformError && statuses.has(error.details.status ?? 0);
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
 * Sends items in batches, some at once, and says of each what became of it. A round begins when the one before it is
 * answered.
 *
 * @param keepRefused whether items of refused batches are given back, so that they can be sent by themselves;
 *   otherwise they fail
 */
export async function sendBatches(
	call: BatchCall,
	items: readonly HeldItem[],
	limits: BatchLimits,
	keepRefused: boolean,
	counts: UpsertCounts,
): Promise<BatchesSent> {
	const run = new BatchRun(call, keepRefused, counts, call.items.length - items.length);
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
		private readonly counts: UpsertCounts,
		private done: number,
	) {}

	async send(batch: readonly HeldItem[]): Promise<void> {
		// What an earlier run has done is not asked for again, but the grouping stays the same with its keys.
		const open = batch.filter((item) => !item.isDone && !this.waitsForLeft(item));
		if (open.length > 0 && !this.call.stopped()) await this.sendOperations(open);
		this.done += batch.length;
		this.call.report.progress(this.done, this.call.items.length, 'products');
	}

	/** An item of which an earlier one of its SKU is left is left as well. */
	private waitsForLeft(item: HeldItem): boolean {
		if (!this.leftSkus.has(skuKey(item.sku))) return false;
		this.left.push(item);
		return true;
	}

	private async sendOperations(items: readonly HeldItem[], repeat = 0): Promise<void> {
		if (this.refusal !== undefined) return this.refuse(items, this.refusal);
		const request = { method: 'POST' as const, path: BATCH_PATH, body: batchBody(items) };
		const answer = await settled(this.call.send(request, items));
		if (answer.status === 'rejected') return await this.takeFailure(items, answer.reason, repeat);
		this.isAnswered = true;
		const again = this.takeResults(items, answer.value, repeat);
		if (again.length === 0) return;
		// What the platform could not take just then.
		const { clock, signal } = this.call.client;
		const waited = await settled(pause(clock, REPEAT_WAITS_MS[repeat], signal));
		if (waited.status === 'rejected')
			for (const item of again) this.call.failed([item], waited.reason);
		else if (!this.call.stopped()) await this.sendOperations(again, repeat + 1);
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
		if (isNotThere(error) && isRefusal(error) && !this.isAnswered) this.refusal = error;
		else this.refused++;
		this.refuse(items, error);
	}

	private refuse(items: readonly HeldItem[], error: unknown): void {
		if (this.keepRefused && isRefusal(error)) {
			this.left.push(...items);
			for (const { sku } of items) this.leftSkus.add(skuKey(sku));
			return;
		}
		if (!isRefusal(error)) this.call.unclear(items);
		const reason = wholeBatchError(error, items.length);
		for (const item of items) this.call.failed([item], reason);
	}

	/** @returns the items that are to be sent again */
	private takeResults(
		items: readonly HeldItem[],
		answer: PlatformResponse,
		repeat: number,
	): HeldItem[] {
		const { call, counts } = this;
		const { host, options } = call.client;
		const mayRepeat = repeat < REPEAT_WAITS_MS.length && !call.stopped();
		const again: HeldItem[] = [];
		const results = readBatchResults(
			items.map(({ sku }) => sku),
			answer.body,
		);
		items.forEach((item, at) => {
			const result = results[at];
			if (result.kind === 'done')
				return call.done([item], counts.itemOf(item.sku, result.record, result.result));
			if (result.kind === 'notConfirmed') {
				call.unclear([item]);
				return call.failed([item], notConfirmed(host, item.sku, result.reason, answer.requestId));
			}
			call.refused([item]);
			const { error } = result;
			if (mayRepeat && PASSING[options.retryWrites].has(error.status)) again.push(item);
			else
				call.failed(
					[item],
					operationError(host, item.sku, { requestId: answer.requestId, ...error }),
				);
		});
		return again;
	}
}

/** The error of each operation of a batch that failed as a whole. */
function wholeBatchError(error: unknown, operations: number): unknown {
	if (!isRefusal(error) || !isAnsweredBy(error, REFUSED_WHOLE)) return failureOf(error);
	const hint = `None of its ${operations} operations was written.`;
	return new PlatformError('batch-refused', error.request, { ...error.details, hint });
}

const requestOf = (host: string) => ({ method: 'POST' as const, path: BATCH_PATH, host });

/** The error of one operation that the platform refused, while others of its batch may be written. */
function operationError(host: string, sku: string, error: OperationError): PlatformError {
	const { message, ...details } = error;
	const more = { platformMessage: message, hint: `SKU “${sku}”.` };
	return new PlatformError('operation-refused', requestOf(host), { ...details, ...more });
}

/** The error of one operation of which the answer does not say what became of it. */
function notConfirmed(
	host: string,
	sku: string,
	reason: string,
	requestId?: string,
): PlatformError {
	const hint = `SKU “${sku}”: ${reason}.`;
	return new PlatformError('not-confirmed', requestOf(host), { requestId, hint });
}
