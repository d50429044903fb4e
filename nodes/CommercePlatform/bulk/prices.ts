import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, settled } from '../../shared/errors/errors';
import type { BatchCall } from '../run/operation';
import { take } from '../run/lock';
import {
	changesNothing,
	type CurrentProduct,
	mergedRequest,
	mergeVariants,
	readProduct,
	writeMerged,
} from './merge';
import { findCurrent } from './find';
import { inParallel } from '../run/pool';
import {
	lastPrices,
	placeOf,
	priceChange,
	priceIn,
	resultOf,
	supersededPrices,
	type PriceChange,
} from './priceChange';
import { productsBySku } from './products';
import { costText, requestCost } from './requestCost';
import { withSkuTurns } from './skuTurns';

/** What the user chose for the whole run. */
interface SetPricesOptions {
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
	const changes = call.items.map(priceChange);
	if (options.dryRun) return showPrices(call, changes);
	const superseded = supersededPrices(changes);
	if (superseded > 0) {
		call.report.hint(
			`Items whose SKU and currency a later item names again: ${superseded}. The last one counts.`,
		);
	}
	const open = changes.filter(({ item }) => !item.isDone);
	const items = open.map(({ item }) => item);
	await withSkuTurns(call, items, async (inTurn, turns) => {
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
	const differing: string[] = [];
	let done = 0;
	await inParallel(
		products,
		call.client.options.maxInFlight,
		async (product) => {
			await priceProduct(call, product, options, differing);
			done += product.changes.length;
			call.report.progress(done, open.length, 'prices');
		},
		() => call.stopped(),
	);
	if (differing.length > 0)
		call.report.hint(
			`Prices that the platform’s answer shows otherwise than they were written: ${differing.length}. The first: ${differing[0]}. Such items have “written”.`,
		);
}

async function priceProduct(
	call: BatchCall,
	product: PricedProduct,
	{ onlyIfChanged }: SetPricesOptions,
	differing: string[],
): Promise<void> {
	if (onlyIfChanged && changesNothing(product.record.variants, lastPrices(product.changes)))
		return skip(call, product);
	const path = expandPath(PATH, { productId: product.id });
	const turn = take([`${call.client.credentialId} ${path}`]);
	await turn.ready;
	const written = await settled(writePrices(call, product, onlyIfChanged, differing));
	turn.release();
	if (written.status === 'fulfilled') return;
	for (const { item } of product.changes) call.failed([item], written.reason);
}

/**
 * Reads and writes one product. Says of each item what became of it, but for what fails them all.
 *
 * @param differing takes the prices that the answer shows otherwise than they were written, in words
 */
async function writePrices(
	call: BatchCall,
	product: PricedProduct,
	onlyIfChanged: boolean,
	differing: string[],
): Promise<void> {
	const first = await readProduct(call.client, product.id);
	const changes = certainChanges(call, product, first);
	if (changes.length === 0 || call.stopped()) return;
	const named = lastPrices(changes);
	const certain = { ...product, record: first.product, changes };
	if (onlyIfChanged && changesNothing(first.product.variants, named)) return skip(call, certain);
	const items = changes.map(({ item }) => item);
	const write = async (current: CurrentProduct, attempt: number) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused(items);
		return await call.send(mergedRequest(patchOf(product), current, 'SKU', named), items);
	};
	const read = async () => await readProduct(call.client, product.id);
	const { record } = await writeMerged(first, read, write);
	const last = new Map(changes.map((change) => [placeOf(change), change.amount]));
	for (const change of changes) {
		const { sku, currency } = change;
		const result = resultOf(change, certain, record);
		const written = last.get(placeOf(change)) ?? change.amount;
		const isShown = priceIn(record, change) !== undefined;
		if (!isShown || result.amount === written) {
			call.done([change.item], result);
			continue;
		}
		differing.push(`SKU “${sku}” has ${String(result.amount)} and not ${written} in ${currency}`);
		call.done([change.item], { ...result, written });
	}
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
			call.failed([change.item], error);
			return false;
		}
	});
}

function skip(call: BatchCall, product: PricedProduct): void {
	for (const change of product.changes)
		call.done([change.item], { ...resultOf(change, product), skipped: true });
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
	for (const { item, sku, amount, currency } of changes) {
		call.done([item], {
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

/** A product with all that the input items say of its variants. */
interface PricedProduct {
	id: string;
	/** As it was found. */
	record: IDataObject;
	/** In input order. */
	changes: PriceChange[];
}

/**
 * Finds the products of some SKUs, by a walk through the list or SKU by SKU, whichever is fewer requests. Items whose
 * SKU names no product, or several, fail.
 *
 * @returns each product once, in the order in which the items first name them
 * @throws PlatformError
 */
async function productsToPrice(
	call: BatchCall,
	changes: readonly PriceChange[],
): Promise<PricedProduct[]> {
	const found = new Map<string, Map<string, IDataObject>>();
	const wanted = new Set(changes.map(({ sku }) => sku));
	await findCurrent(call, productsBySku, wanted, (record, skus) => {
		if (typeof record.id !== 'string') return;
		for (const sku of skus)
			found.set(sku, (found.get(sku) ?? new Map<string, IDataObject>()).set(record.id, record));
	});
	const products = new Map<string, PricedProduct>();
	for (const change of changes) {
		const [first, ...others] = found.get(change.sku) ?? [];
		if (first === undefined || others.length > 0) {
			call.failed([change.item], notOne(change.sku, others.length + 1, first !== undefined));
			continue;
		}
		const [id, record] = first;
		const product = products.get(id) ?? { id, record, changes: [] };
		product.changes.push(change);
		products.set(id, product);
	}
	return [...products.values()];
}

const notOne = (sku: string, count: number, isKnown: boolean) =>
	isKnown
		? new InputError(
				'SKU',
				`“${sku}” names ${count} products`,
				'No price was set for it. Use Update.',
			)
		: new InputError(
				'SKU',
				`“${sku}” names no variant of any product`,
				'No price was set for it. Check the SKU, upper and lower case included.',
			);
