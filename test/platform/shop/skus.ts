import { parseSku } from './product';
import type { Shop } from './shop';

/** Index of the product that has this SKU. */
export const findBySku = (shop: Shop, sku: string): number | undefined => allBySku(shop, sku)[0];

/** Indices of the products that have this SKU: the one of the start, and one that was written. */
export function allBySku(shop: Shop, sku: string): number[] {
	const places = new Set([parseSku(sku)?.product, shop.writtenSkus.get(sku)]);
	return [...places].filter(
		(index): index is number =>
			index !== undefined &&
			shop.products.get(index)?.variants.some((variant) => variant.sku === sku) === true,
	);
}
