import type { IDataObject } from 'n8n-workflow';

import { steps } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import { isListOfObjects, isSame } from '../../shared/values/json';
import { type BulkCall, BulkItem, type RecordSource } from '../runner/operation';
import { findRecords } from '../runner/lookup';
import { inParallel } from '../runner/lock';
import { currencyKey, mergeVariants, readProduct, tellSaidTwice } from './merge';
import { differs } from './rows';
import { objectsIn, productsBySku, skusOf } from './products';
import { type Difference, differences } from './unchanged';

/** What is to be written to one product, for all items that are about it. */
export interface ProductWrite {
	/** What a batch sends: with the whole list of variants, if the product was read. */
	item: BulkItem;
	/** The product as the shop has it; undefined if it has none, or was not read. */
	product?: IDataObject;
	/** The product's own fields. */
	body: IDataObject;
	/** What changes of its variants, by SKU. */
	variantChanges: IDataObject[];
}

/** Marks a key that is a handle. */
const HANDLE = 'handle:';

/** How products are found by SKUs, or by their handles. */
const productsByNames: RecordSource = {
	...productsBySku,
	requestFor: (key) =>
		key.startsWith(HANDLE)
			? { method: 'GET', path: '/products', query: { q: key.slice(HANDLE.length) } }
			: productsBySku.requestFor(key),
	keysOf: (product) => [
		...skusOf(product),
		...(typeof product.handle === 'string' ? [HANDLE + product.handle] : []),
	],
};

/** The names that may lead to an item's product: SKUs, and the handle if rows with one handle are one product. */
function namesOf(item: BulkItem, isPerHandle: boolean): string[] {
	const { handle } = item.fields;
	// A parent's row makes no variant, and its SKU still says which product it is.
	const skus = [...new Set([...skusOf(item.fields), ...item.names])];
	return typeof handle === 'string' && isPerHandle ? [HANDLE + handle, ...skus] : skus;
}

/** A spreadsheet takes the leading zero of a UPC or EAN. It then has at least so many digits. */
const SHORTENED = /^[1-9]\d{5,12}$/;

/** All that is looked up to find the products of items. */
export function namesToLookUp(items: readonly BulkItem[], isPerHandle = false): string[] {
	const names = items.flatMap((item) => namesOf(item, isPerHandle));
	return [...names, ...names.filter((name) => SHORTENED.test(name)).map((name) => `0${name}`)];
}

/** How writes are planned. */
export interface Planning {
	/** Whether the shop is read; else items are joined by their SKUs alone. */
	isRead: boolean;
	/** Whether lists of variants are merged into those that the shop has. */
	mergesLists: boolean;
	/** Whether a handle names a product. */
	isPerHandle: boolean;
}

/**
 * Finds the product of each item, and joins the items of one product to one write: by the product that the shop has, or
 * by their SKU. What rows say of variants is merged into the list that the shop has, so that nothing else is lost.
 *
 * @returns the writes in input order; items that cannot be written are reported as failed
 * @throws PlatformError
 */
export async function plannedWrites(
	call: BulkCall,
	items: readonly BulkItem[],
	{ isRead, mergesLists, isPerHandle }: Planning,
): Promise<ProductWrite[]> {
	const step = steps();
	for (const { fields } of items) {
		await step();
		tellSaidTwice(objectsIn(fields.variants), (text) => call.report.hint(text));
	}
	const isOpen = items.some(({ hasResult }) => !hasResult);
	const names = isRead && isOpen ? namesToLookUp(items, isPerHandle) : [];
	await step();
	const products = await findRecords(call, productsByNames, names);
	const found: Found[] = [];
	for (const item of items) {
		await step();
		try {
			found.push({ item, product: productOf(item, products, isPerHandle) });
		} catch (error) {
			call.failed([item], error);
		}
	}
	if (mergesLists) await completeVariants(call, found);
	return await joinedWrites(call, found, mergesLists);
}

