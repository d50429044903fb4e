import type { IDataObject } from 'n8n-workflow';

import { InputError, isNotFound } from '../../shared/errors/errors';
import { isListOfObjects } from '../../shared/values/json';
import { skuKey } from '../model/skuKey';
import type { BulkItem } from '../run/bulkItem';
import type { BulkCall } from '../run/operation';
import { inParallel } from '../run/pool';
import { searched } from '../run/findRecords';
import { readProduct, writeMergedFor } from './merge';
import {
	withLocks,
	otherSpellingError,
	productLockName,
	productsBySku,
	productUpdate,
	skusOf,
	type ProductDone,
} from './products';

/**
 * IDs of products that this process has created, by API key and SKU; undefined if the answer did not show it. The
 * platform's search may show them only later, also to another execution, or when n8n runs the node again (Retry On
 * Fail). The oldest are forgotten.
 */
const created = new Map<string, string | undefined>();
const MAX_CREATED = 10_000;

const createdKey = ({ client }: BulkCall, sku: string) => `${client.credentialId} ${skuKey(sku)}`;

/** Remembers the product that was created with a SKU. */
export function noteCreated(call: BulkCall, sku: string, product?: IDataObject): void {
	created.set(createdKey(call, sku), typeof product?.id === 'string' ? product.id : undefined);
	const [oldest] = created.keys();
	if (created.size > MAX_CREATED) created.delete(oldest);
}

/**
 * Does without batches: looks up each SKU, then creates or updates its product. Items of one SKU, and those of one
 * product, go one after the other, in input order.
 *
 * @param items that have no result yet
 * @param done takes the products that were written
 */
export async function sendAlone(
	call: BulkCall,
	items: readonly BulkItem[],
	done: ProductDone,
): Promise<void> {
	let sent = 0;
	/** Fulfilled when all items before are looked up. So they queue for their products in input order. */
	let lookedUp: Promise<unknown> = Promise.resolve();
	const send = async (item: BulkItem) => {
		const look = productIdOf(call, item);
		lookedUp = Promise.allSettled([lookedUp, look]);
		await lookedUp;
		const id = await look;
		const locks = [
			`one by one ${skuKey(item.sku)}`,
			...(id === undefined ? [] : [productLockName(id)]),
		];
		await withLocks(call, locks, async () => {
			if (call.stopped()) return;
			// Said before the next item has its turn: a run that stops sends nothing more.
			await writeOne(call, item, id).then(
				(written) => done(item, ...written),
				(error: unknown) => call.failed([item], error),
			);
		});
	};
	await inParallel(
		items,
		call.client.options.maxInFlight,
		async (item) => {
			await send(item).catch((error: unknown) => call.failed([item], error));
			call.report.progress(++sent, items.length, 'products');
		},
		() => call.stopped(),
	);
}

const NOTHING_SENT = 'Nothing was sent for it.';
const USE_UPDATE = 'Use the operation Update with the product’s ID';

/**
 * Finds the product that has a SKU.
 *
 * @returns undefined if there is none
 * @throws InputError where that is not certain, PlatformError
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

/** Short records show no SKUs: a few of them are read by their IDs before they count as other products. */
async function withSkus(call: BulkCall, hits: IDataObject[]): Promise<IDataObject[]> {
	const shortHits = hits.filter((hit) => skusOf(hit).length === 0 && typeof hit.id === 'string');
	if (shortHits.length > MAX_SHORT_HITS) return hits;
	const reads = shortHits.map(async ({ id }) => await readProduct(call.client, String(id)));
	const whole = await Promise.all(reads);
	return [...hits, ...whole.map(({ record }) => record)];
}

/** Short records of one search that are read, each by a request. */
const MAX_SHORT_HITS = 4;

/** The one product among some that has a SKU. */
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
	const alike = products.flatMap(skusOf).find((other) => skuKey(other) === skuKey(sku));
	if (ids.size === 1 || alike === undefined) return [...ids][0];
	throw otherSpellingError(sku, alike);
}

/**
 * The product that was created here with an item's SKU.
 *
 * @returns an empty list where there is none, or it was deleted since
 * @throws InputError where another item of the SKU may have created it, or its ID is not known; PlatformError
 */
async function createdBefore(call: BulkCall, item: BulkItem): Promise<IDataObject[]> {
	const key = createdKey(call, item.sku);
	const id = created.get(key);
	const mayHaveMade = (other: BulkItem) =>
		other !== item && call.mayBeApplied(other) && skuKey(other.sku) === skuKey(item.sku);
	if (!created.has(key) && !call.items.some(mayHaveMade)) return [];
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

/** @returns what `done` takes: the product as the platform answered it, where it did, and what was done to it */
async function writeOne(
	call: BulkCall,
	item: BulkItem,
	found: string | undefined,
): Promise<[record: IDataObject | undefined, result: 'created' | 'updated']> {
	// An earlier item of this SKU may have created it.
	const id = found ?? idAmong(await createdBefore(call, item), item.sku);
	const { named, body } = partsOf(item);
	if (id === undefined) return [await create(call, item, body, named), 'created'];
	const update = productUpdate(id, body);
	if (named.length === 0) return [(await call.send(update, [item])).record, 'updated'];
	const { answer } = await writeMergedFor(call, [item], update, named);
	return [answer.record, 'updated'];
}

/** The same product as the batch's operation makes: its SKU is the SKU of a variant. */
async function create(
	call: BulkCall,
	item: BulkItem,
	fields: IDataObject,
	named: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const { sku } = item;
	const variants = named.length === 0 ? [{ sku }] : [...named];
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
 * What an operation says of variants, those that it lists or the prices of the one that its SKU names, and its other
 * fields.
 *
 * @throws InputError where they cannot be told apart
 */
function partsOf({ fields: { sku, variants = [], prices, ...body } }: BulkItem) {
	if (!isListOfObjects(variants))
		throw new InputError('Product: variants', 'must be a list of objects', NOTHING_SENT);
	if (prices === undefined) return { named: variants, body };
	if (variants.length === 0) return { named: [{ sku, prices }], body };
	throw new InputError(
		'Product',
		'holds both “variants” and “prices”',
		`${NOTHING_SENT} One by one only one of them can be. Put the prices into the variants.`,
	);
}
