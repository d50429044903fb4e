import type { IDataObject } from 'n8n-workflow';

import { findErrorCode, findErrorMessage, findRequestId } from '../../shared/errors/errorBody';
import type { ProblemDetails } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { describe, saysNothing, wholeOf } from '../../shared/values/readers';
import type { HeldItem } from '../run/heldItem';
import { saysTrouble, skuKey, skuOf, skusOf, type UpsertResult } from './products';
import { isUnchanged } from './unchanged';

/** What became of one operation of a batch. */
export type OperationResult =
	/** Written. `record` is the product, where the answer shows it, and `result` where it is known. */
	| { kind: 'done'; record?: IDataObject; result?: UpsertResult }
	| { kind: 'failed'; details: ProblemDetails }
	/** It may be written or not: the answer does not say it in a way that has one reading. */
	| { kind: 'notConfirmed'; reason: string };

/**
 * What shows that an operation was done: statuses (RFC 9110, 9.3.4: 201 for what was created), and words that leave no
 * doubt, since the document shows none.
 */
const DONE = new Map<unknown, UpsertResult | undefined>([
	['200', 'updated'],
	['201', 'created'],
	['204', 'updated'],
	['created', 'created'],
	['updated', 'updated'],
	['unchanged', 'unchanged'],
	['upserted', undefined],
	['ok', undefined],
	['success', undefined],
	['succeeded', undefined],
]);

/** The states of a product (API document, "States and transitions"). */
const PRODUCT_STATES: readonly unknown[] = ['draft', 'published'];

/** What a result may hold beside its verdict and its product. Of any other field it is not known what it says. */
const RESULT_FIELDS: readonly string[] = ['index', 'sku', 'request_id'];

/** Counts of the results that an answer may have beside their list, where all are done. */
const COUNTS: readonly string[] = ['total', 'processed', 'succeeded'];

/** What only a product has (API document, "Product"), beside its ID. */
const OWN_FIELDS = ['title', 'handle', 'variants'];

/** All that a product is known to have; the times are those that lists are filtered and sorted by. */
const PRODUCT_FIELDS =
	'title handle variants description categories prices created_at updated_at'.split(' ');

/**
 * Reads the answer to a batch: what became of each operation. The document promises "per-item results" and shows no
 * body. Read are a list under `data`, `results` or both, or a bare one, whose entries name their operation by SKU, by
 * a whole count from 0 or from 1, or by their place in a list that is whole. An operation is done only if its entry
 * shows that; whatever is missing or has another reading is not confirmed.
 *
 * @param items as they were sent, all of different SKUs
 * @param body as parsed; undefined where there was none
 * @returns a result for each item, in the same order
 */
export function readBatchResults(items: readonly HeldItem[], body: unknown): OperationResult[] {
	const outer = isObject(body) ? body : {};
	const inner = isObject(outer.data) ? outer.data : {};
	const lists: unknown[] = [body, outer.data, outer.results, inner.results];
	const entries = lists.find((list): list is unknown[] => Array.isArray(list)) ?? [];
	const places = placesOf(entries, items);
	const results = items.map((item, at) => {
		const [entry, ...others] = entries.filter((_, order) => places[order] === at);
		if (entry === undefined) return notConfirmed('the answer has no result for it');
		if (others.length > 0) return notConfirmed('the answer has several results for it');
		return resultOf(entry, item);
	});
	const odd = [...Object.entries(outer), ...Object.entries(inner)].find(([name, value]) => {
		const isList = value === entries || value === inner || name === 'pagination';
		const isCount = value === (COUNTS.includes(name) ? entries.length : 0);
		return !isList && !isCount && !isKnown(name, value);
	});
	// Where one has failed, what stands beside the list may speak of that one.
	if (odd === undefined || results.some(({ kind }) => kind === 'failed')) return results;
	const doubt = notConfirmed(`the answer has ${saying(odd)}`);
	return results.map((one) => (one.kind === 'done' ? doubt : one));
}

/** In the place of an operation: the entry names a SKU that was not sent. */
const NOT_SENT = -1;

/** The item that each entry is about, by its position; undefined where it names none, or contradicts itself. */
function placesOf(
	entries: readonly unknown[],
	items: readonly HeldItem[],
): Array<number | undefined> {
	const positions = new Map(items.map(({ sku }, position) => [skuKey(sku), position]));
	const bySku = entries.map((entry) => placeBySku(entry, positions));
	const indexes = entries.map((entry) => (isObject(entry) ? wholeOf(entry.index) : undefined));
	const isWhole = entries.length === items.length;
	// Of a count from 0 or from 1, where it is whole.
	const byIndex = [0, 1]
		.map((first) => indexes.map((index = Number.NaN) => index - first))
		.find((places) => isWhole && [...places.keys()].every((place) => places.includes(place)));
	const hasIndexes = indexes.some((index) => index !== undefined);
	const others = isWhole && !hasIndexes ? [...entries.keys()] : byIndex;
	const fits = bySku.every((place, at) => place === undefined || place === others?.[at]);
	return bySku.map((place, at) => {
		if (place === undefined) return fits ? others?.[at] : undefined;
		return (byIndex ?? bySku)[at] === place ? place : undefined;
	});
}

