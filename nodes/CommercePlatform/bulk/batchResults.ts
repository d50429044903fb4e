import type { IDataObject } from 'n8n-workflow';

import { findErrorCode, findErrorMessage, findRequestId } from '../../shared/errors/errorBody';
import { isObject } from '../../shared/values/json';
import { skuKey, skuOf, skusOf, type UpsertResult } from './products';

/** What the platform says of an operation that it refused. */
export interface OperationError {
	/** HTTP's meaning, e.g. 422. */
	status?: number;
	/** The platform's own code, e.g. `INVALID_PARAMETER`. */
	code?: string;
	message?: string;
	requestId?: string;
}

/** What became of one operation of a batch. */
type OperationResult =
	/** Written. `record` is the product, where the answer shows it, and `result` where it is known. */
	| { kind: 'done'; record?: IDataObject; result?: UpsertResult }
	| { kind: 'failed'; error: OperationError }
	/** It may be written or not: the answer does not say it in a way that has one reading. */
	| { kind: 'notConfirmed'; reason: string };

/**
 * What shows that an operation was done: statuses (RFC 9110, 9.3.4: 201 for what was created), and words that leave no
 * doubt, since the document shows none.
 */
const DONE = new Map<number | string, UpsertResult | undefined>([
	[200, 'updated'],
	[201, 'created'],
	[204, 'updated'],
	['created', 'created'],
	['updated', 'updated'],
	['unchanged', 'unchanged'],
	['upserted', undefined],
	['ok', undefined],
	['success', undefined],
	['succeeded', undefined],
]);

/** The words for a failure that are taken. */
const FAILED_WORDS: readonly unknown[] = ['failed', 'error'];

/** The states of a product (API document, "States and transitions"). */
const PRODUCT_STATES: readonly unknown[] = ['draft', 'published'];

/** What a result may hold beside its verdict. Of any other field it is not known what it says. */
const RESULT_KEYS: readonly string[] = ['index', 'sku', 'op', 'request_id'];
const RECORD_KEYS: readonly string[] = ['data', 'product'];

/** What only a product has (API document, "Product"), beside its ID. */
const PRODUCT_KEYS = ['title', 'handle', 'variants'] as const;

/** Names of what says in a product, which may have fields of any name, that something is wrong. */
const SAYS_OTHERWISE = /error|^(code|details?|failed|failures?|message|reason)$/i;

/** Longest part of a value in a message. Characters. */
const MAX_SHOWN = 100;

/**
 * Reads the answer to a batch: what became of each operation. The document promises "per-item results" and shows no
 * body. Read are a list under `data`, `results` or both, or a bare one, whose entries name their operation by SKU, by
 * index, or by their place in a list that is whole. An operation is done only if its entry shows that; whatever is
 * missing or has another reading is not confirmed.
 *
 * @param skus of the operations, in the order in which they were sent, all different
 * @param body as parsed; undefined where there was none
 * @returns a result for each operation, in the same order
 */
export function readBatchResults(skus: readonly string[], body: unknown): OperationResult[] {
	const entries = entriesOf(body);
	const places = placesOf(entries, skus);
	return skus.map((sku, at) => {
		const own = places.flatMap((place, order) => (place.includes(at) ? [order] : []));
		if (own.length === 0) return notConfirmed('the answer has no result for it');
		if (own.length > 1) return notConfirmed('the answer has several results for it');
		if (places[own[0]].length > 1) return notConfirmed('the answer contradicts itself about it');
		return resultOf(entries[own[0]], sku);
	});
}

function entriesOf(body: unknown): unknown[] {
	if (Array.isArray(body)) return body as unknown[];
	if (!isObject(body)) return [];
	const { data, results } = body;
	const inner: unknown = isObject(data) ? data.results : undefined;
	return [data, results, inner].find((list): list is IDataObject[] => Array.isArray(list)) ?? [];
}

/** In the place of an operation: the entry names a SKU that was not sent. */
const NOT_SENT = -1;

/** What an entry says about the operation that it belongs to. */
interface Named {
	/** The operation whose SKU it names, or `NOT_SENT`. */
	bySku?: number;
	/** As the answer counts, from 0 or from 1. */
	index?: number;
}

/** The operations that each entry may be about, by their positions; several where it contradicts itself. */
function placesOf(entries: readonly unknown[], skus: readonly string[]): number[][] {
	const positions = new Map(skus.map((sku, position) => [skuKey(sku), position]));
	const named = entries.map((entry) => nameIn(entry, positions));
	const first = firstIndex(named, skus.length);
	const byIndex = ({ index }: Named) =>
		index === undefined || first === undefined ? undefined : index - first;
	const mayBeIn = (one: Named, order: number) =>
		(one.bySku ?? order) === order && (one.index === undefined ? true : byIndex(one) === order);
	const isWhole = entries.length === skus.length && named.every(mayBeIn);
	return named.map((one, order) => {
		const index = byIndex(one);
		if (one.bySku === NOT_SENT) return [];
		const told = [one.bySku, index].filter((place) => place !== undefined);
		return told.length === 0 && isWhole ? [order] : [...new Set(told)];
	});
}

function nameIn(entry: unknown, positions: Map<string, number>): Named {
	if (!isObject(entry)) return {};
	const index = typeof entry.index === 'string' ? digits(entry.index) : entry.index;
	const own = skuOf(entry);
	const bySku = own === undefined ? undefined : positions.get(skuKey(own));
	const product = productIn(entry);
	// A product's own SKU may be that of another of its variants.
	const isOwn = bySku !== undefined || (own !== undefined && product !== entry);
	return {
		bySku: isOwn ? (bySku ?? NOT_SENT) : positionOf(skusOf(product ?? {}), positions),
		index: typeof index === 'number' && Number.isInteger(index) ? index : undefined,
	};
}

