import type { IDataObject } from 'n8n-workflow';

import { type Sign, signsOf, snakeCase, verdictOfStatus } from '../../shared/shop/verdict';
import { isObject } from '../../shared/values/json';
import { saysNothing, wholeOf } from '../../shared/values/readers';
import { skuKey } from './skuKey';
import type { BulkItem } from '../runner/bulkItem';
import { skuOf, skusOf } from './products';

/** An entry of a list in the answer to a batch. */
export interface Entry {
	value: unknown;
	/** What the name of its list says about it, if the answer has lists by outcome: `created`, `errors`. */
	listSigns: Sign[];
}

/** How many levels of objects may surround the list of results. */
const MAX_LIST_DEPTH = 3;

/** Names of lists that do not speak of operations. */
const OTHER_LIST = /(?:^|_)(?:warnings?|links?|messages?|notices?|pagination|meta)(?:_|$)/;

/**
 * Finds the entries of all results in the answer to a batch: in a bare list, in the lists of the outermost object that
 * has any, or in an object that has the results by SKU.
 */
export function entriesIn(body: unknown, items: readonly BulkItem[]): Entry[] {
	if (Array.isArray(body)) return body.map((value: unknown) => ({ value, listSigns: [] }));
	const skus = new Set(items.map(({ sku }) => sku));
	for (let level = [body], depth = 0; depth < MAX_LIST_DEPTH; depth++) {
		const objects = level.filter(isObject);
		const entries = objects.flatMap((object) =>
			Object.entries(object).flatMap(([name, value]) =>
				skus.has(name) && isObject(value)
					? [{ value: { sku: name, ...value }, listSigns: [] }]
					: entriesOfList(name, value),
			),
		);
		if (entries.length > 0) return entries;
		level = objects.flatMap((object) => Object.values(object));
	}
	return [];
}

function entriesOfList(name: string, list: unknown): Entry[] {
	const plainName = snakeCase(name);
	if (!Array.isArray(list) || OTHER_LIST.test(plainName)) return [];
	if (!list.some(isObject)) return [];
	const isDone = verdictOfStatus(plainName) === 'done';
	// The name of the list is a verdict on each of its entries. Its content must not be shown as the reason of one entry.
	const listSigns = isDone ? signsOf({ status: name }) : withoutValues(signsOf({ [name]: list }));
	return list.map((value: unknown) => ({ value, listSigns }));
}

const withoutValues = (signs: readonly Sign[]): Sign[] =>
	signs.map((sign) => ({ ...sign, value: undefined }));

/** Fields that only a product has, besides its ID (API document, "Product"). */
const PRODUCT_FIELDS = ['title', 'handle', 'variants'];

/** Names of the objects in which an entry holds its product, or repeats its operation. */
const INNER_NAME =
	/^(?:operation|op|input|request|item|data|result|response|body|value|payload|resource|record|entity|product)$/;

const innerObjects = (entry: IDataObject): IDataObject[] =>
	Object.entries(entry).flatMap(([name, value]) =>
		INNER_NAME.test(snakeCase(name)) && isObject(value) ? [value] : [],
	);

/** How many levels of objects in an entry are searched. */
const MAX_ENTRY_DEPTH = 2;

/**
 * Finds the product that an entry shows: in its field `product`, in the entry itself, or in an inner object. An inner
 * object that has an ID, and says nothing about the write, counts as the product.
 */
export function productIn(entry: IDataObject, depth = 0): IDataObject | undefined {
	const { id, product } = entry;
	if (isObject(product) && !saysNothing(product)) return product;
	const isShortRecord = depth > 0 && signsOf(entry).length === 0;
	if (Boolean(id) && (isShortRecord || PRODUCT_FIELDS.some((name) => name in entry))) return entry;
	if (depth === MAX_ENTRY_DEPTH) return undefined;
	return innerObjects(entry)
		.map((inner) => productIn(inner, depth + 1))
		.find((innerProduct) => innerProduct !== undefined);
}

/**
 * Finds the operation that each entry is about, as its position in the batch. An entry names it by SKU or by an index.
 * If the list is complete and has neither, its order says it.
 *
 * @returns undefined for an entry that names no operation, or contradicts itself
 */
