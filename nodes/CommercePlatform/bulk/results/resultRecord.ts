import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/values/json';

/** Where a result may hold the product. */
const RECORD_KEYS = ['data', 'product', 'resource', 'record', 'result', 'item'] as const;

/** What a product has and a bare result has not. */
const PRODUCT_KEYS = ['id', 'title', 'handle', 'variants'] as const;

/** What a result may call its operation's place in the batch. */
const INDEX_KEYS = ['index', 'operation_index', 'item_index', 'position'] as const;

/**
 * The product that a result shows.
 *
 * @returns undefined where it shows none
 */
export function recordIn(result: IDataObject): IDataObject | undefined {
	for (const key of RECORD_KEYS) {
		const inner: unknown = result[key];
		if (isObject(inner) && Object.keys(inner).length > 0) return inner;
	}
	return PRODUCT_KEYS.some((key) => result[key] !== undefined) ? result : undefined;
}

/** The SKUs of a product: its own, where it has one, and those of its variants. */
export function skusOf(product: IDataObject): string[] {
	const variants: unknown[] = Array.isArray(product.variants) ? product.variants : [];
	return [product, ...variants].flatMap((holder) =>
		isObject(holder) && typeof holder.sku === 'string' ? [holder.sku] : [],
	);
}

/** The place of a result's operation in the batch, counted as the answer counts. */
export function indexIn(value: IDataObject): number | undefined {
	for (const key of INDEX_KEYS) {
		const given: unknown = value[key];
		const index = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
		if (typeof index === 'number' && Number.isInteger(index)) return index;
	}
	return undefined;
}
