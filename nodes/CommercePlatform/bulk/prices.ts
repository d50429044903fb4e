import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, settled } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { type HeldItem, holdFields } from '../run/heldItem';
import { take } from '../run/lock';
import type { BatchCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { findRecords } from './find';
import {
	changesNothing,
	currencyKey,
	type CurrentProduct,
	mergedRequest,
	mergeVariants,
	readProduct,
	writeMerged,
} from './merge';
import { inSkuOrder, productsBySku } from './products';
import { costText, requestCost } from './requestCost';
import { previewRow } from './unchanged';

/** What the user chose for the whole run. */
interface SetPricesOptions {
	onlyIfChanged: boolean;
	dryRun: boolean;
}

/** What one input item says: a variant's price in one currency. */
interface PriceChange {
	item: HeldItem;
	sku: string;
	currency: string;
	/** Minor units. Of two items for one SKU and currency, both have the amount of the later one. */
	amount: number;
}

/** A product with all that the input items say of its variants. */
interface PricedProduct {
	id: string;
	/** As it was found. */
	record: IDataObject;
	/** In input order. */
	changes: PriceChange[];
}

const PATH = '/products/{productId}';

/** To read a product, and to write it. */
const REQUESTS_PER_PRODUCT = 2;

/**
 * Sets the prices of all input items: each product is read once and written once, with all that the items say of its
 * variants. Where two items name the same SKU and currency, the later one counts. Of several runs that write a SKU
 * each one waits for those before it.
 *
 * @throws PlatformError where the products cannot be looked up
 */
export async function setPrices(call: BatchCall, options: SetPricesOptions): Promise<void> {
	const changes = changesOf(call);
	if (options.dryRun) return await showPrices(call, changes);
	const open = changes.filter(({ item }) => !item.isDone);
	const items = open.map(({ item }) => item);
	await inSkuOrder(call, items, async () => {
		const products = await productsToPrice(call, open, ({ item, sku }, count) => {
			const names = count === 0 ? 'no variant of any product' : `${count} products`;
			const remedy = count === 0 ? 'Check the SKU, upper and lower case included.' : 'Use Update.';
			const error = new InputError(
				'SKU',
				`“${sku}” names ${names}`,
				`No price was set for it. ${remedy}`,
			);
			call.failed([item], error);
		});
		const differing: string[] = [];
		let done = 0;
		await inParallel(
			products,
			call.client.options.maxInFlight,
			async (product) => {
				await priceProduct(call, product, options.onlyIfChanged, differing);
				done += product.changes.length;
				call.report.progress(done, open.length, 'prices');
			},
			() => call.stopped(),
		);
		if (differing.length > 0)
			call.report.hint(
				`Prices that the platform’s answer shows otherwise than they were written: ${differing.length}. The first: ${differing[0]}. Such items have “written”.`,
			);
	});
}

/** The prices of all items. */
function changesOf(call: BatchCall): PriceChange[] {
	const last = new Map<string, number>();
	const changes = holdFields(call.items, call).map((item) => {
		const { sku, fields } = item;
		const { amount, currency } = fields as { amount: number; currency: string };
		last.set(JSON.stringify([sku, currency]), amount);
		return { item, sku, amount, currency };
	});
	if (last.size < changes.length)
		call.report.hint(
			`Items whose SKU and currency a later item names again: ${changes.length - last.size}. The last one counts.`,
		);
	for (const change of changes)
		change.amount = last.get(JSON.stringify([change.sku, change.currency])) ?? change.amount;
	return changes;
}

/** The changes as variants to merge. */
function variantsOf(changes: readonly PriceChange[]): IDataObject[] {
	const bySku = new Map<string, Map<string, number>>();
	for (const { sku, amount, currency } of changes)
		bySku.set(sku, (bySku.get(sku) ?? new Map<string, number>()).set(currency, amount));
	return [...bySku].map(([sku, prices]) => ({
		sku,
		prices: [...prices].map(([currency, amount]) => ({ amount, currency })),
	}));
}

async function priceProduct(
	call: BatchCall,
	product: PricedProduct,
	onlyIfChanged: boolean,
	differing: string[],
): Promise<void> {
	const isSame = changesNothing(product.record.variants, variantsOf(product.changes));
	if (onlyIfChanged && isSame) return skip(call, product);
	const path = expandPath(PATH, { productId: product.id });
	const lock = take([`${call.client.credentialId} ${path}`]);
	await lock.ready;
	const written = await settled(writePrices(call, product, onlyIfChanged, differing));
	lock.release();
	if (written.status === 'rejected')
		for (const { item } of product.changes) call.failed([item], written.reason);
}

/**
 * Reads and writes one product. Says of each item what became of it, but for what fails them all.
 *
 * @param differing takes the prices that the answer shows otherwise than they were written, in words
 */
async function writePrices(
	call: BatchCall,
	{ id, ...product }: PricedProduct,
	onlyIfChanged: boolean,
	differing: string[],
): Promise<void> {
	const read = async () => await readProduct(call.client, id);
	const first = await read();
	const changes = product.changes.filter((change) => isCertain(call, change, first));
	if (changes.length === 0 || call.stopped()) return;
	const named = variantsOf(changes);
	const current: PricedProduct = { id, record: first.product, changes };
	if (onlyIfChanged && changesNothing(first.product.variants, named)) return skip(call, current);
	const items = changes.map(({ item }) => item);
	const patch: PlatformRequest = { method: 'PATCH', path: PATH, pathParams: { productId: id } };
	const { record } = await writeMerged(first, read, async (latest, attempt) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused(items);
		return await call.send(mergedRequest(patch, latest, 'SKU', named), items);
	});
	for (const change of changes) {
		const { sku, currency, amount: written } = change;
		const amount = priceIn(record, change)?.amount ?? written;
		const isOther = amount !== written;
		if (isOther)
			differing.push(`SKU “${sku}” has ${String(amount)} and not ${written} in ${currency}`);
		const result = resultOf(change, current, amount);
		call.done([change.item], isOther ? { ...result, written } : result);
	}
}

