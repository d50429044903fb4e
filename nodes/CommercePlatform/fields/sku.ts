import type { INodeProperties } from 'n8n-workflow';

/** The stock keeping unit that an operation names its record by; each says which record that is. */
export const sku: INodeProperties = {
	displayName: 'SKU',
	name: 'sku',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. SHIRT-BLUE-M',
};
