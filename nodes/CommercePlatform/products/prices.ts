import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import type { BulkCall, BulkItem } from '../runner/operation';
import { inParallel } from '../runner/lock';
import { counted } from '../runner/report';
import { findRecords } from '../runner/lookup';
import { changesNothing, currencyKey, writeMergedFor } from './merge';
import {
	objectsIn,
	productLockName,
	productsBySku,
	productUpdate,
	skuLockName,
	withLocks,
} from './products';
import { previewRow } from './unchanged';

/** A variant's price in one currency. */
interface Price {
	sku: string;
	/** Minor units. */
	amount: number;
	currency: string;
}

/**
 * The price that an input item sets. Items with the same SKU and currency share one price, which is that of the last
 * item.
 */
interface PriceChange {
	item: BulkItem;
	price: Price;
}

/** A product as the look-up gave it, and what all input items change of its variants, in input order. */
interface PricedProduct {
	record: IDataObject;
	changes: PriceChange[];
}

/** At most: one to read the product once more, one to write it. */
const REQUESTS_PER_PRODUCT = 2;

/**
 * Sets the prices of all input items. Each product is read once and written once, with the prices of all its variants
 * together, unless it has them already. If two items name the same SKU and currency, the later one counts. Runs that
 * write one SKU go one after the other.
 *
 * @throws PlatformError if the products cannot be looked up
 */
export async function writePrices(bulkCall: BulkCall): Promise<void> {
	const call = { ...bulkCall, options: { onlyIfChanged: true, ...bulkCall.options } };
	const changes = readPriceChanges(call);
	for (const { item, price } of changes)
		if (price.amount === 0) call.report.tellOfRow('Price of 0:', item.row);
	if (call.options.dryRun === true) return await showPrices(call, changes);
	const openChanges = changes.filter(({ item }) => !item.hasResult);
	const replaced: Replaced[] = [];
	const lockNames = openChanges.map(({ item }) => skuLockName(item));
	await withLocks(call, lockNames, async () => {
		let doneCount = 0;
		await inParallel(
			await productsToPrice(call, openChanges),
			call.client.options.maxInFlight,
			async (product) => {
				await priceProduct(call, product, replaced);
				doneCount += product.changes.length;
				call.report.progress(doneCount, openChanges.length, 'prices');
			},
			() => call.stopped(),
		);
	});
	hintAtOldPrices(call, replaced);
}

/** A new price, and the amount that it replaces. Minor units. */
interface Replaced {
	amount: number;
	old: unknown;
}

/** Tells if prices were so already, or if most are exactly 100 times the old ones: euros taken for cents. */
function hintAtOldPrices({ report }: BulkCall, replaced: readonly Replaced[]): void {
	const total = counted(replaced.length);
	const same = replaced.filter(({ amount, old }) => amount === old).length;
	if (same > 0) report.hint(`${counted(same)} of ${total} prices were so already.`);
	const large = replaced.filter(({ amount, old }) => amount > 0 && amount === 100 * Number(old));
	if (2 * large.length > replaced.length)
		report.hint(
			`${counted(large.length)} of ${total} new prices are exactly 100 times the old ones. Check 'Amounts Are In'.`,
		);
}

function readPriceChanges(call: BulkCall): PriceChange[] {
	const pricesByKey = new Map<string, Price>();
	return call.items.map((item) => {
		const { sku, amount, currency } = item.fields as unknown as Price;
		const key = JSON.stringify([sku, currency]);
		const price = pricesByKey.get(key) ?? { sku, amount, currency };
		price.amount = amount;
		pricesByKey.set(key, price);
		return { item, price };
	});
}