/** Whether a change can be merged for certain; if not, its item fails by itself. */
function isCertain(call: BatchCall, change: PriceChange, { product }: CurrentProduct): boolean {
	try {
		mergeVariants('SKU', product.variants, variantsOf([change]));
		return true;
	} catch (error) {
		call.failed([change.item], error);
		return false;
	}
}

function skip(call: BatchCall, product: PricedProduct): void {
	for (const change of product.changes)
		call.done([change.item], { ...resultOf(change, product, change.amount), skipped: true });
}

/** What an item gives: the price as it is now, and as it was. */
function resultOf(
	change: PriceChange,
	{ id, record }: PricedProduct,
	amount: unknown,
): IDataObject {
	const { sku, currency } = change;
	return {
		sku,
		amount,
		currency,
		previous: amountIn(record, change),
		productId: id,
		productTitle: typeof record.title === 'string' ? record.title : null,
	} as IDataObject;
}

/** The price of a change in a product; null where it has none. */
function amountIn(product: IDataObject, change: PriceChange): IDataObject | null {
	const price = priceIn(product, change);
	return price === undefined ? null : { amount: price.amount, currency: change.currency };
}

function priceIn(
	product: IDataObject | undefined,
	{ sku, currency }: Pick<PriceChange, 'sku' | 'currency'>,
): IDataObject | undefined {
	const variant = find(product?.variants, (one) => one.sku === sku);
	return find(variant?.prices, (one) => currencyKey(one.currency) === currency);
}

function find(list: unknown, isMeant: (one: IDataObject) => boolean): IDataObject | undefined {
	if (!Array.isArray(list)) return undefined;
	return list.find((one): one is IDataObject => isObject(one) && isMeant(one));
}

/** Shows what would change. */
async function showPrices(call: BatchCall, changes: readonly PriceChange[]): Promise<void> {
	let writes = 0;
	const products = await productsToPrice(call, changes, ({ item, sku }, count) => {
		const result = count === 0 ? 'unknown SKU' : `names ${count} products`;
		call.done([item], previewRow({ sku }, [], result));
	});
	for (const { record, changes: ofProduct } of products) {
		if (!changesNothing(record.variants, variantsOf(ofProduct))) writes++;
		for (const change of ofProduct) {
			const { item, sku, amount, currency } = change;
			const old = amountIn(record, change);
			const price = { field: 'price', old, new: { amount, currency } };
			const differing = old?.amount === amount ? [] : [price];
			call.done([item], previewRow({ sku, title: record.title }, differing));
		}
	}
	const cost = requestCost(writes * REQUESTS_PER_PRODUCT, call.client.rateLimit());
	call.report.hint(`Dry run: nothing was written. It would be ${costText(cost)}`);
}

/**
 * Finds the products of some SKUs.
 *
 * @param notOne takes the changes whose SKU names no product, or several, with their number
 * @returns each product once, in the order in which the items first name them
 * @throws PlatformError
 */
async function productsToPrice(
	call: BatchCall,
	changes: readonly PriceChange[],
	notOne: (change: PriceChange, count: number) => void,
): Promise<PricedProduct[]> {
	const skus = changes.map(({ sku }) => sku);
	const found = await findRecords(call, productsBySku, skus);
	const products = new Map<string, PricedProduct>();
	for (const change of changes) {
		const records = (found.get(change.sku) ?? []).filter(({ id }) => typeof id === 'string');
		if (records.length !== 1) {
			notOne(change, records.length);
			continue;
		}
		const [record] = records;
		const id = String(record.id);
		const product = products.get(id) ?? { id, record, changes: [] };
		product.changes.push(change);
		products.set(id, product);
	}
	return [...products.values()];
}
