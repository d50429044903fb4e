import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../shared/api/clock';
import type { PlatformResponse, SendOptions } from '../../shared/api/request';
import { isInDevelopment } from '../../shared/errors/errorBody';
import { PlatformError } from '../../shared/errors/errors';
import { skuKey } from '../model/skuKey';
import { type BulkItem, readableItems } from '../run/bulkItem';
import type { BulkCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { readBatchResults, type OperationResult } from './batchResults';
import type { ProductDone } from './products';

/** API document, "Products". */
const BATCH = { method: 'POST', path: '/products/batch' } as const;

/** Waits before operations are sent again that the platform could not take just then. ms. */
const REPEAT_WAITS_MS = [1_000, 4_000];

/** Statuses with which a platform may say that it has no such endpoint (API document, "Errors", 1). */
const NOT_THERE = new Set([403, 404, 405, 410, 501]);

/**
 * Statuses with which a platform refuses what a request holds, or its size. 409 is not among them: it may be a key that
 * the platform knows, so that the write was done before.
 */
const REFUSED_WHOLE = new Set([400, 413, 422]);

/** Statuses of one operation that pass by themselves, by what they say: with 429 nothing was written. */
const PASSING: Record<SendOptions['retryWrites'], ReadonlySet<number | undefined>> = {
	automatic: new Set([429, 503]),
	whenSurelyNotApplied: new Set([429]),
	never: new Set(),
};

/**
 * How the platform refused a request as a whole, so that nothing of it was done: it has no such endpoint, or not for
 * this key, or it does not take what the request holds.
 *
 * @returns undefined if something may have been done
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

/** What an operation has beyond its item's fields, `"op":"upsert",`, and the comma behind it. Bytes. */
const OP_BYTES = 15;

/** What the body holds around its operations: `{"operations":[]}`. Bytes. */
const ENVELOPE_BYTES = 17;

/** Operations a batch holds on every plan (API document, "Other limits"; Enterprise may have more). */
const MAX_BATCH_OPERATIONS = 100;

/** The document names no limit for a body; many servers refuse more than 1 MiB, and an import is larger. Bytes. */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_IMPORT_BYTES = 8_000_000;

/** The body of a batch or an import (API document, "Products": `{ operations: [{ op: 'upsert', sku, title, ... }] }`). */
export const batchBody = (items: readonly BulkItem[]): IDataObject => ({
	operations: items.map(({ fields }) => ({ op: 'upsert', ...fields })),
});

/** The items of one body, and its length. */
interface Body {
	items: BulkItem[];
	bytes: number;
}

/** Puts an item into the last of some bodies, or into a new one where that has no room. */
function addTo(bodies: Body[], item: BulkItem, maxOperations = Infinity, maxBytes = Infinity) {
	const bytes = item.bytes + OP_BYTES;
	let body = bodies.at(-1);
	if (body === undefined || body.items.length >= maxOperations || body.bytes + bytes > maxBytes)
		bodies.push((body = { items: [], bytes: ENVELOPE_BYTES }));
	body.items.push(item);
	body.bytes += bytes;
	return body;
}

const itemsOf = (bodies: readonly Body[]): BulkItem[][] => bodies.map(({ items }) => items);

/**
 * Groups items into batches, and these into rounds: the n-th write of a SKU is in the n-th round, so that no batch
 * holds two of them. An operation that is larger alone than a body may be is alone.
 *
 * @param maxBytes of the whole body
 */
export function groupBatches(
	items: readonly BulkItem[],
	maxOperations = MAX_BATCH_OPERATIONS,
	maxBytes = MAX_BATCH_BYTES,
): BulkItem[][][] {
	const rounds: Body[][] = [];
	const times = new Map<string, number>();
	for (const item of items) {
		const key = skuKey(item.sku);
		const round = times.get(key) ?? 0;
		times.set(key, round + 1);
		addTo((rounds[round] ??= []), item, maxOperations, maxBytes);
	}
	return rounds.map(itemsOf);
}

/**
 * Splits items into import jobs: as few as possible, since a weekly meter counts them (API document, "Limits", 5), and
 * of about the same size, since a small rest may be refused as too few. Items of one SKU go into one job in their
 * order, because jobs may run beside each other; for their sake a job may be larger than the limits say.
 */
export function splitImport(
	items: readonly BulkItem[],
	maxOperations: number,
	maxBytes = MAX_IMPORT_BYTES,
): BulkItem[][] {
	const total = items.reduce((sum, { bytes }) => sum + bytes + OP_BYTES, 0);
	const count = Math.max(items.length / maxOperations, total / (maxBytes - ENVELOPE_BYTES));
	const share = Math.ceil(items.length / Math.ceil(count));
	const jobs: Body[] = [];
	const jobOf = new Map<string, Body>();
	for (const item of items) {
		const key = skuKey(item.sku);
		const jobOfSku = jobOf.get(key);
		jobOf.set(key, jobOfSku ? addTo([jobOfSku], item) : addTo(jobs, item, share, maxBytes));
	}
	return itemsOf(jobs);
}

/**
 * Sends items in batches, some at once, and tells of each what became of it. A round begins when the one before it is
 * answered. Items of refused batches fail, unless they can be sent by themselves.
 *
 * @param done takes the products that were written
 * @returns the items that are to be sent by themselves, in input order, and how many batches were refused; none if
 *   the platform has no batches at all
 * @throws CancelledError
 */
export async function sendBatches(
	call: BulkCall,
	items: readonly BulkItem[],
	done: ProductDone,
): Promise<{ left: BulkItem[]; refused: number }> {
	const { batchSize } = call.options as { batchSize?: number };
	const run = new BatchRun(call, done);
	let sent = call.items.length - items.length;
	const send = async (batch: BulkItem[]) => {
		await run.send(batch);
		call.report.progress((sent += batch.length), call.items.length, 'products');
	};
	const [[first = [], ...others] = [], ...rounds] = groupBatches(items, batchSize);
	// The first batch shows whether there are batches at all.
	await send(first);
	for (const round of [others, ...rounds])
		await inParallel(round, call.client.options.maxInFlight, send, () => call.stopped());
	const left = [...run.left.values()].flat().sort((a, b) => a.itemIndex - b.itemIndex);
	return { left, refused: run.refused };
}

/** Several batches on their way. */
class BatchRun {
	/** What is to be sent by itself, by SKU: its later items must not go before it. */
	readonly left = new Map<string, BulkItem[]>();
	refused = 0;
	private isAnswered = false;
	/** Why the platform has no batches. */
	private notThere?: unknown;

	constructor(
		private readonly call: BulkCall,
		private readonly done: ProductDone,
	) {}

	async send(batch: readonly BulkItem[]): Promise<void> {
		const open: BulkItem[] = [];
		// What an earlier run has done is not asked for again, but the grouping stays the same with its keys.
		for (const item of batch.filter(({ hasResult }) => !hasResult)) {
			if (this.call.isSentAlone(item)) this.leave(item);
			else (this.left.get(skuKey(item.sku)) ?? open).push(item);
		}
		await this.sendOperations(open);
	}

	private async sendOperations(wanted: readonly BulkItem[], repeat = 0): Promise<void> {
		const { call } = this;
		if (this.notThere !== undefined) return this.refuse(wanted, this.notThere);
		const items = call.stopped() ? [] : readableItems(wanted, call);
		if (items.length === 0 || call.stopped()) return;
		let answer: PlatformResponse;
		try {
			answer = await call.send({ ...BATCH, body: batchBody(items) }, items);
		} catch (error) {
			if (!this.isAnswered && refusalOf(error) === 'notThere') this.notThere = error;
			else this.refused++;
			return this.refuse(items, error);
		}
		this.isAnswered = true;
		const results = readBatchResults(items, answer.body);
		const mayRepeat = repeat < REPEAT_WAITS_MS.length && !call.stopped();
		const again = items.filter((item, at) => this.takeResult(item, results[at], answer, mayRepeat));
		if (again.length === 0) return;
		const { clock, signal } = call.client;
		await pause(clock, REPEAT_WAITS_MS[repeat], signal);
		await this.sendOperations(again, repeat + 1);
	}

	private refuse(items: readonly BulkItem[], error: unknown): void {
		const refusal = refusalOf(error);
		if (refusal !== undefined && this.call.options.ifBatchNotAvailable !== 'stop') {
			this.call.noteSentAlone(items);
			for (const item of items) this.leave(item);
			return;
		}
		if (refusal === undefined) this.call.noteMayBeApplied(items);
		const reason =
			refusal === 'notTaken' && error instanceof PlatformError
				? new PlatformError('batch-refused', error.request, error.details)
				: error;
		for (const item of items) this.call.failed([item], reason);
	}

	/** Leaves an item to be sent by itself. */
	private leave(item: BulkItem): void {
		const key = skuKey(item.sku);
		this.left.set(key, [...(this.left.get(key) ?? []), item]);
	}

	/**
	 * Takes what became of an item.
	 *
	 * @returns whether it is to be sent again, since the platform could not take it just then
	 */
	private takeResult(
		item: BulkItem,
		result: OperationResult,
		{ requestId, earlierMayBeApplied }: PlatformResponse,
		mayRepeat: boolean,
	): boolean {
		const { call } = this;
		const request = { ...BATCH, host: call.client.host };
		const hint = `SKU “${item.sku}”`;
		if (result.kind === 'done') this.done(item, result.record, result.result);
		else if (result.kind === 'notConfirmed') {
			call.noteMayBeApplied([item]);
			const details = { requestId, hint: `${hint}: ${result.reason}.` };
			call.failed([item], new PlatformError('not-confirmed', request, details));
		} else {
			// What is refused after a lost answer may have been done before.
			if (earlierMayBeApplied) call.noteMayBeApplied([item]);
			else call.refused([item]);
			const passing = PASSING[call.client.options.retryWrites];
			if (mayRepeat && !earlierMayBeApplied && passing.has(result.details.status)) return true;
			const details = { requestId, ...result.details, hint: `${hint}.` };
			call.failed([item], new PlatformError('operation-refused', request, details));
		}
		return false;
	}
}
