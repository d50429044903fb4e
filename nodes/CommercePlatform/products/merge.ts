import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/rest/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/rest/request';
import { InputError } from '../../shared/rest/errors';
import { isListOfObjects, isSame } from '../../shared/values/json';
import { someText } from '../../shared/values/readers';
import { objectsIn, type ProductWrite } from './products';
import { isJustListed, readRecord, rewrite } from '../runner/lookup';
import type { BulkCall } from '../runner/operation';

/** The field that messages name. */
const VARIANTS_FIELD = 'Variants';

/** What sends reads: the client, or an item's call. */
type ProductReader = Pick<PlatformClient, 'request'>;

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

/**
 * Reads a product, merges changes into its variants and writes it.
 *
 * @param update PATCH of the product, with its other fields
 * @param variantChanges see `mergeVariants`
 * @param write sends the merged write; attempts are counted from 1
 * @param shown the product, if it need not be read
 * @returns the product as it was before, and the answer
 * @throws InputError if it is not certain what is meant, PlatformError
 */
export const writeMerged = async (
	update: PlatformRequest,
	variantChanges: readonly IDataObject[],
	reader: ProductReader,
	write: (merged: PlatformRequest, attempt: number) => Promise<PlatformResponse>,
	shown?: IDataObject,
) =>
	await rewrite(
		async () => await readProduct(reader, (update.pathParams?.productId ?? '').trim()),
		({ variants }) => ({
			...update,
			body: { ...update.body, variants: mergeVariants(variants, variantChanges) },
		}),
		write,
		{ shown },
	);

/**
 * Sends a write to a product that the shop has, for a bulk run; by `writeMerged` if it changes variants.
 *
 * @param isOutdated whether others may have written the product since it was found. It is read once more then, and
 *   unless a walk has just shown all that changes.
 */
export async function patchProduct(
	call: BulkCall,
	{ items, product, body, variantChanges }: ProductWrite & { product: IDataObject },
	isOutdated: boolean,
) {
	const { client } = call;
	const update: PlatformRequest = {
		method: 'PATCH',
		path: '/products/{productId}',
		pathParams: { productId: String(product.id) },
		body,
	};
	if (variantChanges.length === 0)
		return { before: product, answer: await call.send(update, items) };
	const write = async (merged: PlatformRequest, attempt: number) => {
		// The attempt before wrote nothing, so this is a new write.
		if (attempt > 1) call.refused(items);
		return await call.send(merged, items);
	};
	const isShown =
		!isOutdated && isJustListed(client, product) && hasAll(product.variants, variantChanges);
	return await writeMerged(update, variantChanges, client, write, isShown ? product : undefined);
}

/**
 * Merges changes into the variants of a product. The API document does not show what PATCH does with a list, so the
 * whole list is sent. Everything that is not changed stays as it was read, unknown fields included.
 *
 * - Variants are matched by SKU, prices by currency (API document, "Variant", "Price").
 * - A currency that a variant does not have is added. Of two changes of one value the later one counts.
 * - A SKU that the product does not have is added if the user gave it a title. Without a title it may be mistyped.
 *
 * @param current the product's variants as they were read; not changed
 * @param variantChanges variants with `sku`, and what is to change of each
 * @throws InputError if it is not certain what is meant
 */
export function mergeVariants(
	current: unknown,
	variantChanges: readonly IDataObject[],
): IDataObject[] {
	if (!isListOfObjects(current))
		throw notCertain(
			VARIANTS_FIELD,
			'the platform gave the product without a list of its variants',
		);
	const merged = [...current];
	for (const { sku: enteredSku, ...fields } of variantChanges) {
		const sku = someText(`${VARIANTS_FIELD}: SKU`, enteredSku).trim();
		const severalText = `the product has several variants with the SKU “${sku}”`;
		const index = indexToWrite(
			merged,
			(variant) => variant.sku === sku,
			VARIANTS_FIELD,
			severalText,
		);
		const currentVariant = merged.at(index);
		if (currentVariant !== undefined && fields.prices !== undefined)
			fields.prices = mergePrices(
				`${VARIANTS_FIELD}: ${sku}`,
				currentVariant.prices,
				fields.prices,
			);
		if (currentVariant === undefined && fields.title === undefined)
			throw new InputError(
				VARIANTS_FIELD,
				`names the SKU “${sku}”, which the product does not have`,
				'Nothing was sent. Check the SKU. To add a new variant, enter its title.',
			);
		merged[index] = { ...currentVariant, sku, ...fields };
	}
	return merged;
}

