import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/api/request';
import { InputError } from '../../shared/input/inputError';
import { isObject } from '../../shared/isObject';
import type { BatchCall } from '../engine/batchCall';
import { readProduct, underVersion, writeMerged, type CurrentProduct } from '../merge/mergeWrite';
import type { ProductWrite } from './productWrite';

/**
 * Updates a product with an operation that says the prices of its variant. What PATCH does with a list is not shown
 * in the API document, so all variants are sent: the others as they were read.
 *
 * @param update PATCH of the product with the operation's other fields
 * @throws InputError where the product does not show the variant, PlatformError
 */
export async function sendPrices(
	call: BatchCall,
	write: ProductWrite,
	update: PlatformRequest,
): Promise<IDataObject | undefined> {
	const read = async () => await readProduct(call.client, String(update.pathParams?.productId));
	const send = async ({ product, etag }: CurrentProduct, attempt: number) => {
		const body = { ...update.body, variants: withPrices(product, write) };
		// Written again after a conflict, in which nothing was written.
		if (attempt > 1) call.refused([write.itemIndex]);
		return await call.send(underVersion({ ...update, body }, etag), [write.itemIndex]);
	};
	return (await writeMerged(await read(), read, send)).record;
}

function withPrices({ variants }: IDataObject, { sku, fields }: ProductWrite): IDataObject[] {
	const known = Array.isArray(variants) ? (variants as IDataObject[]) : [];
	const isMeant = (one: unknown) => isObject(one) && one.sku === sku;
	if (known.filter(isMeant).length === 1)
		return known.map((one) => (isMeant(one) ? { ...one, prices: fields.prices } : one));
	throw new InputError(
		'SKU',
		`“${sku}” is not the SKU of one variant of its product, as the platform shows it`,
		'Its prices cannot be set one by one, and nothing was sent for it. Use the operation Update.',
	);
}
