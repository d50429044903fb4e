import type { IDataObject } from 'n8n-workflow';

import { productWrites, type ProductWrite } from '../../nodes/CommercePlatform/bulk/productWrite';
import { HeldEntry } from '../../nodes/CommercePlatform/engine/heldEntry';

/** The writes that the products of input items make. */
export const writesOf = (products: IDataObject[]): ProductWrite[] => [
	...productWrites(products.map((fields, itemIndex) => new HeldEntry(itemIndex, fields))),
];
