import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import type { HeldItem } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { groupBatches, sendBatches, type BatchLimits } from './batches';
import { counted, operationOf, productsBySku, UpsertCounts } from './products';
import { costText, requestCost } from './requestCost';
import { sendSingles, singleRequests } from './singles';
import { withSkuTurns, type SkuTurns } from './skuTurns';
import { findUnchanged, isUnchangedUpsert } from './unchanged';

/** What the user chose for the whole run. */
interface UpsertOptions {
	limits: BatchLimits;
	ifBatchNotAvailable: 'stop' | 'single';
	onlyIfChanged: boolean;
	dryRun: boolean;
	/** Whether output items are short. */
	simplify: boolean;
}

/**
 * Creates or updates the products of all input items in batches. Of several runs that write a SKU each one waits for
 * those before it.
 *
 * @throws PlatformError where the look-up for Only If Changed fails
 */
export async function upsertProducts(call: BatchCall, options: UpsertOptions): Promise<void> {
	if (options.dryRun) return showBatches(call, options);
	const counts = new UpsertCounts(options.simplify);
	const open = call.items.filter(({ isDone }) => !isDone);
	await withSkuTurns(call, open, async (inTurn, turns) => {
		// What an earlier run is about to write is not compared with what is there before.
		if (options.onlyIfChanged) await turns.come();
		const items = options.onlyIfChanged ? await changedOnly(inTurn, counts) : call.items;
		await send(inTurn, turns, items, options, counts);
	});
	if (call.items.length > 1) call.report.hint(counts.toString());
}

/** How a merchant comes to batches. */
const HOW_TO_HAVE_BATCHES =
	'In batches it would be one request for 100 products: the platform announces POST /products/batch in its changelog, and its support can say whether it is open for this API key.';

async function send(
	call: BatchCall,
	turns: SkuTurns,
	items: readonly HeldItem[],
	options: UpsertOptions,
	counts: UpsertCounts,
): Promise<void> {
	const keepRefused = options.ifBatchNotAvailable === 'single';
	const { left, refused } = await sendBatches(call, items, options.limits, keepRefused, counts);
	if (left.length === 0 || call.stopped()) return;
	const known = call.client.rateLimit();
	const cost = requestCost(singleRequests(left), known);
	const batches = refused === 1 ? 'batch' : 'batches';
	const why = refused === 0 ? 'takes no batches' : `refused ${counted(refused)} ${batches}`;
	const what = `${counted(left.length)} ${left.length === 1 ? 'product' : 'products'}`;
	if (!cost.fitsToday) {
		const requests = `takes up to ${counted(cost.requests)} requests for ${what}`;
		const error = new InputError(
			'Send One by One',
			`${requests}, and ${counted(known.dayRemaining ?? 0)} are left of today`,
			`The platform ${why}. None of these products was sent. Send fewer items, or wait for the next day (UTC). ${HOW_TO_HAVE_BATCHES}`,
		);
		for (const item of left) call.failed([item], error);
		return;
	}
	const are = left.length === 1 ? 'is' : 'are';
	call.report.hint(
		`The platform ${why}, so ${what} ${are} looked up and written one by one: ${costText(cost)} ${HOW_TO_HAVE_BATCHES}`,
	);
	await sendSingles(call, turns, left, counts);
}

/** Marks what has its values already, and gives the rest. */
async function changedOnly(call: BatchCall, counts: UpsertCounts): Promise<HeldItem[]> {
	const unchanged = await findUnchanged(
		call,
		productsBySku,
		call.items.map((item) => ({
			itemIndex: item.itemIndex,
			key: item.sku,
			isUnchanged: (product: IDataObject) => isUnchangedUpsert(item, product),
		})),
	);
	for (const item of call.items) {
		const product = unchanged.get(item.itemIndex);
		if (product !== undefined) call.done([item], counts.itemOf(item.sku, product, 'unchanged'));
	}
	return call.items.filter(({ itemIndex }) => !unchanged.has(itemIndex));
}

/** What would be sent, as items. */
function showBatches(call: BatchCall, { limits, onlyIfChanged }: UpsertOptions): void {
	const batches = groupBatches(call.items, limits);
	const cost = requestCost(batches.length, call.client.rateLimit());
	batches.forEach((batch, at) => {
		for (const item of batch) {
			call.done([item], {
				dryRun: true,
				method: 'POST',
				path: '/products/batch',
				batch: at + 1,
				operation: operationOf(item),
				cost: cost as unknown as IDataObject,
			});
		}
	});
	const most = onlyIfChanged
		? ' Only If Changed would look up the products first, and leave out what has not changed.'
		: '';
	call.report.hint(`Dry run: nothing was sent. It would be ${costText(cost)}${most}`);
}
