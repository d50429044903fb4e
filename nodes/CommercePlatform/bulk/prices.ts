import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import type { BatchCall } from '../run/operation';
import type { HeldItem } from '../run/all';
import { take } from '../run/lock';
import { changesNothing, mergeVariants } from '../merge/mergeVariants';
import { mergedRequest, readProduct, writeMerged, type CurrentProduct } from '../merge/mergeWrite';
import { findCurrent } from './findCurrent';
import { inParallel } from '../run/pool';
import { productsBySku } from './products';
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
	for (const { item } of product.changes) call.failed([item], written.reason);
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
	const items = changes.map(({ item }) => item);
	const write = async (current: CurrentProduct, attempt: number) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused(items);
		return await call.send(mergedRequest(patchOf(product), current, 'SKU', named), items);
	};
	const read = async () => await readProduct(call.client, product.id);
	const { record } = await writeMerged(first, read, write);
	for (const change of changes) call.done([change.item], resultOf(change, certain, record));
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

/** What one input item says: a variant's price in one currency. */
interface PriceChange {
	item: HeldItem;
	sku: string;
	/** Minor units. */
	amount: number;
	currency: string;
}

/** The price of an input item. Its fields have been read already. */
function priceChange(item: HeldItem): PriceChange {
	const { amount, currency } = item.fields as { amount: number; currency: string };
	return { item, sku: item.sku, amount, currency };
}

const placeOf = ({ sku, currency }: PriceChange) => JSON.stringify([sku, currency]);

/** How many changes a later one takes the place of. */
const supersededPrices = (changes: readonly PriceChange[]) =>
	changes.length - new Set(changes.map(placeOf)).size;

/** The changes as variants to merge, in input order; of two for one SKU and currency the last. */
function lastPrices(changes: readonly PriceChange[]): IDataObject[] {
	const bySku = new Map<string, Map<string, number>>();
	for (const { sku, amount, currency } of changes) {
		const prices = bySku.get(sku) ?? new Map<string, number>();
		bySku.set(sku, prices.set(currency, amount));
	}
	return [...bySku].map(([sku, prices]) => ({
		sku,
		prices: [...prices].map(([currency, amount]) => ({ amount, currency })),
	}));
}

/**
 * What an item gives: the price as it is now, and as it was.
 *
 * @param product as it was before
 * @param written as the platform answered the write, where it did
 */
function resultOf(
	change: PriceChange,
	{ id, record }: { id: string; record: IDataObject },
	written?: IDataObject,
): IDataObject {
	const { sku, currency, amount } = change;
	const now = priceIn(written, change) ?? { amount };
	return {
		sku,
		amount: now.amount,
		currency,
		previous: amountOf(priceIn(record, change), currency),
		productId: id,
		productTitle: typeof record.title === 'string' ? record.title : null,
	};
}

const amountOf = (price: IDataObject | undefined, currency: string) =>
	price === undefined ? null : { amount: price.amount, currency };

function priceIn(
	product: IDataObject | undefined,
	{ sku, currency }: PriceChange,
): IDataObject | undefined {
	const variant = find(product?.variants, (one) => one.sku === sku);
	return find(variant?.prices, (one) => String(one.currency).toUpperCase() === currency);
}

function find(list: unknown, isMeant: (one: IDataObject) => boolean): IDataObject | undefined {
	if (!Array.isArray(list)) return undefined;
	return list.find((one): one is IDataObject => isObject(one) && isMeant(one));
}
