import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { InputError, PlatformError, settled } from '../../shared/errors/errors';
import { isObject, parseExactly } from '../../shared/values/json';
import { isConflict, readRecord } from '../run/each';
import { skuKey } from './products';

/** Others that write this often to one product will not let us win by trying on. Writes, the first included. */
const MAX_WRITES = 4;

/** A tag that If-Match may carry: weak ones never match there (RFC 9110, 13.1.1). */
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;

/** A product as it was read for a write. */
export interface CurrentProduct {
	product: IDataObject;
	/** Of the version that was read. */
	etag?: string;
	/** Its numbers that would change on the way back, as they are written. */
	inexact?: readonly string[];
}

/**
 * Reads a product of which parts are to be sent back.
 *
 * @throws InputError where it is another one, PlatformError
 */
export async function readProduct(
	client: Pick<PlatformClient, 'request'>,
	id: string,
): Promise<CurrentProduct> {
	const request: PlatformRequest = {
		method: 'GET',
		path: '/products/{productId}',
		pathParams: { productId: id },
		pathLabels: { productId: 'Product' },
		forReturn: true,
	};
	const { record, headers, inexact } = await readRecord(
		async (one) => await client.request(one),
		'Product',
		request,
	);
	const { etag = '' } = headers;
	return { product: record, etag: STRONG_TAG.test(etag) ? etag : undefined, inexact };
}

/**
 * The write of a product with what was named merged into its variants.
 *
 * @param request PATCH of the product, with its other fields
 * @throws InputError as `mergeVariants` does
 */
export function mergedRequest(
	request: PlatformRequest,
	{ product, etag, inexact = [] }: CurrentProduct,
	field: string,
	named: readonly IDataObject[],
): PlatformRequest {
	const variants = mergeVariants(field, product.variants, named);
	checkExact(field, product, variants, inexact);
	return underVersion({ ...request, body: { ...request.body, variants } }, etag);
}

/** Every variant is sent back, and a number that is not held exactly would be another one then. */
function checkExact(
	field: string,
	{ id, title = id }: IDataObject,
	variants: readonly IDataObject[],
	inexact: readonly string[],
): void {
	const text = inexact.length === 0 ? '' : JSON.stringify(variants);
	const lost = inexact.find((one) => text.includes(JSON.stringify(parseExactly(one))));
	if (lost === undefined) return;
	const why = `“${String(title)}” holds ${lost}, which no number can hold exactly`;
	throw notCertain(field, why);
}

/** The request for the version that was read, where the platform told it. */
const underVersion = (request: PlatformRequest, etag?: string): PlatformRequest =>
	etag === undefined ? request : { ...request, headers: { ...request.headers, 'If-Match': etag } };

/**
 * Writes what was merged, and reads, merges and writes again after a conflict.
 *
 * @param first the product as it was read
 * @param write sends the merged write; attempts are counted from 1
 * @throws PlatformError
 */
export async function writeMerged(
	first: CurrentProduct,
	read: () => Promise<CurrentProduct>,
	write: (current: CurrentProduct, attempt: number) => Promise<PlatformResponse>,
): Promise<PlatformResponse> {
	return await write(first, 1).catch(async (error: unknown) => {
		if (!isConflict(error)) throw error;
		return await mergeAgain(error, first.etag, read, write);
	});
}

/**
 * Reads, merges and writes again after a conflict, in which nothing was written.
 *
 * @param refusedTag the ETag with which the write was refused
 * @param write sends the merged write; attempts are counted from 2
 * @throws PlatformError of the last conflict, or whatever else fails
 */
async function mergeAgain(
	conflict: PlatformError,
	refusedTag: string | undefined,
	read: () => Promise<CurrentProduct>,
	write: (current: CurrentProduct, attempt: number) => Promise<PlatformResponse>,
): Promise<PlatformResponse> {
	let last = conflict;
	let refused = refusedTag;
	for (let attempt = 2; attempt <= MAX_WRITES; attempt++) {
		const { product, etag } = await read();
		// Refused although nothing has changed: the platform does not take its ETags in If-Match.
		const usable = etag === refused ? undefined : etag;
		const written = await settled(write({ product, etag: usable }, attempt));
		if (written.status === 'fulfilled') return written.value;
		if (!isConflict(written.reason)) throw written.reason;
		last = written.reason;
		refused = usable;
	}
	throw last;
}

/**
 * Puts what the user named into the variants that a product has. What PATCH does with a list is not shown in the API
 * document, so the whole list is sent; all that was not named stays as it was read, unknown fields included.
 *
 * - Variants are matched by SKU, prices by currency (API document, "Variant", "Price").
 * - A currency that a variant does not have is added.
 * - A SKU that the product does not have is added where the user gave it a title; without one it may be mistyped.
 *
 * @param field display name, for messages
 * @param current the product's variants as they were read; not changed
 * @param named variants with `sku`, and what is to change of each
 * @throws InputError where it is not certain what is meant
 */
