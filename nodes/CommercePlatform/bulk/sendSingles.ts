import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/input/inputError';
import { isObject } from '../../shared/isObject';
import type { PlatformRequest } from '../../shared/api/request';
import { settled } from '../../shared/settled';
import type { BatchCall } from '../engine/batchCall';
import { recordsWith } from './findCurrent';
import { inParallel } from './inParallel';
import { productsBySku } from './productSource';
import { skuKey, type ProductWrite } from './productWrite';

/** Requests for one item: the look-up and the write. */
export const REQUESTS_PER_SINGLE = 2;

/**
 * Does without batches: looks up each SKU, then creates or updates its product. Writes of one SKU go one after
 * the other.
 */
export async function sendSingles(call: BatchCall, writes: readonly ProductWrite[]): Promise<void> {
	const bySku = new Map<string, ProductWrite[]>();
	for (const write of writes) {
		const key = skuKey(write.sku);
		bySku.set(key, [...(bySku.get(key) ?? []), write]);
	}
	let done = 0;
	await inParallel(
		[...bySku.values()],
		call.client.options.maxInFlight,
		async (ofOneSku) => {
			for (const write of ofOneSku) {
				if (call.stopped()) return;
				await sendSingle(call, write);
				call.report.progress(++done, writes.length, 'products');
			}
		},
		() => call.stopped(),
	);
}

async function sendSingle(call: BatchCall, write: ProductWrite): Promise<void> {
	const { itemIndex } = write;
	if (call.wasDone(itemIndex)) return;
	const result = await settled(createOrUpdate(call, write));
	if (result.status === 'rejected') call.failed([itemIndex], result.reason);
	else call.done([itemIndex], result.value ?? { sku: write.sku, written: true });
}

async function createOrUpdate(
	call: BatchCall,
	write: ProductWrite,
): Promise<IDataObject | undefined> {
	const products = await recordsWith(call.client, productsBySku, write.sku);
	if (products.length > 1) {
		throw new InputError(
			'SKU',
			`“${write.sku}” names ${products.length} products`,
			'Nothing was sent for it. Use the operation Update with the product’s ID.',
		);
	}
	const [product] = products;
	const request = product === undefined ? createRequest(write) : updateRequest(write, product);
	return (await call.send(request, [write.itemIndex])).record;
}

/** The same product as the batch's operation makes: its SKU is the SKU of a variant. */
function createRequest({ sku, fields: said }: ProductWrite): PlatformRequest {
	const { prices, ...fields } = said;
	const variant = prices === undefined ? { sku } : { sku, prices };
	return { method: 'POST', path: '/products', body: { variants: [variant], ...fields } };
}

/** Prices of the operation are those of its variant; the other variants are sent as they are. */
function updateRequest({ sku, fields: said }: ProductWrite, product: IDataObject): PlatformRequest {
	const { prices, ...fields } = said;
	const known: unknown[] = Array.isArray(product.variants) ? product.variants : [];
	const variants = known.map((one) =>
		isObject(one) && one.sku === sku ? { ...one, prices } : one,
	) as IDataObject[];
	return {
		method: 'PATCH',
		path: '/products/{productId}',
		pathParams: { productId: String(product.id) },
		body: prices === undefined ? fields : { variants, ...fields },
	};
}
