import type { IDataObject } from 'n8n-workflow';

import { BulkItem } from '../../nodes/CommercePlatform/run/bulkItem';

/** What input items ask for that hold these products. */
export const bulkItems = (products: IDataObject[]): BulkItem[] =>
	products.map((fields, itemIndex) => new BulkItem([itemIndex], fields, () => fields));
