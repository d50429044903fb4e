import type { IDataObject } from 'n8n-workflow';

import { inParallel, type PlatformClient } from '../../../shared/rest/client';
import { nextTurn } from '../../../shared/rest/clock';
import { InputError } from '../../../shared/rest/errors';
import type { UpsertResult } from '../../../shared/shop/answers';
import { isListOfObjects, objectsIn, pick } from '../../../shared/values/json';
import { addTo } from '../../../shared/values/maps';
import { saysNothing } from '../../../shared/values/readers';
import type { BulkCall, BulkItem, RecordSource } from '../../runner/operation';
import { findRecords } from '../../runner/lookup';
import { readRecord } from '../../runner/rewrite';
import { repeatedRows } from '../../runner/report';
import { currencyKey, mergeVariants, saidTwice, skuOf, skusOf, tellSaidTwice } from './changes';
import { Agreed } from './rows';

/** What is to be written to one product, for all items that are about it. */
export interface ProductWrite {
	/** What becomes of the write becomes of each of them. */
	readonly items: readonly BulkItem[];
	/** The SKU that names the product in a batch; empty if it has none. */
	readonly sku: string;
	/** What a batch sends: with the whole list of variants, if the product was read. */
	readonly fields: IDataObject;
	/** Whether these are the fields of its only item, joined and merged with nothing. */
	readonly isAsEntered: boolean;
	/** The product as the shop has it; undefined if it has none, or was not read. */
	readonly product?: IDataObject;
	/** The product's own fields, to send without a batch. */
	readonly ownFields: IDataObject;
	/** What changes of its variants, by SKU, to send without a batch. */
	readonly variantChanges: readonly IDataObject[];
	/** When the shop was looked through for it, monotonic ms; undefined if it was not. */
	readonly readMs?: number;
}

/** Called for each product that was written or needed no write. `record` is the product, if the answer shows it. */
export type ProductDone = (
	write: ProductWrite,
	record?: IDataObject,
	result?: UpsertResult,
) => void;

/** Whether all items of a write have their results, maybe from an earlier try. */
export const isDone = ({ items }: Pick<ProductWrite, 'items'>): boolean =>
	items.every(({ hasResult }) => hasResult);

/** The SKU that names an item's product; empty if it has none. */
export const skuOfItem = ({ fields }: BulkItem): string => skuOf(fields) ?? '';

/** How products are found: by ID, by handle, or by the SKU of a variant. A key begins with what it is. */
export const productsByKey: RecordSource = {
	list: () => ({ method: 'GET', path: '/products' }),
	requestFor: (key) => {
		const [, kind, name] = /^(handle|id|sku):(.*)/s.exec(key) ?? [];
		if (kind === 'id')
			return { method: 'GET', path: '/products/{productId}', pathParams: { productId: name } };
		return { method: 'GET', path: '/products', query: { [kind === 'sku' ? 'sku' : 'q']: name } };
	},
	keysOf: (product) => [
		...[keyIn(product, 'id'), keyIn(product, 'handle')].filter((key) => key !== undefined),
		...skusOf(product).map(keyOfSku),
	],
	// An empty list says that there are no variants; a missing one says nothing.
	isShort: ({ id, ...product }) =>
		typeof id === 'string' &&
		skusOf(product).length === 0 &&
		!(Array.isArray(product.variants) && product.variants.length === 0),
	isUnique: (key) => key.startsWith('id:'),
};

/** The same, for prices: nothing else of the products is looked at. */
const variantsByKey: RecordSource = {
	...productsByKey,
	kept: (product) => pick(product, ['id', 'title', 'variants']),
};

const keyOfSku = (sku: string): string => `sku:${sku}`;

const keyIn = (product: IDataObject, field: 'handle' | 'id'): string | undefined =>
	typeof product[field] === 'string' ? `${field}:${product[field]}` : undefined;

/** What sends reads: the client, or an item's call. */
export type ProductReader = Pick<PlatformClient, 'request'>;

/**
 * Reads a product whose variants will be sent back.
 *
 * @throws InputError if the platform shows another product, PlatformError
 */
export const readProduct = async (reader: ProductReader, productId: string) =>
	await readRecord(async (request) => await reader.request(request), 'Product', {
		method: 'GET',
		path: '/products/{productId}',
		pathParams: { productId },
		pathLabels: { productId: 'Product' },
	});

/** The keys that may lead to an item's product: SKUs, and the handle if it was joined from rows with one handle. */
function keysOfItem({ fields, names }: BulkItem): string[] {
	const keys = (names ?? skusOf(fields)).map(keyOfSku);
	const handle = names === undefined ? undefined : keyIn(fields, 'handle');
	return handle === undefined ? keys : [handle, ...keys];
}