export function operationPositions(
	entries: readonly Entry[],
	items: readonly BulkItem[],
): Array<number | undefined> {
	const skuPositions = positionsBySku(items);
	const bySku = entries.map(({ value }) => positionsNamedIn(value, skuPositions));
	const indexName = bySku.some((named) => named !== undefined) ? INDEX_NAME : NUMBER_NAME;
	const indexes = entries.map(({ value }) => indexIn(value, indexName));
	const byIndex = positionsByIndex(indexes, items.length);
	const isInOrder =
		entries.length === items.length &&
		entries.every(
			({ listSigns }, entryIndex) => listSigns.length === 0 && indexes[entryIndex] === undefined,
		);
	const otherPositions = byIndex ?? (isInOrder ? [...entries.keys()] : undefined);
	const isContradicted = bySku.some(
		(named, entryIndex) => named && !named.includes(otherPositions?.[entryIndex] ?? -1),
	);
	return bySku.map((named, entryIndex) => {
		if (named === undefined) return isContradicted ? undefined : otherPositions?.[entryIndex];
		if (byIndex !== undefined)
			return named.includes(byIndex[entryIndex]) ? byIndex[entryIndex] : undefined;
		return named.length === 1 ? named[0] : undefined;
	});
}

/**
 * The positions of the items by SKU. The SKU of an item's variant counts too, unless another item has it as its own.
 */
function positionsBySku(items: readonly BulkItem[]): Map<string, number> {
	const positions = new Map<string, number>();
	for (const [position, { fields }] of items.entries())
		for (const sku of skusOf(fields)) positions.set(skuKey(sku), position);
	for (const [position, { sku }] of items.entries()) positions.set(skuKey(sku), position);
	return positions;
}

/** Names of fields in which an entry may repeat the SKU of its operation. */
const ALIAS_NAME = /(?:^|_)(?:id|key|ref|reference|identifier|code|number|article|item|product)$/;

/**
 * @returns the positions of the operations whose SKUs an entry names, none if they are not in the batch; undefined if
 *   the entry names no SKU
 */
function positionsNamedIn(entry: unknown, positions: Map<string, number>): number[] | undefined {
	if (!isObject(entry)) return undefined;
	const product = productIn(entry);
	const entrySkus = product === entry ? [] : skusNamedIn(entry);
	const aliases = Object.entries(entry).flatMap(([name, value]) =>
		ALIAS_NAME.test(snakeCase(name)) ? (skuOf({ sku: value }) ?? []) : [],
	);
	const alias = aliases.find((sku) => positions.has(skuKey(sku)));
	const productSkus = product === undefined ? [] : skusOf(product);
	const skus =
		[entrySkus, alias === undefined ? [] : [alias], productSkus].find((list) => list.length > 0) ??
		[];
	if (skus.length === 0) return undefined;
	return [...new Set(skus.flatMap((sku) => positions.get(skuKey(sku)) ?? []))];
}

/** The SKUs in an entry's own fields; if there are none, those in the objects that repeat its operation. */
function skusNamedIn(entry: IDataObject, depth = 0): string[] {
	const skus = Object.entries(entry).flatMap(([name, value]) =>
		/(?:^|_)sku$/.test(snakeCase(name)) ? (skuOf({ sku: value }) ?? []) : [],
	);
	if (skus.length > 0 || depth === MAX_ENTRY_DEPTH) return skus;
	return innerObjects(entry)
		.filter((inner) => inner !== productIn(inner))
		.flatMap((inner) => skusNamedIn(inner, depth + 1));
}

const INDEX_NAME = /(?:^|_)(?:index|idx)$/;

/** Names of a number that may be an index. They count only if no entry names a SKU. */
const NUMBER_NAME =
	/(?:^|_)(?:index|idx|pos|position|row|line|number|num|no|nr|sequence|seq|ordinal|i|n)$/;

/** The whole number that an entry has under such a name. */
function indexIn(entry: unknown, indexName: RegExp): number | undefined {
	const [, index] =
		Object.entries(isObject(entry) ? entry : {}).find(
			([name, value]) => indexName.test(snakeCase(name)) && wholeOf(value) !== undefined,
		) ?? [];
	return wholeOf(index);
}

/** The positions by index, if the indexes of all entries count from 0 or from 1 without a gap. */
function positionsByIndex(
	indexes: ReadonlyArray<number | undefined>,
	operationCount: number,
): number[] | undefined {
	if (indexes.length !== operationCount) return undefined;
	return [0, 1]
		.map((firstIndex) => indexes.map((index = Number.NaN) => index - firstIndex))
		.find((positions) => [...positions.keys()].every((position) => positions.includes(position)));
}
