import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import type { BatchCall } from '../engine/batchCall';
import { findCurrent } from './findCurrent';
import type { PriceChange } from './priceChange';
import { productsBySku } from './productSource';

/** A product with all that the input items say of its variants. */
export interface PricedProduct {
	id: string;
	/** As it was found. */
	record: IDataObject;
	/** In input order. */
	changes: PriceChange[];
}

/**
 * Finds the products of some SKUs, by a walk through the list or SKU by SKU, whichever is fewer requests. Items whose
 * SKU names no product, or several, fail.
 *
 * @returns each product once, in the order in which the items first name them
 * @throws PlatformError
 */
export async function productsToPrice(
	call: BatchCall,
	changes: readonly PriceChange[],
): Promise<PricedProduct[]> {
	const found = new Map<string, Map<string, IDataObject>>();
	const wanted = new Set(changes.map(({ sku }) => sku));
	await findCurrent(call, productsBySku, wanted, (record, skus) => {
		if (typeof record.id !== 'string') return;
		for (const sku of skus)
			found.set(sku, (found.get(sku) ?? new Map<string, IDataObject>()).set(record.id, record));
	});
	const products = new Map<string, PricedProduct>();
	for (const change of changes) {
		const [first, ...others] = found.get(change.sku) ?? [];
		if (first === undefined || others.length > 0) {
			call.failed([change.itemIndex], notOne(change.sku, others.length + 1, first !== undefined));
			continue;
		}
		const [id, record] = first;
		const product = products.get(id) ?? { id, record, changes: [] };
		product.changes.push(change);
		products.set(id, product);
	}
	return [...products.values()];
}

const notOne = (sku: string, count: number, isKnown: boolean) =>
	isKnown
		? new InputError(
				'SKU',
				`“${sku}” names ${count} products`,
				'No price was set for it. Use Update.',
			)
		: new InputError(
				'SKU',
				`“${sku}” names no variant of any product`,
				'No price was set for it. Check the SKU, upper and lower case included.',
			);
