import { parseSku } from './product';
import type { Shop } from './shop';

/** Index of the product that has this SKU. */
export function findBySku(shop: Shop, sku: string): number | undefined {
	const places = [parseSku(sku)?.product, shop.writtenSkus.get(sku)];
	return places.find(
		(index) =>
			index !== undefined &&
			shop.products.get(index)?.variants.some((variant) => variant.sku === sku),
	);
}