/**
 * Finds the products of some prices. An item whose SKU names no product, or several, fails.
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

/** Writes one product. With Only If Changed, a product that has these prices already is not written. */
async function priceProduct(
	call: BulkCall,
	{ record, changes }: PricedProduct,
	replaced: Replaced[],
): Promise<void> {
	const prices = new Set(changes.map(({ price }) => price));
	const variantChanges = [...prices].map(({ sku, ...price }) => ({ sku, prices: [price] }));
	if (call.options.onlyIfChanged === true && changesNothing(record.variants, variantChanges)) {
		for (const { item, price } of changes) {
			replaced.push({ amount: price.amount, old: price.amount });
			call.done([item], { ...resultOf(price, record), skipped: true });
		}
		return;
	}
	const id = String(record.id);
	const items = changes.map(({ item }) => item);
	const write = async (hadToWait: boolean) => {
		const found = hadToWait ? undefined : record;
		return await writeMergedFor(call, items, productUpdate(id), variantChanges, found);
	};
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
		replaced.push({ amount: price.amount, old: priceIn(before, price)?.amount });
		if (result.previous === null) hintAdded(call, price, before);
		const answeredPrice = priceIn(answer.record, price);
		const answeredAmount =
			answeredPrice === undefined ? price.amount : (answeredPrice?.amount ?? null);
		const isDifferent = answeredAmount !== price.amount;
		if (isDifferent)
			call.report.hint(
				"The platform answered some items with another price than was written: 'amount' is the platform’s, 'written' is what was sent.",
			);
		call.done(
			[item],
			isDifferent ? { ...result, amount: answeredAmount, written: price.amount } : result,
		);
	}
}

/** What an item returns: the price as it is now, and as it was. */
const resultOf = (price: Price, before: IDataObject): IDataObject => ({
	...price,
	previous: priceIn(before, price) ?? null,
	productId: before.id,
	productTitle: typeof before.title === 'string' ? before.title : null,
});

/** Tells the user that a variant had no price in this currency: the currency may be mistyped. */
function hintAdded(call: BulkCall, { sku, currency }: Price, before: IDataObject): void {
	const variant = objectsIn(before.variants).find((entry) => entry.sku === sku);
	const otherCurrencies = objectsIn(variant?.prices).map((price) => currencyKey(price.currency));
	if (otherCurrencies.length > 0)
		call.report.hint(
			`A price in ${currency} was added to a variant that had prices in ${otherCurrencies.join(', ')}.`,
		);
}

/**
 * The price that a product shows for a SKU and currency: null if there is none, undefined if the variant shows no
 * prices.
 */
function priceIn(product: IDataObject | undefined, { sku, currency }: Price) {
	const variant = objectsIn(product?.variants).find((entry) => entry.sku === sku);
	if (!Array.isArray(variant?.prices)) return undefined;
	const price = objectsIn(variant.prices).find((entry) => currencyKey(entry.currency) === currency);
	return price === undefined ? null : { amount: price.amount, currency };
}

/** Does the dry run: shows what would change. */
async function showPrices(call: BulkCall, changes: readonly PriceChange[]): Promise<void> {
	const replaced: Replaced[] = [];
	const sentIds = new Set<unknown>();
	const skus = changes.map(({ price }) => price.sku);
	const productsWithSku = await findRecords(call, productsBySku, skus);
	for (const { item, price } of changes) {
		const { sku, ...entered } = price;
		const products = productsWithSku.get(sku) ?? [];
		const [product] = products;
		if (products.length !== 1) {
			const result = products.length === 0 ? 'unknown SKU' : `names ${products.length} products`;
			call.done([item], previewRow({ sku }, [], result));
			continue;
		}
		const old = priceIn(product, price) ?? null;
		replaced.push({ amount: price.amount, old: old?.amount });
		const isSame = old?.amount === price.amount;
		const differing = isSame ? [] : [{ field: 'price', old, new: entered }];
		call.done([item], previewRow({ sku, title: product.title }, differing));
		if (!isSame || call.options.onlyIfChanged !== true) sentIds.add(product.id);
	}
	hintAtOldPrices(call, replaced);
	call.report.wouldSend(sentIds.size * REQUESTS_PER_PRODUCT);
}
