import type { IDataObject } from 'n8n-workflow';

import { InputError, isNotFound } from '../../shared/rest/errors';
import { isListOfObjects } from '../../shared/values/json';
import { skuKey } from './skuKey';
import type { BulkItem } from '../runner/bulkItem';
import type { BulkCall } from '../runner/operation';
import { inParallel } from '../runner/pool';
import { searched } from '../runner/lookup';
import { readProduct, writeMergedFor } from './merge';
import {
	otherSpellingError,
	type ProductDone,
	productLockName,
	productsBySku,
	productUpdate,
	skusOf,
	withLocks,
} from './products';

/**
 * IDs of the products that this process has created, by API key and SKU; undefined if the answer did not show the ID.
 * The platform's search may show a new product only later. Other executions and later tries (Retry On Fail) use these
 * IDs too. The oldest are forgotten.
 */
const createdIds = new Map<string, string | undefined>();
const MAX_CREATED = 10_000;

const createdIdKey = ({ client }: BulkCall, sku: string) => `${client.credentialId} ${skuKey(sku)}`;

/** Remembers the product that was created with a SKU. */
export function noteCreated(call: BulkCall, sku: string, product?: IDataObject): void {
	createdIds.set(createdIdKey(call, sku), typeof product?.id === 'string' ? product.id : undefined);
	const [oldest] = createdIds.keys();
	if (createdIds.size > MAX_CREATED) createdIds.delete(oldest);
}

/**
 * Writes items without batches: looks up the SKU of each, then creates or updates its product. Items of one SKU, and
 * those of one product, go one after the other, in input order.
 *
 * @param items that have no result yet
 * @param productDone receives the products that were written
 */
export async function sendAlone(
	call: BulkCall,
	items: readonly BulkItem[],
	productDone: ProductDone,
): Promise<void> {
	let sentCount = 0;
	/** Fulfilled when all earlier items are looked up, so that items queue for their products in input order. */
	let lookedUp: Promise<unknown> = Promise.resolve();
	const send = async (item: BulkItem) => {
		const lookUp = productIdOf(call, item);
		lookedUp = Promise.allSettled([lookedUp, lookUp]);
		await lookedUp;
		const id = await lookUp;
		const lockNames = [
			`one by one ${skuKey(item.sku)}`,
			...(id === undefined ? [] : [productLockName(id)]),
		];
		await withLocks(call, lockNames, async () => {
			if (call.stopped()) return;
			// The result is reported before the lock is released: if it stops the run, the next item is not sent.
			await writeOne(call, item, id).then(
				(written) => productDone(item, ...written),
				(error: unknown) => call.failed([item], error),
			);
		});
	};
	await inParallel(
		items,
		call.client.options.maxInFlight,
		async (item) => {
			await send(item).catch((error: unknown) => call.failed([item], error));
			call.report.progress(++sentCount, items.length, 'products');
		},
		() => call.stopped(),
	);
}

const NOTHING_SENT = 'Nothing was sent for it.';
const USE_UPDATE = 'Use the operation Update with the product’s ID';

/**
 * Finds the ID of the product that has an item's SKU.
 *
 * @returns undefined if there is none
 * @throws InputError if that is not certain, PlatformError
 */
async function productIdOf(call: BulkCall, item: BulkItem): Promise<string | undefined> {
	const { records: hits, whole } = await searched(call.client, productsBySku, item.sku);
	const records = await withSkus(call, hits);
	const isShown = records.some((record) => skusOf(record).includes(item.sku));
	const candidates = isShown ? records : [...records, ...(await createdBefore(call, item))];
	const id = idAmong(candidates, item.sku);
	if (id !== undefined || whole) return id;
	throw new InputError(
		'SKU',
		`“${item.sku}” is not among the first products that the platform’s search for it gives`,
		`${NOTHING_SENT} Whether the shop has it is not known. ${USE_UPDATE}, or Create.`,
	);
}

/** Short records show no SKUs. Adds their whole records, unless there are too many to read. */
async function withSkus(call: BulkCall, hits: IDataObject[]): Promise<IDataObject[]> {
	const shortHits = hits.filter((hit) => skusOf(hit).length === 0 && typeof hit.id === 'string');
	if (shortHits.length > MAX_SHORT_HITS) return hits;
	const reads = shortHits.map(async ({ id }) => await readProduct(call.client, String(id)));
	const wholeRecords = await Promise.all(reads);
	return [...hits, ...wholeRecords.map(({ record }) => record)];
}

