import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { type BulkItem, readableItems } from '../run/bulkItem';
import type { BulkCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { findRecords } from '../run/findRecords';
import { changesNothing, currencyKey, writeMergedFor } from './merge';
import {
	withLocks,
	objectsIn,
	productLockName,
	productsBySku,
	productUpdate,
	skuLockName,
} from './products';
import { previewProducts, previewRow } from './unchanged';

/** A variant's price in one currency. */
interface Price {
	sku: string;
	/** Minor units. */
	amount: number;
	currency: string;
}

/** What an input item says. Items that name one SKU and currency share the price, which is that of the last one. */
interface PriceChange {
	item: BulkItem;
	price: Price;
}

/** A product as it was found, with all that the input items say of its variants, in input order. */
interface PricedProduct {
	record: IDataObject;
	changes: PriceChange[];
}

/** To read a product, and to write it. */
const REQUESTS_PER_PRODUCT = 2;

/**
 * Sets the prices of all input items: each product is read once and written once, with all that the items say of its
 * variants. Where two items name the same SKU and currency, the later one counts. Of several runs that write a SKU
 * each one waits for those before it.
 *
 * @throws PlatformError where the products cannot be looked up
 */
export async function setPrices(call: BulkCall): Promise<void> {
	const changes = changesOf(call);
	if (call.options.dryRun === true) return await showPrices(call, changes);
	const open = changes.filter(({ item }) => !item.hasResult);
	const locks = open.map(({ item }) => skuLockName(item));
	await withLocks(call, locks, async () => {
		let done = 0;
		await inParallel(
			await productsToPrice(call, open),
			call.client.options.maxInFlight,
			async (product) => {
				await priceProduct(call, product);
				done += product.changes.length;
				call.report.progress(done, open.length, 'prices');
			},
			() => call.stopped(),
		);
	});
}

/** The prices of all items. */
function changesOf(call: BulkCall): PriceChange[] {
	const prices = new Map<string, Price>();
	return readableItems(call.items, call).map((item) => {
		const { sku, amount, currency } = item.fields as unknown as Price;
		const name = JSON.stringify([sku, currency]);
		const price = prices.get(name) ?? { sku, amount, currency };
		price.amount = amount;
		prices.set(name, price);
		return { item, price };
	});
}

/**
 * Finds the products of some prices. What names no product, or several, fails.
 *
 * @returns each product once, in the order in which the items first name them
 * @throws PlatformError
 */
async function productsToPrice(
	call: BulkCall,
	changes: readonly PriceChange[],
): Promise<Iterable<PricedProduct>> {
	const skus = changes.map(({ price }) => price.sku);
	const productsWithSku = await findRecords(call, productsBySku, skus);
	const products = new Map<unknown, PricedProduct>();
	for (const change of changes) {
		const { sku } = change.price;
		const records = (productsWithSku.get(sku) ?? []).filter(({ id }) => typeof id === 'string');
		if (records.length === 1) {
			const [record] = records;
			const product = products.get(record.id) ?? { record, changes: [] };
			product.changes.push(change);
			products.set(record.id, product);
			continue;
		}
		const names = records.length === 0 ? 'no variant of any product' : `${records.length} products`;
		const error = new InputError(
			'SKU',
			`“${sku}” names ${names}`,
			'No price was set for it. Check the SKU, upper and lower case included, or use Update.',
		);
		call.failed([change.item], error);
	}
	return products.values();
}

/** Reads and writes one product, unless Only If Changed leaves it out. */
async function priceProduct(call: BulkCall, { record, changes }: PricedProduct): Promise<void> {
	const prices = new Set(changes.map(({ price }) => price));
	const named = [...prices].map(({ sku, ...price }) => ({ sku, prices: [price] }));
	if (call.options.onlyIfChanged === true && changesNothing(record.variants, named)) {
		for (const { item, price } of changes)
			call.done([item], { ...resultOf(price, record), skipped: true });
		return;
	}
	const id = String(record.id);
	const items = changes.map(({ item }) => item);
	const write = async () => await writeMergedFor(call, items, productUpdate(id), named);
	let written: Awaited<ReturnType<typeof write>>;
	try {
		written = await withLocks(call, [productLockName(id)], write);
	} catch (error) {
		for (const item of items) call.failed([item], error);
		return;
	}
	const { before, answer } = written;
	for (const { item, price } of changes) {
		const result = resultOf(price, before);
		if (result.previous === null) hintAdded(call, price, before);
		const answeredPrice = priceIn(answer.record, price);
		const answeredAmount =
			answeredPrice === undefined ? price.amount : (answeredPrice?.amount ?? null);
		const isOther = answeredAmount !== price.amount;
		if (isOther)
			call.report.hint(
				'The platform’s answer to Set Prices shows other prices than were written. Such items have “written”.',
			);
		call.done(
			[item],
			isOther ? { ...result, amount: answeredAmount, written: price.amount } : result,
		);
	}
}

/** What an item gives: the price as it is now, and as it was. */
const resultOf = (price: Price, before: IDataObject): IDataObject => ({
	...price,
	previous: priceIn(before, price) ?? null,
	productId: before.id,
	productTitle: typeof before.title === 'string' ? before.title : null,
});

/** Says that a variant had no price in this currency, which may have been mistyped. */
function hintAdded(call: BulkCall, { sku, currency }: Price, before: IDataObject): void {
	const variant = objectsIn(before.variants).find((entry) => entry.sku === sku);
	const others = objectsIn(variant?.prices).map((price) => currencyKey(price.currency));
	if (others.length > 0) call.report.hint(`${currency} was added; it had ${others.join(', ')}.`);
}

/** A price as a product shows it: null if it has none, undefined if its prices are not shown. */
function priceIn(product: IDataObject | undefined, { sku, currency }: Price) {
	const variant = objectsIn(product?.variants).find((entry) => entry.sku === sku);
	if (!Array.isArray(variant?.prices)) return undefined;
	const price = objectsIn(variant.prices).find((entry) => currencyKey(entry.currency) === currency);
	return price === undefined ? null : { amount: price.amount, currency };
}

/** Shows what would change. */
async function showPrices(call: BulkCall, changes: readonly PriceChange[]): Promise<void> {
	const sent = await previewProducts(call, changes, ({ price }, product) => {
		const { sku, ...entered } = price;
		if (product === undefined) return previewRow({ sku }, [], 'unknown SKU');
		const old = priceIn(product, price) ?? null;
		const isSame = old?.amount === price.amount;
		const differing = isSame ? [] : [{ field: 'price', old, new: entered }];
		return previewRow({ sku, title: product.title }, differing);
	});
	const products = new Set(sent.flatMap(({ product }) => product?.id ?? []));
	call.report.wouldSend(products.size * REQUESTS_PER_PRODUCT);
}