/** @returns undefined where the entry names no SKU, or those of several operations */
function placeBySku(entry: unknown, positions: Map<string, number>): number | undefined {
	if (!isObject(entry)) return undefined;
	const product = productIn(entry);
	const own = skuOf(entry);
	const skus = own === undefined || product === entry ? skusOf(product ?? {}) : [own];
	const [first = NOT_SENT, ...more] = new Set(
		skus.flatMap((sku) => positions.get(skuKey(sku)) ?? []),
	);
	return skus.length === 0 || more.length > 0 ? undefined : first;
}

/** The product that a result shows: under a name of its own, or the result itself. */
function productIn(result: IDataObject): IDataObject | undefined {
	const inner = [result.data, result.product].find((one) => isObject(one) && !saysNothing(one));
	if (inner !== undefined) return inner as IDataObject;
	return isId(result.id) && OWN_FIELDS.some((name) => name in result) ? result : undefined;
}

/** A field that leaves a doubt. */
type Odd = [name: string, value: unknown];

/** Reads what one result says. It is done only if something says so and nothing says otherwise. */
function resultOf(entry: unknown, item: HeldItem): OperationResult {
	const result = isObject(entry) ? entry : {};
	const product = productIn(result);
	const isTold = DONE.has(wordOf(result.status)) || result.success === true;
	if (!isTold && !isId(product?.id)) {
		const details = failureIn(result);
		if (details !== undefined) return { kind: 'failed', details };
		return notConfirmed(`its result is only ${describe(entry)}`);
	}
	const beside = Object.entries(result).filter(([, value]) => value !== product);
	const odd =
		beside.find(([name, value]) => !isKnown(name, value, product === result ? item : undefined)) ??
		(product && oddInProduct(product, isTold, item));
	if (odd !== undefined) return notConfirmed(`its result has ${saying(odd)}`);
	return { kind: 'done', record: product, result: DONE.get(wordOf(result.status)) };
}

/** What the platform says of an operation that it did not do. */
function failureIn(result: IDataObject): ProblemDetails | undefined {
	const error: unknown = [result.error, result.errors].find((one) => !saysNothing(one));
	const status = wholeOf(result.status);
	// These words alone are taken for it.
	const isFailed = ['failed', 'error'].includes(wordOf(result.status)) || result.success === false;
	if (error === undefined && (status ?? 0) < 400 && !isFailed) return undefined;
	const body = error ?? result;
	const [first] = [body].flat();
	return {
		status: status ?? (isObject(first) ? wholeOf(first.status) : undefined),
		code: findErrorCode(body) ?? findErrorCode(result),
		platformMessage:
			typeof first === 'string' ? first : (findErrorMessage(body) ?? findErrorMessage(result)),
		requestId: findRequestId(result, {}),
	};
}

/**
 * Whether it is known that a field of a result does not say that the operation failed.
 *
 * @param item whose product has the field; undefined for a field beside the product
 */
function isKnown(name: string, value: unknown, item?: HeldItem): boolean {
	if (name === 'id') return isId(value);
	if (name === 'success') return value === true;
	if (saysNothing(value) || (RESULT_FIELDS.includes(name) && typeof value !== 'object'))
		return true;
	if (name === 'op') return value === 'upsert';
	if (name === 'status')
		return DONE.has(wordOf(value)) || (item !== undefined && PRODUCT_STATES.includes(value));
	const sent = item?.fields[name];
	if (item !== undefined && PRODUCT_FIELDS.includes(name) && typeof sent !== 'string') return true;
	return sent !== undefined && isUnchanged(sent, value);
}

/**
 * What leaves a doubt in a product that a result shows. Where the result says by itself that it is done, the product is
 * its record: of a shop's own fields only those that tell of trouble leave a doubt. Where it is all that
 * speaks for the result, every field of it must be known.
 */
function oddInProduct(product: IDataObject, isTold: boolean, item: HeldItem): Odd | undefined {
	const skus = skusOf(product).map(skuKey);
	if (!isId(product.id)) return ['id', product.id];
	if (skus.length > 0 && !skus.includes(skuKey(item.sku))) return ['sku', skus];
	return Object.entries(product).find(([name, value]) =>
		isTold ? saysTrouble(name, value) : !isKnown(name, value, item),
	);
}

/** A status as the table has it. */
const wordOf = (status: unknown): string =>
	typeof status === 'object' ? '' : String(status).toLowerCase();

const isId = (id: unknown): boolean =>
	(typeof id === 'string' && id.trim() !== '') || (typeof id === 'number' && id > 0);

const saying = ([name, value]: Odd) => `“${name}”: ${describe(value)}`;

const notConfirmed = (reason: string): OperationResult => ({ kind: 'notConfirmed', reason });
