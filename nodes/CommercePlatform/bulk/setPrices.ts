import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { settled } from '../../shared/errors/errors';
import type { BatchCall } from '../engine/batchCall';
import { take } from '../run/lock';
import { changesNothing, mergeVariants } from '../merge/mergeVariants';
import { mergedRequest, readProduct, writeMerged, type CurrentProduct } from '../merge/mergeWrite';
import { inParallel } from '../run/pool';
import {
	lastPrices,
	priceChange,
	resultOf,
	supersededPrices,
	type PriceChange,
} from './priceChange';
import { productsToPrice, type PricedProduct } from './productsToPrice';
import { costText, requestCost } from './requestCost';
import { withSkuTurns } from './skuTurns';

/** What the user chose for the whole run. */
export interface SetPricesOptions {
	onlyIfChanged: boolean;
	dryRun: boolean;
}

/** Requests for one SKU at most: to find its product, to read it, to write it. */
const MAX_REQUESTS_PER_SKU = 3;

const PATH = '/products/{productId}';

/**
 * Sets the prices of all input items: each product is read once and written once, with all that the items say of its
 * variants. Where two items name the same SKU and currency, the later one counts. Of several runs that write a SKU
 * each one waits for those before it.
 *
 * @throws PlatformError where the products cannot be looked up
 */
export async function setPrices(call: BatchCall, options: SetPricesOptions): Promise<void> {
	const changes = Array.from(call.entries, priceChange);
	if (options.dryRun) return showPrices(call, changes);
	const superseded = supersededPrices(changes);
	if (superseded > 0) {
		call.report.hint(
			`Items whose SKU and currency a later item names again: ${superseded}. The last one counts.`,
		);
	}
	const open = changes.filter(({ itemIndex }) => !call.wasDone(itemIndex));
	const skus: string[] = [];
	for (const { itemIndex, sku } of open) skus[itemIndex] = sku;
	await withSkuTurns(call, skus, async (inTurn, turns) => {
		await turns.come();
		await priceAll(inTurn, open, options);
	});
}

async function priceAll(
	call: BatchCall,
	open: readonly PriceChange[],
	options: SetPricesOptions,
): Promise<void> {
	const products = await productsToPrice(call, open);
	let done = 0;
	await inParallel(
		products,
		call.client.options.maxInFlight,
		async (product) => {
			await priceProduct(call, product, options);
			done += product.changes.length;
			call.report.progress(done, open.length, 'prices');
		},
		() => call.stopped(),
	);
}

async function priceProduct(
	call: BatchCall,
	product: PricedProduct,
	{ onlyIfChanged }: SetPricesOptions,
): Promise<void> {
	if (onlyIfChanged && changesNothing(product.record.variants, lastPrices(product.changes)))
		return skip(call, product);
	const path = expandPath(PATH, { productId: product.id });
	const turn = take([`${call.client.credentialId} ${path}`]);
	await turn.ready;
	const written = await settled(writePrices(call, product, onlyIfChanged));
	turn.release();
	if (written.status === 'fulfilled') return;
	for (const { itemIndex } of product.changes) call.failed([itemIndex], written.reason);
}

/** Reads and writes one product. Says of each item what became of it, but for what fails them all. */
async function writePrices(
	call: BatchCall,
	product: PricedProduct,
	onlyIfChanged: boolean,
): Promise<void> {
	const first = await readProduct(call.client, product.id);
	const changes = certainChanges(call, product, first);
	if (changes.length === 0 || call.stopped()) return;
	const named = lastPrices(changes);
	const certain = { ...product, record: first.product, changes };
	if (onlyIfChanged && changesNothing(first.product.variants, named)) return skip(call, certain);
	const itemIndexes = changes.map(({ itemIndex }) => itemIndex);
	const write = async (current: CurrentProduct, attempt: number) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused(itemIndexes);
		return await call.send(mergedRequest(patchOf(product), current, 'SKU', named), itemIndexes);
	};
	const read = async () => await readProduct(call.client, product.id);
	const { record } = await writeMerged(first, read, write);
	for (const change of changes) call.done([change.itemIndex], resultOf(change, certain, record));
}

/** What can be merged for certain; the other items fail by themselves. */
function certainChanges(
	call: BatchCall,
	{ changes }: PricedProduct,
	{ product }: CurrentProduct,
): PriceChange[] {
	return changes.filter((change) => {
		try {
			mergeVariants('SKU', product.variants, lastPrices([change]));
			return true;
		} catch (error) {
			call.failed([change.itemIndex], error);
			return false;
		}
	});
}

function skip(call: BatchCall, product: PricedProduct): void {
	for (const change of product.changes)
		call.done([change.itemIndex], { ...resultOf(change, product), skipped: true });
}

const patchOf = ({ id }: PricedProduct): PlatformRequest => ({
	method: 'PATCH',
	path: PATH,
	pathParams: { productId: id },
});

/** What would be sent, as items. Nothing is looked up, so how many products it are is not known. */
function showPrices(call: BatchCall, changes: PriceChange[]): void {
	const skus = new Set(changes.map(({ sku }) => sku)).size;
	const cost = requestCost(skus * MAX_REQUESTS_PER_SKU, call.client.rateLimit());
	for (const { itemIndex, sku, amount, currency } of changes) {
		call.done([itemIndex], {
			dryRun: true,
			method: 'PATCH',
			path: PATH,
			sku,
			amount,
			currency,
			cost: cost as unknown as IDataObject,
		});
	}
	call.report.hint(
		`Dry run: nothing was sent. At most, with each SKU in a product of its own, it would be ${costText(cost)}`,
	);
}
