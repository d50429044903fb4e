import type { IDataObject } from 'n8n-workflow';

import { BulkItem } from '../../nodes/CommercePlatform/runner/operation';

/** Input items with these products, as a bulk operation gets them. */
export const bulkItems = (products: IDataObject[]): BulkItem[] =>
	products.map((fields, itemIndex) => new BulkItem([itemIndex], fields, String(fields.sku ?? '')));
