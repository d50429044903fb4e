import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { InputError, settled } from '../../shared/errors/errors';
import { expandPath } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import type { BatchCall } from '../engine/batchCall';
import { take } from '../run/lock';
import { recordsWith } from './findCurrent';
import { inParallel } from '../run/pool';
import { productsBySku } from './productSource';
import { skuKey, type ProductWrite } from './productWrite';
import { namedVariants, sendVariants } from './singleVariants';
import type { SkuTurns } from './skuTurns';

/** Requests for these writes at most: a look-up and a write for each, and a read where it says variants or prices. */
export const singleRequests = (writes: readonly ProductWrite[]): number =>
	writes.reduce((sum, { fields: { variants, prices } }) => {
		return sum + ((variants ?? prices) === undefined ? 2 : 3);
	}, 0);

/**
 * Does without batches: looks up each SKU, then creates or updates its product. Writes of one SKU, and those of one
 * product, go one after the other, in input order.
 *
 * @param turns of the run's SKUs
 */
export async function sendSingles(
	call: BatchCall,
	turns: SkuTurns,
	writes: readonly ProductWrite[],
): Promise<void> {
	const order = `look-up ${randomUUID()}`;
	let done = 0;
	await inParallel(
		writes,
		call.client.options.maxInFlight,
		async (write) => {
			await sendInTurn(call, turns, write, order);
			call.report.progress(++done, writes.length, 'products');
		},
		() => call.stopped(),
	);
}

/** @param order a turn of it ends once the write has taken its product's, so that these are in input order */
async function sendInTurn(
	call: BatchCall,
	turns: SkuTurns,
	write: ProductWrite,
	order: string,
): Promise<void> {
	const { itemIndex, sku } = write;
	const ofSku = take([`${order} SKU ${skuKey(sku)}`]);
	const found = take([order]);
	await ofSku.ready;
	await turns.come([sku]);
	if (!call.stopped() && !call.wasDone(itemIndex)) {
		const product = await settled(productOf(call, sku));
		await found.ready;
		const known = product.status === 'fulfilled' ? product.value : undefined;
		const ofProduct = take(
			known === undefined ? [] : [`${call.client.credentialId} ${known.path}`],
		);
		found.release();
		await ofProduct.ready;
		const result =
			product.status === 'fulfilled' ? await settled(sent(call, write, known?.id)) : product;
		ofProduct.release();
		if (result.status === 'rejected') call.failed([itemIndex], result.reason);
		else
			call.done([itemIndex], (result.value as IDataObject | undefined) ?? { sku, written: true });
	}
	found.release();
	ofSku.release();
}

const PATH = '/products/{productId}';

/** The product that has a SKU. */
async function productOf(
	call: BatchCall,
	sku: string,
): Promise<{ id: string; path: string } | undefined> {
	const { records, whole } = await recordsWith(call.client, productsBySku, sku);
	// A product that changes during a search may come twice.
	const [id, ...others] = new Set(records.map((record) => String(record.id)));
	if (id === undefined && whole) return undefined;
	if (id === undefined) {
		throw new InputError(
			'SKU',
			`“${sku}” is not among the first products that the platform’s search for it gives`,
			'Whether the shop has it is not known, so nothing was sent for it. Use the operation Update with the product’s ID, or Create.',
		);
	}
	if (others.length === 0) return { id, path: expandPath(PATH, { productId: id }) };
	throw new InputError(
		'SKU',
		`“${sku}” names ${others.length + 1} products`,
		'Nothing was sent for it. Use the operation Update with the product’s ID.',
	);
}

async function sent(
	call: BatchCall,
	write: ProductWrite,
	productId: string | undefined,
): Promise<IDataObject | undefined> {
	const fields = { ...write.fields };
	delete fields.prices;
	delete fields.variants;
	const named = namedVariants(write);
	if (productId === undefined) return await create(call, write, fields, named);
	const pathParams = { productId };
	const update: PlatformRequest = { method: 'PATCH', path: PATH, pathParams, body: fields };
	if (named.length > 0) return await sendVariants(call, write.itemIndex, named, update);
	return (await call.send(update, [write.itemIndex])).record;
}

/** The same product as the batch's operation makes: its SKU is the SKU of a variant. */
async function create(
	call: BatchCall,
	{ itemIndex, sku }: ProductWrite,
	fields: IDataObject,
	named: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const variants = named.length === 0 ? [{ sku }] : [...named];
	if (!variants.some((one) => one.sku === sku)) {
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	}
	const body = { ...fields, variants };
	return (await call.send({ method: 'POST', path: '/products', body }, [itemIndex])).record;
}