/**
 * Whether merging would change nothing. If the changes cannot be merged, the answer is no, and the write refuses them.
 */
export const changesNothing = (current: unknown, variantChanges: readonly IDataObject[]): boolean =>
	holds(() => isSame(mergeVariants(current, variantChanges), current));

/** Whether variants hold everything that is to change, so that merging adds none to them. */
const hasAll = (current: unknown, variantChanges: readonly IDataObject[]): boolean =>
	holds(() => mergeVariants(current, variantChanges).length === objectsIn(current).length);

function holds(condition: () => boolean): boolean {
	try {
		return condition();
	} catch {
		return false;
	}
}

function mergePrices(field: string, current: unknown, priceChanges: unknown): IDataObject[] {
	if (!isListOfObjects(priceChanges))
		throw new InputError(`${field}: prices`, 'must be a list of objects', 'Nothing was sent.');
	if (!isListOfObjects(current) || !current.every(({ currency }) => typeof currency === 'string'))
		throw notCertain(field, 'the platform gave the variant without a list of its prices');
	const merged = [...current];
	for (const { currency: enteredCurrency, ...price } of priceChanges) {
		const currency = currencyKey(someText(`${field}: currency`, enteredCurrency));
		const severalText = `the variant has several prices in ${currency}`;
		const hasCurrency = (entry: IDataObject) => currencyKey(entry.currency) === currency;
		const index = indexToWrite(merged, hasCurrency, field, severalText);
		merged[index] =
			index === merged.length ? { ...price, currency } : { ...merged[index], ...price };
	}
	return merged;
}

/**
 * The index at which to write an entry: that of the one entry that matches, or the end of the list.
 *
 * @throws InputError if several match
 */
function indexToWrite(
	list: readonly IDataObject[],
	isMatch: (entry: IDataObject) => boolean,
	field: string,
	severalText: string,
): number {
	if (list.filter(isMatch).length > 1) throw notCertain(field, severalText);
	const index = list.findIndex(isMatch);
	return index === -1 ? list.length : index;
}

const notCertain = (field: string, why: string) =>
	new InputError(
		field,
		`cannot be merged: ${why}`,
		'Nothing was sent. Use the operation Update, choose Replace All, and enter every variant with every price.',
	);

/** Hints at what several changes say differently. */
export function tellSaidTwice(
	variantChanges: readonly IDataObject[],
	hint: (text: string) => void,
): void {
	const twice = saidTwice(variantChanges);
	if (twice.length > 0) hint(`Entered twice, and the later value counts: ${twice.join(', ')}.`);
}

/** What several changes say differently, e.g. `M: price in EUR`. The later one counts. */
function saidTwice(variantChanges: readonly IDataObject[]): string[] {
	const said = new Map<string, string>();
	const twice = new Set<string>();
	for (const { sku, prices, ...fields } of variantChanges)
		for (const [what, value] of [
			...Object.entries(fields),
			...objectsIn(prices).map(
				(price) => [`price in ${currencyKey(price.currency)}`, price] as const,
			),
		]) {
			const name = `${String(sku)}: ${what}`;
			const text = JSON.stringify(value);
			if ((said.get(name) ?? text) !== text) twice.add(name);
			said.set(name, text);
		}
	return [...twice];
}

/** Whether what a later row says of a product replaces something that an earlier one says. */
export function replaces(later: IDataObject, earlier: IDataObject): boolean {
	const said = [earlier, later].map(({ sku, variants, prices, ...own }) => ({
		own,
		variants: prices === undefined ? objectsIn(variants) : [{ sku, prices }],
	}));
	const twice = [said.map(({ own }) => own), said.flatMap(({ variants }) => variants)];
	return twice.some((rows) => saidTwice(rows).length > 0);
}

/** A currency code in capitals, without blanks around it. */
export const currencyKey = (currency: unknown): string | undefined =>
	typeof currency === 'string' ? currency.trim().toUpperCase() : undefined;