/**
 * Looks once more for a product before it is created: somebody else may have made it since all were looked for.
 *
 * @throws InputError if the shop has it now; PlatformError
 */
export async function checkIsNew(call: BulkCall, item: BulkItem): Promise<void> {
	const products = await findRecords(call, productsByNames, namesToLookUp([item]));
	if ([...products.values()].every((named) => named.length === 0)) return;
	throw new InputError(
		'SKU',
		`“${item.key}” has come into the shop during this run`,
		'Nothing was sent for it. Run it again: that updates the product.',
	);
}

/** An item, and the product that it is about if the shop has it. */
interface Found {
	item: BulkItem;
	product?: IDataObject;
}

/** Lists may show short records. Reads the variants of those whose variants are merged. */
async function completeVariants(call: BulkCall, found: Found[]): Promise<void> {
	const short = found.filter(
		({ item, product }) =>
			product !== undefined &&
			!isListOfObjects(product.variants) &&
			(item.fields.variants ?? item.fields.prices) !== undefined,
	);
	const whole = new Map<unknown, IDataObject>();
	const ids = new Set(short.map(({ product }) => String(product?.id)));
	await inParallel(ids, call.client.options.maxInFlight, async (id) => {
		whole.set(id, (await readProduct(call.client, id)).record);
	});
	for (const entry of short) entry.product = whole.get(String(entry.product?.id));
}

/** Joins the items of one product, or else of one SKU. Items that contradict each other are reported as failed. */
async function joinedWrites(
	call: BulkCall,
	found: readonly Found[],
	mergesLists: boolean,
): Promise<ProductWrite[]> {
	const groups = new Map<unknown, { items: BulkItem[]; product?: IDataObject }>();
	const step = steps();
	for (const { item, product } of found) {
		await step();
		const key = product?.id ?? (item.key || item);
		const group = groups.get(key) ?? { items: [], product };
		group.items.push(...item.parts);
		groups.set(key, group);
	}
	const writes: ProductWrite[] = [];
	for (const { items, product } of groups.values()) {
		await step();
		try {
			writes.push(writeOf(items, product, mergesLists));
		} catch (error) {
			for (const item of items) call.failed([item], error);
		}
	}
	return writes;
}

/** @throws InputError if several products match, or the shop's SKU has a zero more */
function productOf(
	item: BulkItem,
	products: ReadonlyMap<string, IDataObject[]>,
	isPerHandle: boolean,
): IDataObject | undefined {
	const names = namesOf(item, isPerHandle);
	const matches = new Map(
		names.flatMap((name) => products.get(name) ?? []).map((product) => [product.id, product]),
	);
	if (matches.size > 1) {
		const titles = [...matches.values()].map(({ title, id }) => `“${String(title ?? id)}”`);
		throw new InputError(
			'SKU',
			`“${item.key}” names ${matches.size} products: ${titles.slice(0, 3).join(', ')}`,
			'Nothing was sent for it. Use the operation Update with the product’s ID.',
		);
	}
	const [product] = matches.values();
	const longer = names.find((name) => (products.get(`0${name}`) ?? []).length > 0);
	if (product !== undefined || longer === undefined) return product;
	throw new InputError(
		'SKU',
		`“${longer}” is not in the shop, but “0${longer}” is`,
		'Nothing was sent for it. A spreadsheet may have taken the zero: format the column as text.',
	);
}

/** @throws InputError if rows contradict each other, or cannot be merged */
function writeOf(
	items: readonly BulkItem[],
	product: IDataObject | undefined,
	mergesLists: boolean,
): ProductWrite {
	const { body, variantChanges, hasList } = joinedFields(items);
	const isMerged = product !== undefined && hasList && mergesLists;
	const [item] = items;
	const sku = skuToSend(items, product);
	if (items.length === 1 && !isMerged && sku === item.key)
		return { item, product, body, variantChanges };
	const fields: IDataObject = { ...(sku !== '' && { sku }), ...body };
	if (isMerged)
		fields.variants = mergeVariants(product.variants, namedByProduct(variantChanges, product));
	else if (hasList) fields.variants = variantChanges;
	return { item: BulkItem.joined(items, fields, sku), product, body, variantChanges };
}

