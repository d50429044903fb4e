import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { InputError, StaleReading } from '../../shared/errors/errors';
import { plainName } from '../../shared/model/records';
import { isListOfObjects, parseExactly } from '../../shared/values/json';
import { someText } from '../../shared/values/readers';
import { skuKey } from '../model/skuKey';
import { isConflict, readRecord } from '../run/findRecords';
import type { BulkItem } from '../run/bulkItem';
import type { BulkCall } from '../run/operation';
import { skuOf } from './products';

/** For messages. */
const FIELD = 'Variants';

/** Others that write this often to one product will not let us win by trying on. Writes, the first included. */
const MAX_WRITES = 4;

/** A tag that If-Match may carry: weak ones never match there (RFC 9110, 13.1.1). */
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;

/** Reads by the client itself, or by an item's call. */
type Reader = Pick<PlatformClient, 'request'>;

/**
 * Reads a product whose variants will be sent back.
 *
 * @throws InputError where it is another one, PlatformError
 */
export const readProduct = async (reader: Reader, productId: string) =>
	await readRecord(async (request) => await reader.request(request), 'Product', {
		method: 'GET',
		path: '/products/{productId}',
		pathParams: { productId },
		pathLabels: { productId: 'Product' },
		willBeSentBack: true,
	});

/**
 * Reads a product, merges what was named into its variants and writes it. After a conflict, in which nothing was
 * written, it is read, merged and written again.
 *
 * @param update PATCH of the product, with its other fields
 * @param named variants, see `mergeVariants`
 * @param write sends the merged write; attempts are counted from 1
 * @returns the product as it was read before, what was sent, and the answer
 * @throws InputError where it is not certain what is meant, PlatformError
 */
export async function writeMerged(
	update: PlatformRequest,
	named: readonly IDataObject[],
	reader: Reader,
	write: (merged: PlatformRequest, attempt: number) => Promise<PlatformResponse>,
): Promise<{ before: IDataObject; sent: PlatformRequest; answer: PlatformResponse }> {
	const id = (update.pathParams?.productId ?? '').trim();
	for (let attempt = 1; ; attempt++) {
		const { record: before, headers, inexact = [] } = await readProduct(reader, id);
		checkShowsAllVariants(before);
		const variants = mergeVariants(before.variants, named);
		// Every variant is sent back, and a number that is not held exactly would be another one then.
		const text = JSON.stringify(variants);
		const lost = inexact.find((digits) => text.includes(JSON.stringify(parseExactly(digits))));
		if (lost !== undefined) {
			const name = String(before.title ?? before.id);
			throw notCertain(FIELD, `“${name}” holds ${lost}, which no number can hold exactly`);
		}
		const sent: PlatformRequest = { ...update, body: { ...update.body, variants } };
		const { etag = '' } = headers;
		if (STRONG_TAG.test(etag)) sent.headers = { ...sent.headers, 'If-Match': etag };
		const answer = await write(sent, attempt).catch((error: unknown) => {
			const mayReadAgain = isConflict(error) || error instanceof StaleReading;
			if (mayReadAgain && attempt < MAX_WRITES) return undefined;
			throw error;
		});
		if (answer !== undefined) return { before, sent, answer };
	}
}

/** Names of a field that counts a product's variants. */
const VARIANT_COUNT = /^(variants?count|totalvariants?|variantstotal)$/;
/** Names of a field that says that there are more variants than the product shows. */
const MORE_VARIANTS = /^(hasmorevariants|variantshasmore|variantstruncated)$/;

/**
 * The whole list of variants is sent back, so a product that shows a part of them would lose the others.
 *
 * @throws InputError where the product says that it shows a part
 */
function checkShowsAllVariants(product: IDataObject): void {
	const { variants } = product;
	const shownVariants = Array.isArray(variants) ? variants.length : 0;
	for (const [field, value] of Object.entries(product)) {
		const name = plainName(field);
		const hasMore =
			(VARIANT_COUNT.test(name) && Number(value) > shownVariants) ||
			(MORE_VARIANTS.test(name) && value === true);
		if (hasMore)
			throw notCertain(
				FIELD,
				`the platform shows ${shownVariants} variants and says “${field}: ${String(value)}”`,
			);
	}
}

/** The same for items of a run that takes all at once. */
export const writeMergedFor = async (
	call: BulkCall,
	items: readonly BulkItem[],
	update: PlatformRequest,
	named: readonly IDataObject[],
) => {
	const { client } = call;
	let readAtMs = 0;
	const request: Reader['request'] = async (read) => {
		readAtMs = client.clock.monotonic();
		return await client.request(read);
	};
	return await writeMerged(update, named, { request }, async (merged, attempt) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused(items);
		return await call.send({ ...merged, readAtMs }, items);
	});
};

