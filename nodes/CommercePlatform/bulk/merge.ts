import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { InputError, settled } from '../../shared/errors/errors';
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
 * Writes what was merged, and reads, merges and writes again after a conflict, in which nothing was written.
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
	let current = first;
	for (let attempt = 1; ; attempt++) {
		const written = await settled(write(current, attempt));
		if (written.status === 'fulfilled') return written.value;
		if (!isConflict(written.reason) || attempt === MAX_WRITES) throw written.reason;
		const { etag, ...latest } = await read();
		// Refused although nothing has changed: the platform does not take its ETags in If-Match.
		current = { ...latest, etag: etag === current.etag ? undefined : etag };
	}
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
		if (at === undefined) merged.push(variant);
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

/** @returns undefined where the variant is a new one */
function placeOf(
	field: string,
	variants: readonly IDataObject[],
	{ sku, title }: IDataObject,
): number | undefined {
	const several = `the product has several variants with the SKU “${String(sku)}”`;
	const at = onePlace(variants, (one) => one.sku === sku, field, several);
	if (at !== undefined) return at;
	const key = skuKey(String(sku));
	const alike = variants.find((one) => typeof one.sku === 'string' && skuKey(one.sku) === key);
	if (alike === undefined && title !== undefined) return undefined;
	throw new InputError(
		field,
		`names the SKU “${String(sku)}”, which the product does not have`,
		alike === undefined
			? 'Nothing was sent. Check the SKU. To add a new variant, give it a title.'
			: `Nothing was sent. The product has “${String(alike.sku)}”.`,
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
		const isSame = (one: IDataObject) => currencyKey(one.currency) === currency;
		const several = `the variant has several prices in ${String(currency)}`;
		const at = onePlace(current, isSame, place, several);
		if (at === undefined) merged.push({ ...price, currency });
		else merged[at] = { ...current[at], ...price };
	}
	return merged;
}

const isListOfObjects = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isObject);

/**
 * The place of the one entry that is meant; undefined where there is none.
 *
 * @throws InputError where there are several
 */
function onePlace(
	list: readonly IDataObject[],
	isMeant: (entry: IDataObject) => boolean,
	field: string,
	several: string,
): number | undefined {
	const [at, ...others] = list.flatMap((entry, place) => (isMeant(entry) ? [place] : []));
	if (others.length > 0) throw notCertain(field, several);
	return at;
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
	const entered = new Map<string, string>();
	const isOther = (key: unknown[], value: string) => {
		const name = JSON.stringify(key);
		const before = entered.get(name) ?? value;
		entered.set(name, value);
		return before !== value;
	};
	for (const { sku, ...fields } of named) {
		const place = `${field}: ${String(sku)}`;
		for (const [name, value] of Object.entries(fields)) {
			const isPrices = name === 'prices' && Array.isArray(value);
			if (!isPrices && isOther([sku, name], JSON.stringify(value)))
				throw new InputError(place, `has two values of “${name}”`, 'Nothing was sent.');
			for (const price of isPrices ? (value as unknown[]) : []) {
				const currency = isObject(price) ? currencyKey(price.currency) : undefined;
				// Each price is another one, whatever its amount.
				if (currency !== undefined && isOther([sku, 'prices', currency], String(entered.size)))
					throw new InputError(place, `has two prices in ${currency}`, 'Nothing was sent.');
			}
		}
	}
}

/** A currency without its spelling. */
export const currencyKey = (currency: unknown): string | undefined =>
	typeof currency === 'string' ? currency.trim().toUpperCase() : undefined;
