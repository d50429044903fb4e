import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { findRecords } from '../runner/lookup';
import type { BulkCall } from '../runner/operation';
import { inParallel } from '../runner/pool';
import { writeMergedFor } from './merge';
import { joinedWrites, namesOf, productsByNames, type ProductWrite } from './plan';
import { type ProductDone, productLockName, productUpdate, withLocks } from './products';

/**
 * Writes products without batches, once it is known which of them the shop has. Writes of one product go one after the
 * other, in input order.
 *
 * @param writes whose items have no result yet
 * @param productDone receives the products that were written
 */
export async function sendAlone(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<void> {
	const known = await withProducts(call, writes);
	let sentCount = 0;
	await inParallel(
		known,
		call.client.options.maxInFlight,
		async (write) => {
			const id = write.product === undefined ? undefined : String(write.product.id);
			const lockNames = id === undefined ? [] : [productLockName(id)];
			await withLocks(call, lockNames, async () => {
				if (call.stopped()) return;
				// The result is reported before the lock is released: if it stops the run, the next write is not sent.
				await writeOne(call, write, id).then(
					(written) => productDone(write.item, ...written),
					(error: unknown) => call.failed([write.item], error),
				);
			});
			call.report.progress(++sentCount, known.length, 'products');
		},
		() => call.stopped(),
	);
}

/** A product without a SKU is found by its handle. */
const nameOfWrite = ({ item }: ProductWrite): string =>
	item.key === '' ? namesOf(item, true)[0] : item.key;

/** Finds the products of writes, and joins those that turn out to be about one product. */
async function withProducts(
	call: BulkCall,
	writes: readonly ProductWrite[],
): Promise<ProductWrite[]> {
	const unknown = writes.filter(({ product }) => product === undefined);
	const products = await findRecords(call, productsByNames, unknown.map(nameOfWrite));
	const found = writes.flatMap((write) => {
		const name = nameOfWrite(write);
		const named = write.product === undefined ? (products.get(name) ?? []) : [write.product];
		if (named.length <= 1) return [{ item: write.item, product: named.at(0) }];
		const error = new InputError(
			'SKU',
			`“${name}” names ${named.length} products`,
			'Nothing was sent for it. Use the operation Update with the product’s ID.',
		);
		call.failed([write.item], error);
		return [];
	});
	return joinedWrites(call, found, false);
}

/** @returns what `productDone` receives: the product, if the answer shows it, and what was done to it */
async function writeOne(
	call: BulkCall,
	{ item, body, variantChanges }: ProductWrite,
	id: string | undefined,
): Promise<[record: IDataObject | undefined, result: 'created' | 'updated']> {
	if (id === undefined) return [await create(call, item, body, variantChanges), 'created'];
	const update = productUpdate(id, body);
	if (variantChanges.length === 0) return [(await call.send(update, [item])).record, 'updated'];
	const { answer } = await writeMergedFor(call, [item], update, variantChanges);
	return [answer.record, 'updated'];
}

/** Creates the same product as a batch would: its SKU is the SKU of a variant. */
async function create(
	call: BulkCall,
	item: ProductWrite['item'],
	fields: IDataObject,
	variantChanges: readonly IDataObject[],
): Promise<IDataObject | undefined> {
	const { key: sku } = item;
	const ofSku = sku === '' ? [] : [{ sku }];
	const variants = variantChanges.length === 0 ? ofSku : [...variantChanges];
	if (sku !== '' && !variants.some((variant) => variant.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...fields, ...(variants.length > 0 && { variants }) };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, [item]);
	return record;
}
