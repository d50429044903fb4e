import { generated, type RecordOf } from './collection';
import { parseSku, skuOf, variantCount } from './product';
import { mix } from './random';
import { LOCATIONS, VARIANTS } from './words';

/** A stock level (Resources and their fields, Inventory level). If-Match is compared with `version`. */
export type Level = RecordOf<typeof inventorySource>;

const PER_PRODUCT = VARIANTS.length * LOCATIONS.length;

/** Index of the level of a generated SKU, whether or not the product exists. */
export function levelIndex(sku: string, locationId: string): number | undefined {
	const variantPlace = parseSku(sku);
	const location = (LOCATIONS as readonly string[]).indexOf(locationId);
	return variantPlace && location >= 0
		? variantPlace.product * PER_PRODUCT + variantPlace.variant * LOCATIONS.length + location
		: undefined;
}

/** One level for each variant of every generated product at each location. */
export function inventorySource(products: number, seed: number, today: number) {
	const rounds = Math.floor(products / VARIANTS.length);
	let variants = (rounds * VARIANTS.length * (VARIANTS.length + 1)) / 2;
	for (let n = rounds * VARIANTS.length; n < products; n++) variants += variantCount(n);
	const generate = (index: number, { updated_at }: { updated_at: string }) => {
		const product = Math.floor(index / PER_PRODUCT);
		const variant = Math.floor((index % PER_PRODUCT) / LOCATIONS.length);
		if (variant >= variantCount(product)) return undefined;
		return {
			sku: skuOf(seed, product, variant),
			location_id: LOCATIONS[index % LOCATIONS.length] as string,
			quantity: mix(seed, index, 70) % 120,
			updated_at,
			version: 1,
		};
	};
	return generated(products * PER_PRODUCT, today, generate, variants * LOCATIONS.length);
}