/**
 * Puts what the user named into the variants that a product has. What PATCH does with a list is not shown in the API
 * document, so the whole list is sent; all that was not named stays as it was read, unknown fields included.
 *
 * - Variants are matched by SKU, prices by currency (API document, "Variant", "Price").
 * - A currency that a variant does not have is added.
 * - A SKU that the product does not have is added where the user gave it a title; without one it may be mistyped.
 *
 * @param current the product's variants as they were read; not changed
 * @param named variants with `sku`, and what is to change of each
 * @throws InputError where it is not certain what is meant
 */
function mergeVariants(current: unknown, named: readonly IDataObject[]): IDataObject[] {
	if (!isListOfObjects(current))
		throw notCertain(FIELD, 'the platform gave the product without a list of its variants');
	checkVariantChanges(named);
	const merged = [...current];
	for (const { sku: written, ...fields } of named) {
		const sku = someText(`${FIELD}: SKU`, written);
		const several = `the product has several variants with the SKU “${sku}”`;
		const index = placeOf(merged, (variant) => variant.sku === sku, FIELD, several);
		const currentVariant = merged.at(index);
		if (currentVariant !== undefined && fields.prices !== undefined)
			fields.prices = mergePrices(`${FIELD}: ${sku}`, currentVariant.prices, fields.prices);
		const alike = merged
			.map(skuOf)
			.find((other) => other !== undefined && skuKey(other) === skuKey(sku));
		if (currentVariant === undefined && (alike !== undefined || fields.title === undefined))
			throw new InputError(
				FIELD,
				`names the SKU “${sku}”, which the product does not have`,
				alike === undefined
					? 'Nothing was sent. Check the SKU. To add a new variant, give it a title.'
					: `Nothing was sent. The product has “${alike}”.`,
			);
		merged[index] = { ...currentVariant, sku, ...fields };
	}
	return merged;
}

/** Whether merging would change nothing. What cannot be merged would change something: it is refused when it is written. */
export function changesNothing(current: unknown, named: readonly IDataObject[]): boolean {
	try {
		return JSON.stringify(mergeVariants(current, named)) === JSON.stringify(current);
	} catch {
		return false;
	}
}

function mergePrices(place: string, current: unknown, named: unknown): IDataObject[] {
	if (!isListOfObjects(named))
		throw new InputError(`${place}: prices`, 'must be a list of objects', 'Nothing was sent.');
	if (!isListOfObjects(current) || !current.every(({ currency }) => typeof currency === 'string'))
		throw notCertain(place, 'the platform gave the variant without a list of its prices');
	const merged = [...current];
	for (const { currency: written, ...price } of named) {
		const currency = currencyKey(someText(`${place}: currency`, written));
		const several = `the variant has several prices in ${currency}`;
		const isSame = (entry: IDataObject) => currencyKey(entry.currency) === currency;
		const index = placeOf(merged, isSame, place, several);
		merged[index] =
			index === merged.length ? { ...price, currency } : { ...merged[index], ...price };
	}
	return merged;
}

/**
 * The place of the one entry that is meant; behind the last where there is none.
 *
 * @throws InputError where there are several
 */
function placeOf(
	list: readonly IDataObject[],
	isMeant: (entry: IDataObject) => boolean,
	field: string,
	several: string,
): number {
	if (list.filter(isMeant).length > 1) throw notCertain(field, several);
	const index = list.findIndex(isMeant);
	return index === -1 ? list.length : index;
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
 * @param named variants with `sku`, and what is to change of each
 * @throws InputError
 */
export function checkVariantChanges(named: readonly IDataObject[]): void {
	const entered = new Map<string, unknown>();
	for (const { sku, prices, ...fields } of named) {
		const values = Object.entries(fields).map(([name, value]) => ({
			what: `values of “${name}”`,
			value: JSON.stringify(value) as unknown,
		}));
		for (const { currency } of isListOfObjects(prices) ? prices : [])
			// Each price is another one, whatever its amount.
			if (typeof currency === 'string')
				values.push({ what: `prices in ${currencyKey(currency)}`, value: {} });
		for (const { what, value } of values) {
			const name = JSON.stringify([sku, what]);
			if (entered.has(name) && entered.get(name) !== value)
				throw new InputError(`${FIELD}: ${String(sku)}`, `has two ${what}`, 'Nothing was sent.');
			entered.set(name, value);
		}
	}
}

/** A currency without its spelling. */
export const currencyKey = (currency: unknown): string | undefined =>
	typeof currency === 'string' ? currency.trim().toUpperCase() : undefined;
