import type { IDataObject } from 'n8n-workflow';

import type { BulkItem } from '../../nodes/CommercePlatform/runner/operation';

/** Input items with these products, as a bulk operation gets them. */
export const bulkItems = (products: IDataObject[]): BulkItem[] =>
	products.map((fields, itemIndex) => ({
		itemIndexes: [itemIndex],
		fields,
		row: itemIndex + 1,
		targets: [],
		mayBeApplied: false,
		hasResult: false,
	}));
