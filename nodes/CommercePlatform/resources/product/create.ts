import { someText } from '../../../shared/declarative/checks';
import type { Operation } from '../../../shared/declarative/operation';
import { bodyField } from '../../fields/body';
import { includeMetadata, optionsField } from '../../fields/list';
import { addDecimalAmounts, amountsInMajorUnits } from '../../fields/money';
import { sendingOptions } from '../../fields/options';
import { productFields } from './productFields';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a product',
		description: 'Create a product with its variants and prices',
		routing: { request: { method: 'POST', url: '/products' } },
	},
	answer: 'record',
	fields: [
		bodyField(
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. Linen shirt',
				description: 'Name of the product, as customers see it',
			},
			someText,
		),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Further fields of the product',
			options: productFields,
		},
		optionsField([
			...sendingOptions('POST'),
			includeMetadata,
			addDecimalAmounts,
			amountsInMajorUnits,
		]),
	],
};