/**
 * The one operation that has one of these SKUs.
 *
 * @returns undefined where there are no SKUs, or several operations have one
 */
function positionOf(skus: readonly string[], positions: Map<string, number>): number | undefined {
	const [first, ...others] = new Set(skus.flatMap((sku) => positions.get(skuKey(sku)) ?? []));
	if (others.length > 0 || skus.length === 0) return undefined;
	return first ?? NOT_SENT;
}

/**
 * Whether the answer counts from 0 or from 1.
 *
 * @returns undefined where that cannot be known
 */
function firstIndex(named: readonly Named[], count: number): number | undefined {
	const agreeing = [0, 1].filter((first) =>
		named.every(({ index = first }) => index >= first && index < first + count),
	);
	if (agreeing.length === 1) return agreeing[0];
	// An entry that names both tells it.
	const bothSay = named.filter(({ index, bySku = NOT_SENT }) => index !== undefined && bySku >= 0);
	const told = new Set(bothSay.map(({ index = 0, bySku = 0 }) => index - bySku));
	const [only] = told;
	return told.size === 1 && agreeing.includes(only) ? only : undefined;
}

/** The product that a result shows: under a name of its own, or the result itself. */
function productIn(result: IDataObject): IDataObject | undefined {
	const inner = [result.data, result.product].find((one) => isObject(one) && !isEmpty(one));
	if (inner !== undefined) return inner as IDataObject;
	return isId(result.id) && PRODUCT_KEYS.some((key) => key in result) ? result : undefined;
}

/** Reads what one result says. It is done only if something says so and nothing says otherwise. */
function resultOf(entry: unknown, sku: string): OperationResult {
	if (!isObject(entry)) return notConfirmed(`its result is only ${shown(entry)}`);
	const product = productIn(entry);
	const verdict = verdictOf(entry.status);
	const isDone = verdict !== undefined || entry.success === true || isId(product?.id);
	const error = errorIn(entry);
	if (!isDone && error !== undefined) return { kind: 'failed', error };
	const doubt = doubtAbout(entry, product, sku);
	if (doubt !== undefined) return notConfirmed(`its result has ${doubt}`);
	if (!isDone) return notConfirmed('its result does not say that it was done');
	return { kind: 'done', record: product, result: verdict?.result };
}

/** What a status says that shows a success. */
function verdictOf(status: unknown): { result?: UpsertResult } | undefined {
	const known = statusNumber(status) ?? (typeof status === 'string' ? status.toLowerCase() : '');
	return DONE.has(known) ? { result: DONE.get(known) } : undefined;
}

/** The error of a result that says it failed. */
function errorIn(result: IDataObject): OperationError | undefined {
	const error: unknown = [result.error, result.errors].find((one) => !isEmpty(one));
	const status = statusNumber(result.status);
	const isFailed = FAILED_WORDS.includes(result.status) || result.success === false;
	if (error === undefined && (status ?? 0) < 400 && !isFailed) return undefined;
	const body = error ?? result;
	const first: unknown = Array.isArray(body) ? body[0] : body;
	return {
		status: status ?? (isObject(first) ? statusNumber(first.status) : undefined),
		code: findErrorCode(body) ?? findErrorCode(result),
		message:
			typeof first === 'string' ? first : (findErrorMessage(body) ?? findErrorMessage(result)),
		requestId: findRequestId(result, {}),
	};
}

/** The first field of a result that says that it may not be done, or is not known to say anything. */
function doubtAbout(
	result: IDataObject,
	product: IDataObject | undefined,
	sku: string,
): string | undefined {
	const isBare = product === result;
	const odd = Object.entries(result).find(([name, value]) => !isFine(name, value, isBare));
	if (odd !== undefined) return `“${odd[0]}”: ${shown(odd[1])}`;
	if (product === undefined) return undefined;
	if (!isId(product.id)) return 'a product without an ID';
	const skus = skusOf(product).map(skuKey);
	if (skus.length > 0 && !skus.includes(skuKey(sku))) return 'a product with other SKUs';
	const hasError = Object.keys(product).some(
		(name) => /error/i.test(name) && !isEmpty(product[name]),
	);
	return hasError ? 'a product with an error' : undefined;
}

/** Whether a field of a result leaves no doubt. */
function isFine(name: string, value: unknown, ofProduct: boolean): boolean {
	if (name === 'id') return isId(value);
	if (name === 'success') return value === true;
	if (isEmpty(value)) return true;
	if (name === 'status')
		return verdictOf(value) !== undefined || (ofProduct && PRODUCT_STATES.includes(value));
	if (ofProduct) return !SAYS_OTHERWISE.test(name);
	return RESULT_KEYS.includes(name) || (RECORD_KEYS.includes(name) && isObject(value));
}

/** An HTTP status, as a number or as digits. */
function statusNumber(status: unknown): number | undefined {
	const number = typeof status === 'string' ? digits(status) : status;
	return typeof number === 'number' && number >= 100 && number < 600 ? number : undefined;
}

const digits = (text: string): number | undefined =>
	/^\d{1,9}$/.test(text) ? Number(text) : undefined;

const isId = (id: unknown): boolean =>
	(typeof id === 'string' && id.trim() !== '') || typeof id === 'number';

/** Whether it says nothing: an `error` that is null, an empty list of errors. */
function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, MAX_SHOWN);

function notConfirmed(reason: string): OperationResult {
	return { kind: 'notConfirmed', reason };
}
