import type { IDataObject } from 'n8n-workflow';

import { HeldItem } from '../../nodes/CommercePlatform/run/bulkItem';

/** What input items ask for that hold these products. */
export const heldItems = (products: IDataObject[]): HeldItem[] =>
	products.map((fields, itemIndex) => new HeldItem(itemIndex, fields, () => fields));
