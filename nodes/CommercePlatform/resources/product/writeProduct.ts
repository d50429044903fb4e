import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../../shared/rest/client';
import { nextTurn } from '../../../shared/rest/clock';
import { InputError } from '../../../shared/rest/errors';
import { expandPath, type PlatformRequest } from '../../../shared/rest/request';
import type { BulkCall } from '../../runner/operation';
import { isJustRead, isReadAlone, rewrite } from '../../runner/rewrite';
import { withLocks } from '../../runner/schedule';
import { hasAll, mergeVariants, skusOf } from './changes';
import {
	isInShop,
	keysToLookUp,
	plannedWrites,
	type ProductDone,
	type ProductReader,
	type ProductWrite,
	readProduct,
	skuOfItem,
} from './plan';

/** How many requests writes take at most if they are sent alone. */
export function requestsAlone(writes: readonly ProductWrite[]): number {
	const unread = writes.filter(({ readMs }) => readMs === undefined);
	// A product takes a write, and a read before it if its variants are merged, unless it is created.
	return writes.reduce(
		(sum, { product, readMs, variantChanges: { length } }) =>
			sum + (length > 0 && (product !== undefined || readMs === undefined) ? 2 : 1),
		keysToLookUp(unread.flatMap(({ items }) => items)).length,
	);
}

/**
 * Writes products without batches, each while no other run writes it.
 *
 * @param writes whose items have no result yet
 * @param productDone receives the products that were written
 */
export async function sendAlone(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<void> {
	const { client } = call;
	const isRead = writes.every(({ readMs }) => readMs !== undefined);
	const items = writes.flatMap((write) => write.items);
	const known = isRead ? writes : await plannedWrites(call, items, 'products');
	let sentCount = 0;
	await inParallel(
		known,
		client.options.maxInFlight,
		async (write) => {
			await writeAlone(call, write, productDone);
			call.report.progress(++sentCount, known.length, 'products');
		},
		() => call.stopped(),
	);
}

async function writeAlone(
	call: BulkCall,
	write: ProductWrite,
	productDone: ProductDone,
): Promise<void> {
	const { items, product } = write;
	try {
		if (product === undefined)
			return productDone(write, await createProduct(call, write), 'created');
		const written = await patchProduct(call, { ...write, product });
		if (written !== undefined) productDone(write, written.answer.record, 'updated');
	} catch (error) {
		call.failed(items, error);
	}
}

/**
 * Creates the same product as a batch would: its SKU is the SKU of a variant. If it was looked for some time ago, it is
 * looked for once more: somebody else may have made it.
 *
 * @returns the product, if the answer shows it
 * @throws InputError, also if the shop has it now; PlatformError
 */
async function createProduct(
	call: BulkCall,
	{ items, sku, ownFields, variantChanges, readMs = -Infinity }: ProductWrite,
): Promise<IDataObject | undefined> {
	if (!isJustRead(call.client, readMs) && (await isInShop(call, items)))
		throw new InputError(
			'SKU',
			`“${sku}” has come into the shop during this run`,
			'Nothing was sent for it. Run it again: that updates the product.',
		);
	const ofSku = sku === '' ? [] : [{ sku }];
	const variants = variantChanges.length === 0 ? ofSku : [...variantChanges];
	if (sku !== '' && !variants.some((variant) => variant.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...ownFields, ...(variants.length > 0 && { variants }) };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, items);
	return record;
}

/**
 * Reads a product, merges changes into its variants and writes it.
 *
 * @param update PATCH of the product, with its other fields
 * @param variantChanges see `mergeVariants`
 * @param write sends the merged write; see `rewrite`
 * @param shown the product, if it need not be read
 * @returns the product as it was before, and the answer
 * @throws InputError if it is not certain what is meant, PlatformError
 */
export const writeMerged = async <Answer extends object>(
	update: PlatformRequest,
	variantChanges: readonly IDataObject[],
	reader: ProductReader,
	write: (merged: PlatformRequest, step?: string) => Promise<Answer>,
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

/** A write to a product that the shop has. */
export type KnownWrite = ProductWrite & { readonly product: IDataObject };

/**
 * Sends a write to a product that the shop has, for a bulk run, while nobody else writes the product; by `writeMerged`
 * if it changes variants. The product is read once more then, unless a walk has just shown all that changes.
 *
 * @returns the product as it was before, and the answer; undefined if the run has failed meanwhile
 */
export async function patchProduct(
	call: BulkCall,
	{ items, product, ownFields: body, variantChanges, readMs = -Infinity }: KnownWrite,
) {
	const { client } = call;
	const path = '/products/{productId}';
	const pathParams = { productId: String(product.id) };
	const update: PlatformRequest = { method: 'PATCH', path, pathParams, body };
	const lock = client.keyOf(expandPath(path, pathParams));
	return await withLocks(client, [lock], async (hadToWait) => {
		if (call.stopped()) return undefined;
		if (variantChanges.length === 0)
			return { before: product, answer: await call.send(update, items) };
		const write = async (merged: PlatformRequest, step?: string) => {
			// The attempt before was refused, so this is a new write, also if an answer was lost before that.
			if (step !== undefined) call.refused(items);
			return await call.send(merged, items, step);
		};
		const isShown =
			!hadToWait &&
			isJustRead(client, readMs) &&
			!isReadAlone(product) &&
			hasAll(product.variants, variantChanges);
		return await writeMerged(update, variantChanges, client, write, isShown ? product : undefined);
	});
}

/** Does work while no other run of this process writes the SKUs of a run's open items. */
export const withSkuLocks = async (call: BulkCall, work: () => Promise<void>): Promise<void> => {
	const skus = new Set<string>();
	for (const item of call.items) {
		await nextTurn();
		if (item.hasResult) continue;
		// Products that only a handle names share one lock.
		for (const sku of [skuOfItem(item), ...skusOf(item.fields)]) skus.add(sku);
	}
	const keys = Array.from(skus, (sku) => call.client.keyOf(`SKU ${sku}`));
	await withLocks(call.client, keys, work);
};