/** A spreadsheet takes the leading zero of a UPC or EAN. It then has at least so many digits. */
const SHORTENED = /^sku:[1-9]\d{5,12}$/;

const withZero = (key: string): string => key.replace('sku:', 'sku:0');

/** All that is looked up to find the products of items. */
export function keysToLookUp(items: readonly BulkItem[]): string[] {
	const keys = items.flatMap(keysOfItem);
	return [...new Set([...keys, ...keys.filter((key) => SHORTENED.test(key)).map(withZero)])];
}

/** Whether the shop has a product that items may be about. @throws PlatformError */
export async function isInShop(call: BulkCall, items: readonly BulkItem[]): Promise<boolean> {
	const products = await findRecords(call, productsByKey, keysToLookUp(items));
	return [...products.values()].some((found) => found.length > 0);
}

/** The items of one product, or else of one SKU. */
interface Group {
	items: BulkItem[];
	/** The product, if the shop has it. */
	product?: IDataObject;
}

/**
 * Joins the items of one product to one write: by the product that the shop has, or else by their SKU.
 *
 * @param reads what is read of the shop: nothing; the products that the items are about, or only the variants of them; or
 *   the products, and the lists of their variants, into which those of the items are merged, so that nothing else is lost
 * @returns the writes in input order; items that cannot be written, or contradict each other, are reported as failed
 * @throws PlatformError
 */
export async function plannedWrites(
	call: BulkCall,
	items: readonly BulkItem[],
	reads: 'lists' | 'nothing' | 'products' | 'variants',
): Promise<ProductWrite[]> {
	const isRead = reads !== 'nothing' && items.some(({ hasResult }) => !hasResult);
	const keys = new Set<string>();
	for (const item of isRead ? items : []) {
		await nextTurn();
		for (const key of keysToLookUp([item])) keys.add(key);
	}
	const readMs = isRead ? call.client.clock.monotonic() : undefined;
	const source = reads === 'variants' ? variantsByKey : productsByKey;
	const products = isRead
		? await findRecords(call, source, keys)
		: new Map<string, IDataObject[]>();
	const groups = new Map<unknown, Group>();
	for (const item of items) {
		await nextTurn();
		tellOfDoubts(call, item);
		try {
			const product = productOf(item, products);
			const key = product?.id ?? (skuOfItem(item) || item);
			const group = groups.get(key);
			if (group === undefined) groups.set(key, { items: [item], product });
			else group.items.push(item);
		} catch (error) {
			call.failed([item], error);
		}
	}
	if (reads === 'lists') await completeVariants(call, [...groups.values()]);
	const writes: ProductWrite[] = [];
	for (const group of groups.values()) {
		await nextTurn();
		try {
			writes.push(writeOf(group, reads === 'lists', readMs));
		} catch (error) {
			for (const item of group.items) call.failed([item], error);
		}
	}
	return writes;
}

/** Tells of values that may not be meant. */
function tellOfDoubts({ report }: BulkCall, { fields, row }: BulkItem): void {
	const variants = objectsIn(fields.variants);
	tellSaidTwice(variants, (text) => report.hint(text));
	const prices = [fields, ...variants].flatMap((holder) => objectsIn(holder.prices));
	if (prices.some(({ amount }) => amount === 0)) report.tellOfRow('Price of 0:', row);
}

/** Lists may show short records. Reads the variants of those whose variants are merged. */
async function completeVariants(call: BulkCall, groups: readonly Group[]): Promise<void> {
	const short = groups.filter(
		({ items, product }) =>
			product !== undefined &&
			!isListOfObjects(product.variants) &&
			items.some(({ fields }) => (fields.variants ?? fields.prices) !== undefined),
	);
	await inParallel(short, call.client.options.maxInFlight, async (group) => {
		group.product = (await readProduct(call.client, String(group.product?.id))).record;
	});
}

/** @throws InputError if several products match, or the shop's SKU has a zero more */
function productOf(
	item: BulkItem,
	products: ReadonlyMap<string, IDataObject[]>,
): IDataObject | undefined {
	const keys = keysOfItem(item);
	const matches = new Map(
		keys.flatMap((key) => products.get(key) ?? []).map((product) => [product.id, product]),
	);
	if (matches.size > 1) {
		const titles = [...matches.values()].map(({ title, id }) => `“${String(title ?? id)}”`);
		throw new InputError(
			'SKU',
			`“${skuOfItem(item)}” names ${matches.size} products: ${titles.slice(0, 3).join(', ')}`,
			'Nothing was sent for it. Use the operation Update with the product’s ID.',
		);
	}
	const [product] = matches.values();
	const shortened = keys.find((key) => SHORTENED.test(key) && products.get(withZero(key))?.length);
	if (product !== undefined || shortened === undefined) return product;
	const sku = shortened.replace('sku:', '');
	throw new InputError(
		'SKU',
		`“${sku}” is not in the shop, but “0${sku}” is`,
		'Nothing was sent for it. A spreadsheet may have taken the zero: format the column as text.',
	);
}

