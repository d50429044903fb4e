import type { INodeProperties } from 'n8n-workflow';

/** The order that an operation works on. */
export const orderId: INodeProperties = {
	displayName: 'Order',
	name: 'orderId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The order to work on',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an order…',
			typeOptions: { searchListMethod: 'searchOrders', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. ord_1001' },
	],
};