export function mergeVariants(
	field: string,
	current: unknown,
	named: readonly IDataObject[],
): IDataObject[] {
	if (!isListOfObjects(current))
		throw notCertain(field, 'the platform gave the product without a list of its variants');
	checkNamedOnce(field, named);
	const merged = [...current];
	for (const variant of named) {
		const at = placeOf(field, merged, variant);
		if (at === -1) merged.push(variant);
		else merged[at] = mergeVariant(`${field}: ${String(variant.sku)}`, merged[at], variant);
	}
	return merged;
}

/** Whether merging would change nothing. What cannot be merged would change something: it is refused when it is written. */
export function changesNothing(current: unknown, named: readonly IDataObject[]): boolean {
	try {
		return JSON.stringify(mergeVariants('', current, named)) === JSON.stringify(current);
	} catch {
		return false;
	}
}

/** @returns -1 where the variant is a new one */
function placeOf(field: string, variants: unknown[], { sku, title }: IDataObject): number {
	const at = placeIn(variants, (one) => isObject(one) && one.sku === sku);
	if (at === SEVERAL)
		throw notCertain(field, `the product has several variants with the SKU “${String(sku)}”`);
	if (at !== NONE) return at;
	const alike = variants.find(
		(one) =>
			isObject(one) && typeof one.sku === 'string' && skuKey(one.sku) === skuKey(String(sku)),
	);
	if (alike === undefined && title !== undefined) return NONE;
	throw new InputError(
		field,
		`names the SKU “${String(sku)}”, which the product does not have`,
		alike === undefined
			? 'Nothing was sent. Check the SKU. To add a new variant, give it a title.'
			: `Nothing was sent. The product has “${String((alike as IDataObject).sku)}”.`,
	);
}

function mergeVariant(place: string, current: IDataObject, named: IDataObject): IDataObject {
	const merged = { ...current, ...named };
	if (named.prices !== undefined) merged.prices = mergePrices(place, current.prices, named.prices);
	return merged;
}

function mergePrices(place: string, current: unknown, named: unknown): IDataObject[] {
	if (!isListOfObjects(named))
		throw new InputError(`${place}: prices`, 'must be a list of objects', 'Nothing was sent.');
	if (!isListOfObjects(current) || !current.every(({ currency }) => typeof currency === 'string'))
		throw notCertain(place, 'the platform gave the variant without a list of its prices');
	const merged = [...current];
	for (const { currency, ...price } of named) {
		const isSame = (one: unknown) => isObject(one) && currencyKey(one.currency) === currency;
		const at = placeIn(current, isSame);
		if (at === SEVERAL)
			throw notCertain(place, `the variant has several prices in ${String(currency)}`);
		if (at === NONE) merged.push({ ...price, currency });
		else merged[at] = { ...current[at], ...price };
	}
	return merged;
}

const isListOfObjects = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isObject);

const NONE = -1;
const SEVERAL = -2;

/** The one entry that is meant. */
function placeIn(list: readonly unknown[], isMeant: (entry: unknown) => boolean): number {
	const at = list.findIndex(isMeant);
	return at !== -1 && list.slice(at + 1).some(isMeant) ? SEVERAL : at;
}

const notCertain = (field: string, why: string) =>
	new InputError(
		field,
		`cannot be merged: ${why}`,
		'Nothing was sent. Use the operation Update, choose Replace All, and enter every variant with every price.',
	);

/**
 * Refuses variants that say two things of one price or field. Several rows may name one SKU, for instance one row for
 * each currency, but which of two prices in one currency is meant is not for us to choose.
 *
 * @param field display name, for messages
 * @param named variants with `sku`, and what is to change of each
 * @throws InputError
 */
export function checkNamedOnce(field: string, named: readonly IDataObject[]): void {
	const saidOf = new Map<unknown, Map<string, string>>();
	for (const variant of named) {
		const said = saidOf.get(variant.sku) ?? new Map<string, string>();
		saidOf.set(variant.sku, said);
		const place = `${field}: ${String(variant.sku)}`;
		for (const [name, value] of Object.entries(variant)) {
			if (name === 'prices' && Array.isArray(value)) checkPrices(place, value, said);
			else checkValue(place, name, JSON.stringify(value), said);
		}
	}
}

function checkPrices(place: string, prices: unknown[], said: Map<string, string>): void {
	for (const price of prices) {
		const currency = isObject(price) ? currencyKey(price.currency) : undefined;
		if (currency === undefined) continue;
		if (said.has(`price ${currency}`))
			throw new InputError(place, `has two prices in ${currency}`, 'Nothing was sent.');
		said.set(`price ${currency}`, '');
	}
}

function checkValue(place: string, name: string, value: string, said: Map<string, string>): void {
	const before = said.get(`field ${name}`);
	if (before !== undefined && before !== value)
		throw new InputError(place, `has two values of “${name}”`, 'Nothing was sent.');
	said.set(`field ${name}`, value);
}

/** A currency without its spelling. */
export const currencyKey = (currency: unknown): string | undefined =>
	typeof currency === 'string' ? currency.trim().toUpperCase() : undefined;
