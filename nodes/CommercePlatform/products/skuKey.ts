/**
 * The form in which SKUs are compared. The API document does not say whether the platform tells "a-1" from "A-1",
 * "A - 1" or "Ａ-1". They count as the same wherever that is the careful reading.
 */
export const skuKey = (sku: string): string =>
	sku.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
