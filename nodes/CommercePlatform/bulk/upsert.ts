import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { type HeldItem, holdFields } from '../run/heldItem';
import type { BatchCall } from '../run/operation';
import { type BatchLimits, groupBatches, sendBatches } from './batches';
import { findRecords } from './find';
import {
	inSkuOrder,
	productsBySku,
	type TakeProduct,
	type UpsertResult,
	without,
} from './products';
import { counted, costText, requestCost } from './requestCost';
import { sendSingles, singleRequests } from './singles';
import { type Difference, differences, findUnchanged, previewRow } from './unchanged';

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
 * @throws PlatformError where the look-up for Only If Changed or a dry run fails
 */
export async function upsertProducts(call: BatchCall, options: UpsertOptions): Promise<void> {
	if (options.dryRun) return await showProducts(call, options);
	const counts = { created: 0, updated: 0, unchanged: 0, unknown: 0 };
	const done: TakeProduct = (item, record, result) => {
		counts[result ?? 'unknown']++;
		call.done([item], outputOf(item.sku, options.simplify, record, result));
	};
	const open = call.items.filter(({ isDone }) => !isDone);
	await inSkuOrder(call, open, async () => {
		// What an earlier run is about to write is not compared with what is there before.
		const items = options.onlyIfChanged ? await changedOnly(call, done) : call.items;
		await send(call, items, options, done);
	});
	const { created, updated, unchanged, unknown } = counts;
	const more = unknown === 0 ? '' : `, written without saying which: ${counted(unknown)}`;
	if (call.items.length > 1)
		call.report.hint(
			`Created: ${counted(created)}, updated: ${counted(updated)}, unchanged: ${counted(unchanged)}${more}.`,
		);
}

function outputOf(
	sku: string,
	isShort: boolean,
	record?: IDataObject,
	result?: UpsertResult,
): IDataObject {
	const known = { ...(result && { result }), ...(result === 'unchanged' && { skipped: true }) };
	if (record === undefined) return { sku, ...known, written: true };
	if (!isShort) return { ...record, ...known };
	const { id, title, updated_at } = record;
	return { id, sku, title, ...known, ...(updated_at !== undefined && { updated_at }) };
}

/** How a merchant comes to batches. */
const HOW_TO_HAVE_BATCHES =
	'In batches it would be one request for 100 products: the platform announces POST /products/batch in its changelog, and its support can say whether it is open for this API key.';

async function send(
	call: BatchCall,
	items: readonly HeldItem[],
	{ limits, ifBatchNotAvailable }: UpsertOptions,
	done: TakeProduct,
): Promise<void> {
	const keepRefused = ifBatchNotAvailable === 'single';
	const { left: notTaken, refused } = await sendBatches(call, items, limits, keepRefused, done);
	const left = holdFields(notTaken, call);
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
	await sendSingles(call, left, done);
}

/** What an operation would change of its product; it may also hold the prices of the variant that its SKU names. */
function* differencesOf(
	{ sku, fields }: HeldItem,
	product: IDataObject,
): Generator<Difference, void> {
	yield* differences(without(fields, ['sku', 'prices']), product);
	const variants: unknown[] = Array.isArray(product.variants) ? product.variants : [];
	const variant = (variants as IDataObject[]).find((one) => one?.sku === sku);
	const { prices } = product.prices === undefined ? (variant ?? {}) : product;
	yield* differences({ prices: fields.prices }, { prices });
}

/** Marks what has its values already, and gives the rest. */
async function changedOnly(call: BatchCall, done: TakeProduct): Promise<HeldItem[]> {
	const items = holdFields(call.items, call);
	const writes = items.map((item) => ({
		itemIndex: item.itemIndex,
		key: item.sku,
		isUnchanged: (product: IDataObject) => differencesOf(item, product).next().done === true,
	}));
	const unchanged = await findUnchanged(call, productsBySku, writes);
	return items.filter((item) => {
		const product = unchanged.get(item.itemIndex);
		if (product !== undefined) done(item, product, 'unchanged');
		return product === undefined;
	});
}

/** Shows what would change. */
async function showProducts(
	call: BatchCall,
	{ limits, onlyIfChanged }: UpsertOptions,
): Promise<void> {
	const items = holdFields(call.items, call);
	const skus = items.map(({ sku }) => sku);
	const found = await findRecords(call, productsBySku, skus);
	const rows = items.map((item) => rowOf(item, found.get(item.sku) ?? []));
	const isSent = (at: number) => !onlyIfChanged || rows[at].result !== 'no change';
	const batches = groupBatches(
		items.filter((_, at) => isSent(at)),
		limits,
	);
	const cost = requestCost(batches.length, call.client.rateLimit());
	call.report.hint(`Dry run: nothing was written. It would be ${costText(cost)}`);
	items.forEach((item, at) => call.done([item], rows[at]));
}

function rowOf(item: HeldItem, [product, ...others]: readonly IDataObject[]): IDataObject {
	const { sku, fields } = item;
	if (others.length > 0) return previewRow({ sku }, [], `names ${others.length + 1} products`);
	if (product !== undefined)
		return previewRow({ sku, title: product.title }, differencesOf(item, product));
	return previewRow({ sku, title: fields.title }, differencesOf(item, {}), 'would create');
}
