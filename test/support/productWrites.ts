import type { IDataObject } from 'n8n-workflow';

import { productWrites, type ProductWrite } from '../../nodes/CommercePlatform/bulk/productWrite';
import { HeldEntries } from '../../nodes/CommercePlatform/engine/heldEntries';

/** The writes that the products of input items make. */
export function writesOf(products: IDataObject[]): ProductWrite[] {
	const held = new HeldEntries();
	products.forEach((fields, itemIndex) => held.add(itemIndex, fields));
	return [...productWrites(held)];
}
