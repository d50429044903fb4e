import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { skuKey } from './skuKey';
import { type BulkItem, readableItems } from '../runner/bulkItem';
import type { BulkCall } from '../runner/operation';
import { findUnchanged } from '../runner/lookup';
import type { RecordSource } from '../runner/operation';
import { counted, requestCost } from '../runner/report';
import { groupBatches, sendBatches } from './batches';
import {
	objectsIn,
	otherSpellingError,
	type ProductDone,
	productsBySku,
	skuLockName,
	skusOf,
	withLocks,
} from './products';
import { noteCreated, sendAlone } from './sendAlone';
import { type Difference, differences, previewProducts, previewRow } from './unchanged';

/**
 * Creates or updates the products of all input items in batches. Runs that write one SKU go one after the other.
 *
 * @throws PlatformError if the look-up for Only If Changed or a dry run fails
 */
export async function upsertProducts(call: BulkCall): Promise<void> {
	const { options, report } = call;
	refuseLookAlikes(call);
	if (options.dryRun === true) return await showProducts(call);
	const isShort = call.parameter('simplify', true) !== false;
	const counts = { created: 0, updated: 0, unchanged: 0, unknown: 0 };
	const productDone: ProductDone = (item, record, result) => {
		counts[result ?? 'unknown']++;
		const { sku } = item;
		// Later items of the SKU may be sent alone, and the search may not show the product yet.
		if (result === 'created') noteCreated(call, sku, record);
		const outcome = { ...(result && { result }), ...(result === 'unchanged' && { skipped: true }) };
		if (record === undefined) return call.done([item], { sku, ...outcome, written: true });
		if (!isShort) return call.done([item], { ...record, ...outcome });
		const { id, title, updated_at } = record;
		const updatedAt = updated_at !== undefined && { updated_at };
		call.done([item], { id, sku, title, ...outcome, ...updatedAt });
	};
	const openItems = call.items.filter(({ hasResult }) => !hasResult);
	await withLocks(call, openItems.map(skuLockName), async () => {
		// The comparison waits for earlier runs of the same SKUs: before, it would see the values that they replace.
		const items =
			options.onlyIfChanged === true ? await changedOnly(call, productDone) : call.items;
		await send(call, items, productDone);
	});
	const { created, updated, unchanged, unknown } = counts;
	const unknownText = unknown === 0 ? '' : `, written without saying which: ${counted(unknown)}`;
	if (call.items.length > 1)
		report.hint(
			`Created: ${counted(created)}, updated: ${counted(updated)}, unchanged: ${counted(unchanged)}${unknownText}.`,
		);
}

/**
 * Refuses a row whose SKU differs from an earlier row's by its spelling alone. Sent alone, it would be refused as well.
 */
function refuseLookAlikes({ items, failed }: BulkCall): void {
	const spellings = new Map<string, { sku: string; row: number }>();
	for (const item of items)
		for (const sku of item.skus) {
			const firstSpelling = spellings.get(skuKey(sku)) ?? { sku, row: item.itemIndex + 1 };
			spellings.set(skuKey(sku), firstSpelling);
			if (item.hasResult || firstSpelling.sku === sku) continue;
			const error = new InputError(
				'SKU',
				`“${sku}” is “${firstSpelling.sku}” of row ${firstSpelling.row} in another spelling`,
				'Nothing was sent for it. Whether they are one to the shop is not known: enter the SKU as the shop has it.',
			);
			failed([item], error);
		}
}

/** How a merchant gets batches, for messages. */
const HOW_TO_HAVE_BATCHES =
	'In batches it would be one request for 100 products: the platform announces POST /products/batch in its changelog, and its support can say whether it is open for this API key.';

