import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { skuKey } from '../model/skuKey';
import { type BulkItem, readableItems } from '../run/bulkItem';
import type { BulkCall } from '../run/operation';
import { findUnchanged } from '../run/findRecords';
import { counted, requestCost } from '../run/report';
import { groupBatches, sendBatches } from './batches';
import {
	withLocks,
	objectsIn,
	otherSpellingError,
	productsBySku,
	skuLockName,
	skusOf,
	type ProductDone,
} from './products';
import { noteCreated, sendAlone } from './sendAlone';
import { type Difference, differences, previewProducts, previewRow } from './unchanged';

/**
 * Creates or updates the products of all input items in batches. Of several runs that write a SKU each one waits for
 * those before it.
 *
 * @throws PlatformError where the look-up for Only If Changed or a dry run fails
 */
export async function upsertProducts(call: BulkCall): Promise<void> {
	const { options, report } = call;
	if (options.dryRun === true) return await showProducts(call);
	const isShort = call.parameter('simplify', true) !== false;
	const counts = { created: 0, updated: 0, unchanged: 0, unknown: 0 };
	const done: ProductDone = (item, record, result) => {
		counts[result ?? 'unknown']++;
		const { sku } = item;
		// The search may not show it yet where later items of the SKU go one by one.
		if (result === 'created') noteCreated(call, sku, record);
		const outcome = { ...(result && { result }), ...(result === 'unchanged' && { skipped: true }) };
		if (record === undefined) return call.done([item], { sku, ...outcome, written: true });
		if (!isShort) return call.done([item], { ...record, ...outcome });
		const { id, title, updated_at } = record;
		const changed = updated_at !== undefined && { updated_at };
		call.done([item], { id, sku, title, ...outcome, ...changed });
	};
	refuseLookAlikes(call);
	const open = call.items.filter(({ hasResult }) => !hasResult);
	await withLocks(call, open.map(skuLockName), async () => {
		// What an earlier run is about to write is not compared with what is there before.
		const items = options.onlyIfChanged === true ? await changedOnly(call, done) : call.items;
		await send(call, items, done);
	});
	const { created, updated, unchanged, unknown } = counts;
	const withoutWord = unknown === 0 ? '' : `, written without saying which: ${counted(unknown)}`;
	if (call.items.length > 1)
		report.hint(
			`Created: ${counted(created)}, updated: ${counted(updated)}, unchanged: ${counted(unchanged)}${withoutWord}.`,
		);
}

/** Refuses a row whose SKU differs from an earlier row's by its spelling alone, as it is refused one by one. */
function refuseLookAlikes({ items, failed }: BulkCall): void {
	const spellings = new Map<string, { sku: string; row: number }>();
	for (const item of items)
		for (const sku of item.skus) {
			const first = spellings.get(skuKey(sku)) ?? { sku, row: item.itemIndex + 1 };
			spellings.set(skuKey(sku), first);
			if (item.hasResult || first.sku === sku) continue;
			const error = new InputError(
				'SKU',
				`“${sku}” is “${first.sku}” of row ${first.row} in another spelling`,
				'Nothing was sent for it. Whether they are one to the shop is not known: enter the SKU as the shop has it.',
			);
			failed([item], error);
		}
}

/** How a merchant comes to batches. */
const HOW_TO_HAVE_BATCHES =
	'In batches it would be one request for 100 products: the platform announces POST /products/batch in its changelog, and its support can say whether it is open for this API key.';

/** Sends items in batches, and what is left of them one by one. */
async function send(call: BulkCall, items: readonly BulkItem[], done: ProductDone): Promise<void> {
	const sent = await sendBatches(call, items, done);
	const left = readableItems(sent.left, call);
	if (left.length === 0 || call.stopped()) return;
	const batches = sent.refused === 1 ? 'batch' : 'batches';
	const why =
		sent.refused === 0 ? 'takes no batches' : `refused ${counted(sent.refused)} ${batches}`;
	const what = `${counted(left.length)} ${left.length === 1 ? 'product' : 'products'}`;
	const budget = call.client.rateLimit();
	// A look-up and a write for each, and a read of what is merged.
	const requests = left.reduce(
		(sum, { fields: { variants, prices } }) => sum + ((variants ?? prices) === undefined ? 2 : 3),
		0,
	);
	const cost = requestCost(requests, budget);
	if (cost.fitsToday) {
		call.report.hint(
			`The platform ${why}, so ${what} will be looked up and written one by one: ${cost.text} ${HOW_TO_HAVE_BATCHES}`,
		);
		return await sendAlone(call, left, done);
	}
	const error = new InputError(
		'Send One by One',
		`takes up to ${counted(requests)} requests for ${what}, and ${counted(budget.dayRemaining ?? 0)} are left of today`,
		`The platform ${why}. None of these products was sent. Send fewer items, or wait for the next day (UTC). ${HOW_TO_HAVE_BATCHES}`,
	);
	for (const item of left) call.failed([item], error);
}

/** What an operation would change of its product; it may also hold the prices of the variant that its SKU names. */
function* differencesOf(
	{ fields: { sku, prices, ...others } }: BulkItem,
	product: IDataObject,
): Generator<Difference, void> {
	yield* differences(others, product);
	const variant = objectsIn(product.variants).find((entry) => entry.sku === sku);
	// A product may show prices of its own, from the lowest to the highest for instance.
	yield* differences(prices, (variant ?? product).prices, 'prices');
}

/** Marks what has its values already, refuses what the shop has in another spelling only, and gives the rest. */
async function changedOnly(call: BulkCall, done: ProductDone): Promise<BulkItem[]> {
	const items = readableItems(call.items, call);
	const shopSkus = new Set<string>();
	const spellings = new Map<string, string>();
	const keysOf = (product: IDataObject) => {
		const skus = skusOf(product);
		for (const sku of skus) {
			shopSkus.add(sku);
			spellings.set(skuKey(sku), sku);
		}
		return skus;
	};
	const unchanged = await findUnchanged(
		call,
		{
			source: { ...productsBySku, keysOf },
			keyOf: ({ sku }) => sku,
			isUnchanged: (item, product) => differencesOf(item, product).next().done === true,
		},
		items,
	);
	return items.filter((item) => {
		const product = unchanged.get(item);
		if (product !== undefined) {
			done(item, product, 'unchanged');
			return false;
		}
		const inShop = shopSkus.has(item.sku) ? undefined : spellings.get(skuKey(item.sku));
		if (inShop === undefined || item.hasResult) return true;
		call.failed([item], otherSpellingError(item.sku, inShop));
		return false;
	});
}

/** Shows what would change. */
async function showProducts(call: BulkCall): Promise<void> {
	const { batchSize } = call.options as { batchSize?: number };
	const writes = readableItems(call.items, call).map((item) => ({ item }));
	const sent = await previewProducts(call, writes, ({ item }, product) => {
		const { title } = product ?? item.fields;
		const result = product === undefined ? 'would create' : undefined;
		return previewRow({ sku: item.sku, title }, differencesOf(item, product ?? {}), result);
	});
	const items = sent.map(({ item }) => item);
	call.report.wouldSend(groupBatches(items, batchSize).flat().length);
}
