import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../shared/rest/client';
import { nextTurn } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import { isListOfObjects } from '../../shared/values/json';
import type { BulkCall, BulkItem, RecordSource } from '../runner/operation';
import { findRecords } from '../runner/lookup';
import { currencyKey, mergeVariants, readProduct, tellSaidTwice } from './merge';
import { objectsIn, type ProductWrite, skuOfItem, skusOf } from './products';
import { Agreed } from './rows';
import { type Difference, differences } from './unchanged';

/** Marks a key that is a handle. */
const HANDLE = 'handle:';

/** How products are found by the SKUs of their variants, or by their handles. */
export const productsByNames: RecordSource = {
	list: () => ({ method: 'GET', path: '/products' }),
	requestFor: (key) => {
		const query = key.startsWith(HANDLE) ? { q: key.slice(HANDLE.length) } : { sku: key };
		return { method: 'GET', path: '/products', query };
	},
	keysOf: (product) => [
		...skusOf(product),
		...(typeof product.handle === 'string' ? [HANDLE + product.handle] : []),
	],
	// An empty list says that there are no variants; a missing one says nothing.
	isShort: ({ id, ...product }) =>
		typeof id === 'string' &&
		skusOf(product).length === 0 &&
		!(Array.isArray(product.variants) && product.variants.length === 0),
};

/** The names that may lead to an item's product: SKUs, and the handle if it was joined from rows with one handle. */
function namesOf({ fields, names }: BulkItem): readonly string[] {
	if (names === undefined) return skusOf(fields);
	return typeof fields.handle === 'string' ? [HANDLE + fields.handle, ...names] : names;
}

/** A spreadsheet takes the leading zero of a UPC or EAN. It then has at least so many digits. */
const SHORTENED = /^[1-9]\d{5,12}$/;

/** All that is looked up to find the products of items. */
export function namesToLookUp(items: readonly BulkItem[]): string[] {
	const names = items.flatMap(namesOf);
	const whole = names.filter((name) => SHORTENED.test(name)).map((name) => `0${name}`);
	return [...new Set([...names, ...whole])];
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
 * @param reads what is read of the shop: nothing; the products that the items are about; or also their lists of
 *   variants, into which those of the items are merged, so that nothing else is lost
 * @returns the writes in input order; items that cannot be written, or contradict each other, are reported as failed
 * @throws PlatformError
 */
export async function plannedWrites(
	call: BulkCall,
	items: readonly BulkItem[],
	reads: 'nothing' | 'products' | 'lists',
): Promise<ProductWrite[]> {
	const isRead = reads !== 'nothing' && items.some(({ hasResult }) => !hasResult);
	const names = new Set<string>();
	for (const item of isRead ? items : []) {
		await nextTurn();
		for (const name of namesToLookUp([item])) names.add(name);
	}
	const readMs = isRead ? call.client.clock.monotonic() : undefined;
	const products = await findRecords(call, productsByNames, [...names]);
	const groups = new Map<unknown, Group>();
	for (const item of items) {
		await nextTurn();
		tellSaidTwice(objectsIn(item.fields.variants), (text) => call.report.hint(text));
		try {
			const product = productOf(item, products);
			const key = product?.id ?? (skuOfItem(item) || item);
			const group = groups.get(key) ?? { items: [], product };
			group.items.push(item);
			groups.set(key, group);
		} catch (error) {
			call.failed([item], error);
		}
	}
	if (reads === 'lists') await completeVariants(call, [...groups.values()]);
	const writes: ProductWrite[] = [];
	for (const group of groups.values()) {
		await nextTurn();
		try {
			writes.push({ ...writeOf(group, reads === 'lists'), readMs });
		} catch (error) {
			for (const item of group.items) call.failed([item], error);
		}
	}
	return writes;
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
	const names = namesOf(item);
	const matches = new Map(
		names.flatMap((name) => products.get(name) ?? []).map((product) => [product.id, product]),
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
	const longer = names.find((name) => (products.get(`0${name}`) ?? []).length > 0);
	if (product !== undefined || longer === undefined) return product;
	throw new InputError(
		'SKU',
		`“${longer}” is not in the shop, but “0${longer}” is`,
		'Nothing was sent for it. A spreadsheet may have taken the zero: format the column as text.',
	);
}

/** @throws InputError if items contradict each other, or cannot be merged */
function writeOf({ items, product }: Group, mergesLists: boolean): ProductWrite {
	const { body, variantChanges, hasList } = joinedFields(items);
	const isMerged = product !== undefined && hasList && mergesLists;
	const sku = skuToSend(items, product);
	const fields: IDataObject = { ...(sku !== '' && { sku }), ...body };
	if (isMerged)
		fields.variants = mergeVariants(product.variants, namedByProduct(variantChanges, product));
	else if (hasList) fields.variants = variantChanges;
	const isAsEntered = items.length === 1 && !isMerged && sku === skuOfItem(items[0]);
	const sent = isAsEntered ? items[0].fields : fields;
	return { items, sku, fields: sent, isAsEntered, product, body, variantChanges };
}

/** The SKU that names the product in a batch: one that the shop's product has, so that no second one is made. */
function skuToSend(items: readonly BulkItem[], product: IDataObject | undefined): string {
	const skus = items.flatMap(({ fields }) => skusOf(fields)).filter(Boolean);
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
	const ofSku = new Map<unknown, { row: number; fields: IDataObject }>();
	const variants = new Map<unknown, IDataObject>();
	let hasList = false;
	for (const { row, fields: said } of items) {
		const { sku, variants: changes, prices, ...fields } = said;
		ofSku.set(sku, { row, fields: { ...ofSku.get(sku)?.fields, ...fields } });
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
	const body = new Agreed('product');
	for (const { row, fields } of ofSku.values()) body.add(row, fields);
	return { body: body.fields, variantChanges: [...variants.values()], hasList };
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
export function* changesOf({ fields, product, body }: ProductWrite): Generator<Difference, void> {
	const { sku, variants, prices } = fields;
	yield* differences({ ...body, variants }, product ?? {});
	// The product's own prices may be something else, such as a range from the lowest to the highest.
	const variant = objectsIn(product?.variants).find((entry) => entry.sku === sku);
	yield* differences(prices, (variant ?? product)?.prices, 'prices');
}
