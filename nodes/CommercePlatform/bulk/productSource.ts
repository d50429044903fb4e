import type { RecordSource } from './findCurrent';
import { skusOf } from './productWrite';

/** Products by the SKUs of their variants. */
export const productsBySku: RecordSource = {
	list: { method: 'GET', path: '/products' },
	one: (sku) => ({ method: 'GET', path: '/products', query: { sku } }),
	keysOf: skusOf,
};
