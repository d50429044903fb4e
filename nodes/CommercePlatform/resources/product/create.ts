import { someText } from '../../../shared/values/readers';
import type { EachOperation } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { amountsAreIn } from '../../fields/money';
import { CHEAPER_WAY } from './productChanges';
import { additionalFields, title } from './productFields';

export const create: EachOperation = {
	kind: 'each',
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
		additionalFields,
		recordOptions('POST', [decimalAmounts]),
	],
};
