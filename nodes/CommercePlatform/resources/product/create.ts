import { someText } from '../../../shared/declarative/checks';
import type { Operation } from '../../../shared/declarative/operation';
import { bodyField } from '../../fields/body';
import { recordOptions } from '../../fields/list';
import { addDecimalAmounts, amountsInMajorUnits } from '../../fields/money';
import { productFields, title } from './productFields';

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
		bodyField({ ...title, required: true }, someText),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Further fields of the product; what is left empty is not sent',
			options: productFields,
		},
		recordOptions('POST', [addDecimalAmounts, amountsInMajorUnits]),
	],
};
