import { someText } from '../../../shared/values/readers';
import type { RecordOperation } from '../../engine/operation';
import { bodyField } from '../../fields/body';
import { recordOptions } from '../../fields/list';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { amountsAreIn } from '../../fields/money';
import { CHEAPER_WAY } from './productChanges';
import { productFields, title } from './productFields';

export const create: RecordOperation = {
	kind: 'record',
	scope: 'products.write',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a product',
		description: 'Create a product with its variants and prices',
		routing: { request: { method: 'POST', url: '/products' } },
	},
	cheaperWay: CHEAPER_WAY,
	fields: [
		bodyField({ ...title, required: true }, someText),
		amountsAreIn,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Further fields of the product; what is left empty is not sent',
			options: productFields,
		},
		recordOptions('POST', [decimalAmounts]),
	],
};
