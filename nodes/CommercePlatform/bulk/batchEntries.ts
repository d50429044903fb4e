import type { IDataObject } from 'n8n-workflow';

import { type Sign, signsOf, snakeCase, verdictOfStatus } from '../../shared/errors/verdict';
import { isObject } from '../../shared/values/json';
import { saysNothing, wholeOf } from '../../shared/values/readers';
import { skuKey } from '../model/skuKey';
import type { BulkItem } from '../run/bulkItem';
import { skuOf, skusOf } from './products';

/** An entry of a list in the answer to a batch. */
export interface Entry {
	value: unknown;
	/** What the name of its list says of it, where there are lists by outcome: `created`, `errors`. */
	listed: Sign[];
}

/** Levels of objects around the list of results. */
const MAX_LIST_DEPTH = 3;

/** Lists of an answer that do not speak of operations. */
const OTHER_LIST = /(?:^|_)(?:warnings?|links?|messages?|notices?|pagination|meta)(?:_|$)/;

/**
 * The entries of all results in the answer to a batch: of a bare list, or of the lists in the outermost object that has
 * any; or of an object that has them by SKU.
 */
export function entriesIn(body: unknown, items: readonly BulkItem[]): Entry[] {
	if (Array.isArray(body)) return body.map((value: unknown) => ({ value, listed: [] }));
	const skus = new Set(items.map(({ sku }) => sku));
	for (let level = [body], depth = 0; depth < MAX_LIST_DEPTH; depth++) {
		const objects = level.filter(isObject);
		const entries = objects.flatMap((object) =>
			Object.entries(object).flatMap(([name, value]) =>
				skus.has(name) && isObject(value)
					? [{ value: { sku: name, ...value }, listed: [] }]
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
	// The word of the list is that of each entry, and the reason of a failure is the entry's.
	const listed = isDone ? signsOf({ status: name }) : withoutValues(signsOf({ [name]: list }));
	return list.map((value: unknown) => ({ value, listed }));
}

const withoutValues = (signs: readonly Sign[]): Sign[] =>
	signs.map((sign) => ({ ...sign, value: undefined }));

/** What only a product has (API document, "Product"), beside its ID. */
const PRODUCT_FIELDS = ['title', 'handle', 'variants'];

/** Names of the objects in which an entry has its product, or repeats what it is about. */
const INNER_NAME =
	/^(?:operation|op|input|request|item|data|result|response|body|value|payload|resource|record|entity|product)$/;

const innerObjects = (entry: IDataObject): IDataObject[] =>
	Object.entries(entry).flatMap(([name, value]) =>
		INNER_NAME.test(snakeCase(name)) && isObject(value) ? [value] : [],
	);

/** Levels of objects in an entry that are looked at. */
const MAX_ENTRY_DEPTH = 2;

/**
 * The product that an entry shows: under a name of its own, or the entry itself. An inner object that has an ID, and
 * says nothing of the write, is a short record of it.
 */
export function productIn(entry: IDataObject, depth = 0): IDataObject | undefined {
	const { id, product } = entry;
	if (isObject(product) && !saysNothing(product)) return product;
	const isShort = depth > 0 && signsOf(entry).length === 0;
	if (Boolean(id) && (isShort || PRODUCT_FIELDS.some((name) => name in entry))) return entry;
	if (depth === MAX_ENTRY_DEPTH) return undefined;
	return innerObjects(entry)
		.map((inner) => productIn(inner, depth + 1))
		.find((found) => found !== undefined);
}

/**
 * The operation that each entry is about, by its position in the batch: by SKU, by an index, or by its place in a list
 * that is whole.
 *
 * @returns undefined for an entry that names none, or contradicts itself
 */
export function operationPositions(
	entries: readonly Entry[],
	items: readonly BulkItem[],
): Array<number | undefined> {
	const positions = positionsOf(items);
	const bySku = entries.map(({ value }) => placesBySku(value, positions));
	const indexName = bySku.some((named) => named !== undefined) ? INDEX_NAME : COUNT_NAME;
	const indexes = entries.map(({ value }) => indexOf(value, indexName));
	const byIndex = placesByIndex(indexes, items.length);
	const isInOrder =
		entries.length === items.length &&
		entries.every(({ listed }, order) => listed.length === 0 && indexes[order] === undefined);
	const others = byIndex ?? (isInOrder ? [...entries.keys()] : undefined);
	const contradicts = bySku.some((named, order) => named && !named.includes(others?.[order] ?? -1));
	return bySku.map((named, order) => {
		if (named === undefined) return contradicts ? undefined : others?.[order];
		if (byIndex !== undefined) return named.includes(byIndex[order]) ? byIndex[order] : undefined;
		return named.length === 1 ? named[0] : undefined;
	});
}

/** The positions of the items by SKU; a variant that an item holds names it too, unless another item has its SKU. */
function positionsOf(items: readonly BulkItem[]): Map<string, number> {
	const positions = new Map<string, number>();
	for (const [position, { fields }] of items.entries())
		for (const sku of skusOf(fields)) positions.set(skuKey(sku), position);
	for (const [position, { sku }] of items.entries()) positions.set(skuKey(sku), position);
	return positions;
}

/** Names under which an entry may have the SKU of its operation. */
const ALIAS_NAME = /(?:^|_)(?:id|key|ref|reference|identifier|code|number|article|item|product)$/;

/** @returns the operations that an entry names by SKUs, none if it names others; undefined if it names no SKU */
function placesBySku(entry: unknown, positions: Map<string, number>): number[] | undefined {
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

/** The SKUs that an entry has itself, else those in the objects that repeat what it is about. */
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

/** Names of a count that may be an index, where no entry names a SKU. */
const COUNT_NAME =
	/(?:^|_)(?:index|idx|pos|position|row|line|number|num|no|nr|sequence|seq|ordinal|i|n)$/;

/** The index that an entry has under one of some names. */
function indexOf(entry: unknown, indexName: RegExp): number | undefined {
	const [, index] =
		Object.entries(isObject(entry) ? entry : {}).find(
			([name, value]) => indexName.test(snakeCase(name)) && wholeOf(value) !== undefined,
		) ?? [];
	return wholeOf(index);
}

/** The places by index, where all entries together count from 0 or from 1. */
function placesByIndex(
	indexes: ReadonlyArray<number | undefined>,
	count: number,
): number[] | undefined {
	if (indexes.length !== count) return undefined;
	return [0, 1]
		.map((first) => indexes.map((index = Number.NaN) => index - first))
		.find((places) => [...places.keys()].every((place) => places.includes(place)));
}
