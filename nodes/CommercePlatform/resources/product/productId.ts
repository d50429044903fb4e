import type { INodeProperties } from 'n8n-workflow';

/** The product that an operation works on. */
export const productId: INodeProperties = {
	displayName: 'Product',
	name: 'productId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The product to work on',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a product…',
			typeOptions: { searchListMethod: 'searchProducts', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. prod_1001' },
	],
};
