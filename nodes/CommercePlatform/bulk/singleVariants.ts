import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { someText } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import type { BatchCall } from '../engine/batchCall';
import { mergedRequest, readProduct, writeMerged, type CurrentProduct } from '../merge/mergeWrite';
import { currencyKey } from '../merge/namedOnce';
import type { ProductWrite } from './productWrite';

/**
 * What an operation says of variants: those that it lists, or the prices of the one that its SKU names.
 *
 * @returns an empty list where it says nothing of them
 * @throws InputError where they cannot be told apart
 */
export function namedVariants({ sku, fields: { variants, prices } }: ProductWrite): IDataObject[] {
	const listed = variants === undefined ? [] : listOf('Product: variants', variants);
	if (prices === undefined) return listed.map(readVariant);
	if (listed.length === 0) return [readVariant({ sku, prices }, 0)];
	throw new InputError(
		'Product',
		'holds both “variants” and “prices”',
		'Nothing was sent for it: one by one only one of them can be. Put the prices into the variants.',
	);
}

/**
 * Updates a product with an operation that says something of variants: that is merged into those that the product
 * has, and all that it does not name stays.
 *
 * @param named variants as `namedVariants` gives them
 * @param update PATCH of the product with the operation's other fields
 * @throws InputError where it is not certain which variants are meant, PlatformError
 */
export async function sendVariants(
	call: BatchCall,
	itemIndex: number,
	named: readonly IDataObject[],
	update: PlatformRequest,
): Promise<IDataObject | undefined> {
	const read = async () => await readProduct(call.client, String(update.pathParams?.productId));
	const send = async (current: CurrentProduct, attempt: number) => {
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused([itemIndex]);
		return await call.send(mergedRequest(update, current, 'Variants', named), [itemIndex]);
	};
	return (await writeMerged(await read(), read, send)).record;
}

function readVariant(variant: IDataObject, index: number): IDataObject {
	const place = `Product: variants ${index + 1}`;
	const sku = someText(`${place}: sku`, variant.sku);
	if (variant.prices === undefined) return { ...variant, sku };
	const prices = listOf(`${place}: prices`, variant.prices).map((price) => {
		const currency = currencyKey(someText(`${place}: currency`, price.currency));
		return { ...price, currency };
	});
	return { ...variant, sku, prices };
}

function listOf(place: string, value: unknown): IDataObject[] {
	if (Array.isArray(value) && value.every(isObject)) return value as IDataObject[];
	throw new InputError(place, 'must be a list of objects', 'Nothing was sent for it.');
}
