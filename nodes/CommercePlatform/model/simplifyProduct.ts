import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

/** What the API document names of a product, but for the description, which may be long (Resources, "Product"). */
const OF_PRODUCT = ['id', 'title', 'handle', 'status', 'variants', 'categories'];
const OF_VARIANT = ['sku', 'title', 'prices'];

/** A product in short: what it is called, its state, its categories, and SKU, title and prices of its variants. */
export function simplifyProduct(product: IDataObject): IDataObject {
	const short = only(OF_PRODUCT, product);
	const variants: unknown = short.variants;
	if (Array.isArray(variants))
		short.variants = variants.map((one) =>
			isObject(one) ? only(OF_VARIANT, one) : (one as IDataObject),
		);
	return short;
}

const only = (names: string[], record: IDataObject): IDataObject =>
	Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