/** Sends items in batches. Those that batches do not take are sent alone, if the day has enough requests left. */
async function send(
	call: BulkCall,
	items: readonly BulkItem[],
	productDone: ProductDone,
): Promise<void> {
	const { toSendAlone, refusedBatches, takesNone } = await sendBatches(call, items, productDone);
	const itemsAlone = readableItems(toSendAlone, call);
	if (itemsAlone.length === 0 || call.stopped()) return;
	const batches = refusedBatches === 1 ? '1 batch' : `${counted(refusedBatches)} batches`;
	// Without a count, an earlier try of the run was refused.
	const refusal = refusedBatches === 0 ? 'refused a batch with them before' : `refused ${batches}`;
	const reason = takesNone ? 'takes no batches' : refusal;
	const productsText = `${counted(itemsAlone.length)} ${itemsAlone.length === 1 ? 'product' : 'products'}`;
	const budget = call.client.rateLimit();
	// Each item takes a look-up and a write. One with variants or prices also takes a read.
	const requests = itemsAlone.reduce(
		(sum, { fields: { variants, prices } }) => sum + ((variants ?? prices) === undefined ? 2 : 3),
		0,
	);
	const cost = requestCost(requests, budget);
	if (cost.fitsToday) {
		call.report.hint(
			`The platform ${reason}, so ${productsText} will be looked up and written one by one: ${cost.text} ${HOW_TO_HAVE_BATCHES}`,
		);
		return await sendAlone(call, itemsAlone, productDone);
	}
	const error = new InputError(
		'Send One by One',
		`takes up to ${counted(requests)} requests for ${productsText}, and ${counted(budget.dayRemaining ?? 0)} are left of today`,
		`The platform ${reason}. None of these products was sent. Send fewer items, or wait for the next day (UTC). ${HOW_TO_HAVE_BATCHES}`,
	);
	for (const item of itemsAlone) call.failed([item], error);
}

/**
 * What a write would change of its product. An item may hold prices as well: those of the variant that its SKU names.
 */
function* differencesOf(
	{ fields: { sku, prices, ...others } }: BulkItem,
	product: IDataObject,
): Generator<Difference, void> {
	yield* differences(others, product);
	const variant = objectsIn(product.variants).find((entry) => entry.sku === sku);
	// The product's own prices may be something else, such as a range from the lowest to the highest.
	yield* differences(prices, (variant ?? product).prices, 'prices');
}

/** Products by SKU, and the spelling of a SKU that the shop has in another spelling only. */
function productsAndSpellings() {
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
	const source: RecordSource = { ...productsBySku, keysOf };
	const otherSpelling = (sku: string): string | undefined =>
		shopSkus.has(sku) ? undefined : spellings.get(skuKey(sku));
	return { source, otherSpelling };
}

/**
 * Reports unchanged items as done, refuses SKUs that the shop has in another spelling only, and returns the others.
 */
async function changedOnly(call: BulkCall, productDone: ProductDone): Promise<BulkItem[]> {
	const items = readableItems(call.items, call);
	const { source, otherSpelling } = productsAndSpellings();
	const unchanged = await findUnchanged(
		call,
		{
			source,
			keyOf: ({ sku }) => sku,
			isUnchanged: (item, product) => differencesOf(item, product).next().done === true,
		},
		items,
	);
	return items.filter((item) => {
		const product = unchanged.get(item);
		if (product !== undefined) {
			productDone(item, product, 'unchanged');
			return false;
		}
		const shopSku = otherSpelling(item.sku);
		if (shopSku === undefined || item.hasResult) return true;
		call.failed([item], otherSpellingError(item.sku, shopSku));
		return false;
	});
}

/** Does the dry run: shows what would change. */
async function showProducts(call: BulkCall): Promise<void> {
	const { batchSize } = call.options as { batchSize?: number };
	const openItems = call.items.filter(({ hasResult }) => !hasResult);
	const writes = readableItems(openItems, call).map((item) => ({ item }));
	const { source, otherSpelling } = productsAndSpellings();
	const rowOf = ({ item }: { item: BulkItem }, product?: IDataObject) => {
		const shopSku = otherSpelling(item.sku);
		if (shopSku !== undefined)
			return previewRow({ sku: item.sku }, [], `the shop has “${shopSku}”`);
		const { title } = product ?? item.fields;
		const result = product === undefined ? 'would create' : undefined;
		return previewRow({ sku: item.sku, title }, differencesOf(item, product ?? {}), result);
	};
	const sent = await previewProducts(call, writes, rowOf, source);
	const items = sent.map(({ item }) => item).filter(({ sku }) => otherSpelling(sku) === undefined);
	call.report.wouldSend(groupBatches(items, batchSize).flat().length);
}