/** How many short records of one search are read, each with a request. */
const MAX_SHORT_HITS = 4;

/**
 * The ID of the one product that has a SKU.
 *
 * @returns undefined if none has it
 * @throws InputError if several have it, or if one has it in another spelling only
 */
function idAmong(products: readonly IDataObject[], sku: string): string | undefined {
	// A product that changes during a search may come twice.
	const ids = new Set(
		products.filter((product) => skusOf(product).includes(sku)).map(({ id }) => String(id)),
	);
	if (ids.size > 1)
		throw new InputError(
			'SKU',
			`“${sku}” names ${ids.size} products`,
			`${NOTHING_SENT} ${USE_UPDATE}.`,
		);
	const similarSku = products
		.flatMap(skusOf)
		.find((productSku) => skuKey(productSku) === skuKey(sku));
	if (ids.size === 1 || similarSku === undefined) return [...ids][0];
	throw otherSpellingError(sku, similarSku);
}

/**
 * The product that this process has created with an item's SKU.
 *
 * @returns an empty list if there is none, or it was deleted since
 * @throws InputError if another item of the SKU may have created it, or if its ID is not known; PlatformError
 */
async function createdBefore(call: BulkCall, item: BulkItem): Promise<IDataObject[]> {
	const key = createdIdKey(call, item.sku);
	const id = createdIds.get(key);
	const mayHaveCreated = (otherItem: BulkItem) =>
		otherItem !== item &&
		call.mayBeApplied(otherItem) &&
		skuKey(otherItem.sku) === skuKey(item.sku);
	if (!createdIds.has(key) && !call.items.some(mayHaveCreated)) return [];
	if (id === undefined)
		throw new InputError(
			'SKU',
			`“${item.sku}” was or may have been created before, and no answer showed its ID`,
			`${NOTHING_SENT} Run this item again once the shop’s search shows the product.`,
		);
	return await readProduct(call.client, id).then(
		({ record }) => [record],
		(error: unknown) => {
			if (isNotFound(error)) return [];
			throw error;
		},
	);
}

/** @returns what `productDone` receives: the product, if the answer shows it, and what was done to it */
async function writeOne(
	call: BulkCall,
	item: BulkItem,
	foundId: string | undefined,
): Promise<[record: IDataObject | undefined, result: 'created' | 'updated']> {
	// An earlier item of this SKU may have created it since the look-up.
	const id = foundId ?? idAmong(await createdBefore(call, item), item.sku);
	const { variantChanges, body } = partsOf(item);
	if (id === undefined) return [await create(call, item, body, variantChanges), 'created'];
	const update = productUpdate(id, body);
	if (variantChanges.length === 0) return [(await call.send(update, [item])).record, 'updated'];
	const { answer } = await writeMergedFor(call, [item], update, variantChanges);
	return [answer.record, 'updated'];
}

/** Creates the same product as a batch would: its SKU is the SKU of a variant. */
async function create(
	call: BulkCall,
	item: BulkItem,
	fields: IDataObject,
	variantChanges: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const { sku } = item;
	const variants = variantChanges.length === 0 ? [{ sku }] : [...variantChanges];
	if (!variants.some((variant) => variant.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...fields, variants };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, [item]);
	for (const variant of variants) noteCreated(call, String(variant.sku), record);
	return record;
}

/**
 * Splits an item's fields into changes of variants and other fields. The changes are the listed variants, or the prices
 * of the variant with the item's SKU.
 *
 * @throws InputError if the variants are no list, or if there are both variants and prices
 */
function partsOf({ fields: { sku, variants = [], prices, ...body } }: BulkItem) {
	if (!isListOfObjects(variants))
		throw new InputError('Product: variants', 'must be a list of objects', NOTHING_SENT);
	if (prices === undefined) return { variantChanges: variants, body };
	if (variants.length === 0) return { variantChanges: [{ sku, prices }], body };
	throw new InputError(
		'Product',
		'holds both “variants” and “prices”',
		`${NOTHING_SENT} Products that are sent one by one take only one of the two. Put the prices into the variants.`,
	);
}