/** @throws InputError if items contradict each other, or cannot be merged */
function writeOf(
	{ items, product }: Group,
	mergesLists: boolean,
	readMs: number | undefined,
): ProductWrite {
	const { ownFields, variantChanges: entered, hasList } = joinedFields(items);
	const isMerged = product !== undefined && hasList && mergesLists;
	const variantChanges = isMerged ? namedByProduct(entered, product) : entered;
	const sku = skuToSend(items, product);
	const fields: IDataObject = { ...(sku !== '' && { sku }), ...ownFields };
	if (isMerged) fields.variants = mergeVariants(product.variants, variantChanges);
	else if (hasList) fields.variants = variantChanges;
	const isAsEntered = items.length === 1 && !isMerged && sku === skuOfItem(items[0]);
	const sent = isAsEntered ? items[0].fields : fields;
	return { items, sku, fields: sent, isAsEntered, product, ownFields, variantChanges, readMs };
}

/** The SKU that names the product in a batch: one that the shop's product has, so that no second one is made. */
function skuToSend(items: readonly BulkItem[], product: IDataObject | undefined): string {
	const skus = items.flatMap(({ fields }) => skusOf(fields)).filter(Boolean);
	if (product === undefined) return skus[0] ?? '';
	const shopSkus = skusOf(product);
	return skus.find((sku) => shopSkus.includes(sku)) ?? shopSkus[0] ?? '';
}

/**
 * A row without a SKU is about the one variant that its product has.
 *
 * @throws InputError if it has several, or if another row says something else of that one: then the row may be about a
 *   new variant
 */
function namedByProduct(changes: readonly IDataObject[], { variants }: IDataObject): IDataObject[] {
	if (changes.every(({ sku }) => sku !== undefined)) return [...changes];
	const [{ sku } = {} as IDataObject, ...others] = objectsIn(variants);
	const isOne = typeof sku === 'string' && others.length === 0;
	const named = changes.map((change) => ({ ...change, sku: change.sku ?? sku }));
	if (isOne && saidTwice(named).length === 0) return named;
	throw new InputError(
		'SKU',
		isOne
			? 'is empty, and another row says something else of the product’s one variant'
			: `is empty, and the product has ${objectsIn(variants).length} variants`,
		'Nothing was sent for this product. Enter the SKU of each variant, or leave its prices out.',
	);
}

/**
 * Joins what the items of one product say. Of two rows with the same SKU the later one counts, unless they were joined
 * by their handles.
 *
 * @throws InputError if rows of different SKUs say different things about the product
 */
function joinedFields(items: readonly BulkItem[]) {
	const ofSku = new Map<unknown, { row: number; fields: IDataObject }>();
	const variants = new Map<unknown, IDataObject>();
	let hasList = false;
	for (const item of items) {
		const { sku, variants: changes, prices, ...fields } = item.fields;
		// Two handles are two products, also if they share a SKU.
		const key = item.names === undefined ? sku : item;
		ofSku.set(key, { row: item.row, fields: { ...ofSku.get(key)?.fields, ...fields } });
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
	const own = new Agreed('product');
	for (const { row, fields } of ofSku.values()) own.add(row, fields);
	return { ownFields: own.fields, variantChanges: [...variants.values()], hasList };
}

function joinedVariant(earlier: IDataObject | undefined, change: IDataObject): IDataObject {
	if (earlier === undefined || !isListOfObjects(earlier.prices) || !isListOfObjects(change.prices))
		return { ...earlier, ...change };
	const prices = new Map(
		[...earlier.prices, ...change.prices].map((price) => [currencyKey(price.currency), price]),
	);
	return { ...earlier, ...change, prices: [...prices.values()] };
}

/** Tells of rows that are a product of their own each, although they have one handle. */
export async function tellOfHandles({ items, report, parameter }: BulkCall): Promise<void> {
	if (parameter('productPer', 'sku') === 'handle') return;
	const rowsByHandle = new Map<string, number[]>();
	for (const { fields, row } of items) {
		await nextTurn();
		if (!saysNothing(fields.handle)) addTo(rowsByHandle, String(fields.handle), row);
	}
	const rows = repeatedRows(rowsByHandle, (row) => row);
	if (rows !== '')
		report.hint(
			`Several rows have one handle: ${rows}. Each is a product of its own. To make one product of them, use Input Item and set 'One Product Per' to Handle.`,
		);
}
