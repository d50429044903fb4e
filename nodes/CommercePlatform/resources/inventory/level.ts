import type { INodeProperties } from 'n8n-workflow';

import { someText } from '../../../shared/values/readers';
import type { PlannedItem } from '../../engine/operation';
import { bodyField } from '../../fields/body';
import { sku } from '../../fields/sku';

/** What names a stock level (API document, "Inventory level"). */
export const levelFields: INodeProperties[] = [
	bodyField({ ...sku, description: 'Stock keeping unit of the product variant' }, someText),
	bodyField(
		{
			displayName: 'Location ID',
			name: 'locationId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. sloc_main',
			description: 'ID of the stock location, in the form sloc_name',
		},
		someText,
		'location_id',
	),
];

/** The stock level that a write changes. */
export function levelTarget({ fields }: Pick<PlannedItem, 'fields'>): string {
	return `stock level ${JSON.stringify([fields.sku, fields.location_id])}`;
}
