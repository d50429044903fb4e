import type { INodeProperties } from 'n8n-workflow';

import { someText } from '../../../shared/values/readers';
import type { PlannedItem } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { skuField, textField } from '../../fields/build';

/** What names a stock level (API document, "Inventory level"). */
export const levelFields: INodeProperties[] = [
	bodyField(skuField('Stock keeping unit of the product variant'), someText),
	bodyField(
		textField('Location ID', 'locationId', 'ID of the stock location, in the form sloc_name', {
			required: true,
			example: 'sloc_main',
		}),
		someText,
		'location_id',
	),
];

/** The stock level that a write changes. */
export function levelTarget({ fields }: Pick<PlannedItem, 'fields'>): string {
	return `stock level ${JSON.stringify([fields.sku, fields.location_id])}`;
}