/** The SKU that names the product in a batch: one that the shop's product has, so that no second one is made. */
function skuToSend(items: readonly BulkItem[], product: IDataObject | undefined): string {
	const skus = items.flatMap((item) => [item.key, ...skusOf(item.fields)]).filter(Boolean);
	if (product === undefined) return skus[0] ?? '';
	const shopSkus = skusOf(product);
	return skus.find((sku) => shopSkus.includes(sku)) ?? shopSkus[0] ?? '';
}

/** A row without a SKU is about the one variant that its product has. @throws InputError if it has several */
function namedByProduct(changes: readonly IDataObject[], { variants }: IDataObject): IDataObject[] {
	const current = objectsIn(variants);
	return changes.map((change) => {
		if (change.sku !== undefined) return change;
		if (current.length === 1 && typeof current[0].sku === 'string')
			return { ...change, sku: current[0].sku };
		throw new InputError(
			'SKU',
			`is empty, and the product has ${current.length} variants`,
			'Nothing was sent for this product. Enter the SKU of each variant, or leave its prices out.',
		);
	});
}

/**
 * Joins what the items of one product say. Of two rows with the same SKU the later one counts.
 *
 * @throws InputError if rows of different SKUs say different things about the product
 */
function joinedFields(items: readonly BulkItem[]) {
	const ofSku = new Map<string, { row: number; fields: IDataObject }>();
	const variants = new Map<unknown, IDataObject>();
	let hasList = false;
	for (const { key, row, fields: said } of items) {
		const { sku, variants: changes, prices, ...fields } = said;
		ofSku.set(key, { row, fields: { ...ofSku.get(key)?.fields, ...fields } });
		if (changes !== undefined && !isListOfObjects(changes))
			throw new InputError(
				'Product: variants',
				'must be a list of objects',
				'Nothing was sent for it.',
			);
		if (changes !== undefined && prices !== undefined)
			throw new InputError(
				'Product',
				"holds both 'variants' and 'prices'",
				'Nothing was sent for it. Put the prices into the variants.',
			);
		hasList ||= changes !== undefined || prices !== undefined;
		for (const change of changes ?? (prices === undefined ? [] : [{ sku, prices }])) {
			const name = change.sku ?? Symbol('no SKU');
			variants.set(name, joinedVariant(variants.get(name), change));
		}
	}
	const body: IDataObject = {};
	const rowOf = new Map<string, number>();
	for (const { row, fields } of ofSku.values())
		for (const [name, value] of Object.entries(fields)) {
			const earlierRow = rowOf.get(name);
			if (earlierRow !== undefined && !isSame(body[name], value))
				throw differs('product', name, earlierRow, row);
			body[name] = value;
			rowOf.set(name, row);
		}
	return { body, variantChanges: [...variants.values()], hasList };
}

function joinedVariant(earlier: IDataObject | undefined, change: IDataObject): IDataObject {
	if (earlier === undefined || !isListOfObjects(earlier.prices) || !isListOfObjects(change.prices))
		return { ...earlier, ...change };
	const prices = new Map(
		[...earlier.prices, ...change.prices].map((price) => [currencyKey(price.currency), price]),
	);
	return { ...earlier, ...change, prices: [...prices.values()] };
}

/** What a write would change of its product. */
export function* changesOf({ item, product, body }: ProductWrite): Generator<Difference, void> {
	const { sku, variants, prices } = item.fields;
	yield* differences({ ...body, variants }, product ?? {});
	// The product's own prices may be something else, such as a range from the lowest to the highest.
	const variant = objectsIn(product?.variants).find((entry) => entry.sku === sku);
	yield* differences(prices, (variant ?? product)?.prices, 'prices');
}
