import type { INodeProperties } from 'n8n-workflow';

import { checkHeaderValue } from '../../../shared/api/path';
import { someText } from '../../../shared/input/readers';
import type { PlannedItem, PreSend } from '../../engine/operation';
import { bodyField } from '../../fields/body';

/** What names a stock level (API document, "Inventory level"). */
export const levelFields: INodeProperties[] = [
	bodyField(
		{
			displayName: 'SKU',
			name: 'sku',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. SHIRT-BLUE-M',
			description: 'Stock keeping unit of the product variant',
		},
		someText,
	),
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

/** The version that the write is based on (API document, "Inventory"). */
export const ifMatch: INodeProperties = {
	displayName: 'If-Match',
	name: 'ifMatch',
	type: 'string',
	default: '',
	placeholder: 'e.g. "7"',
	description:
		'Version (ETag) of the stock level that you have read; if it has changed since, the platform refuses the write as a conflict',
	routing: { send: { preSend: [sendIfMatch()] } },
};

function sendIfMatch(): PreSend {
	return async function (options) {
		const version: unknown = this.getNodeParameter('options.ifMatch', '');
		if (version === '' || version === undefined) return options;
		const header = checkHeaderValue('If-Match', version);
		return { ...options, headers: { ...options.headers, 'If-Match': header } };
	};
}
