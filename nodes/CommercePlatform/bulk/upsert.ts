import type { IDataObject } from 'n8n-workflow';

import type { BatchCall } from '../engine/batchCall';
import { findUnchanged } from './onlyIfChanged';
import { groupBatches, type BatchLimits } from './groupBatches';
import { productsBySku } from './productSource';
import { openSkus, operationOf, productWrites, type ProductWrite } from './productWrite';
import { costText, requestCost, type RequestCost } from './requestCost';
import { sendBatches } from './sendBatches';
import { sendSingles, singleRequests } from './sendSingles';
import { withSkuTurns, type SkuTurns } from './skuTurns';
import { isUnchangedUpsert } from './unchanged';

/** What the user chose for the whole run. */
export interface UpsertOptions {
	limits: BatchLimits;
	ifBatchNotAvailable: 'stop' | 'single';
	onlyIfChanged: boolean;
	dryRun: boolean;
}

/**
 * Creates or updates the products of all input items in batches. Of several runs that write a SKU each one waits for
 * those before it.
 *
 * @throws PlatformError where the look-up for Only If Changed fails
 */
export async function upsertProducts(call: BatchCall, options: UpsertOptions): Promise<void> {
	if (options.dryRun) return showBatches(call, options);
	const skus = openSkus(call);
	await withSkuTurns(call, skus, async (inTurn, turns) => {
		// What an earlier run is about to write is not compared with what is there before.
		if (options.onlyIfChanged) await turns.come();
		const writes = options.onlyIfChanged
			? await changedOnly(inTurn)
			: productWrites(call.entries, skus);
		await send(inTurn, turns, writes, options);
	});
}

async function send(
	call: BatchCall,
	turns: SkuTurns,
	writes: Iterable<ProductWrite>,
	options: UpsertOptions,
): Promise<void> {
	const keepRefused = options.ifBatchNotAvailable === 'single';
	const skipped = Array.isArray(writes) ? call.entries.length - writes.length : 0;
	const { left, refused } = await sendBatches(call, writes, options.limits, keepRefused, skipped);
	if (left.length === 0 || call.stopped()) return;
	const cost = requestCost(singleRequests(left), call.client.rateLimit());
	const why =
		refused === 0 ? 'takes no batches' : `refused ${counted(refused, 'batch', 'batches')}`;
	const what = counted(left.length, 'product is', 'products are');
	call.report.hint(
		`The platform ${why}, so ${what} looked up and written one by one: ${costText(cost)}`,
	);
	await sendSingles(call, turns, left);
}

const counted = (count: number, one: string, several: string): string =>
	`${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;

/** Marks what has its values already, and gives the rest. */
async function changedOnly(call: BatchCall): Promise<ProductWrite[]> {
	const all = [...productWrites(call.entries)];
	const unchanged = await findUnchanged(
		call,
		productsBySku,
		all.map((write) => ({
			itemIndex: write.itemIndex,
			key: write.sku,
			isUnchanged: (product: IDataObject) => isUnchangedUpsert(write.sku, write.fields, product),
		})),
	);
	for (const [itemIndex, product] of unchanged)
		call.done([itemIndex], { ...product, skipped: true });
	return all.filter(({ itemIndex }) => !unchanged.has(itemIndex));
}

/** What would be sent, as items. */
function showBatches(call: BatchCall, { limits, onlyIfChanged }: UpsertOptions): void {
	const batches = groupBatches(productWrites(call.entries), limits);
	const cost: RequestCost = requestCost(batches.length, call.client.rateLimit());
	for (const { number, operations } of batches) {
		for (const write of operations) {
			call.done([write.itemIndex], {
				dryRun: true,
				method: 'POST',
				path: '/products/batch',
				batch: number + 1,
				operation: operationOf(write),
				cost: cost as unknown as IDataObject,
			});
		}
	}
	const most = onlyIfChanged
		? ' Only If Changed would look up the products first, and leave out what has not changed.'
		: '';
	call.report.hint(`Dry run: nothing was sent. It would be ${costText(cost)}${most}`);
}
