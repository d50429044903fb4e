import { someText } from '../../../shared/input/readers';
import type { RecordOperation } from '../../engine/operation';
import { bodyField } from '../../fields/body';
import { onlyIfChanged } from '../../fields/bulk';
import { recordOptions } from '../../fields/list';
import { addDecimalAmounts } from '../../../shared/fields/addDecimalAmounts';
import { amountsInMajorUnits } from '../../fields/money';
import { updateFields } from '../../fields/update';
import { productFields, title } from './productFields';
import { CHEAPER_WAY, productChanges } from './productChanges';
import { productByHandle, productId } from './productId';

export const update: RecordOperation = {
	kind: 'record',
	scope: 'products.write',
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update a product',
		description: 'Change fields of a product; what is not entered stays as it is',
		routing: { request: { method: 'PATCH', url: '/products/{productId}' } },
	},
	prepare: productByHandle,
	changes: productChanges,
	cheaperWay: CHEAPER_WAY,
	fields: [
		productId,
		...updateFields(
			[...productFields, bodyField(title, someText)],
			[
				{ name: 'Categories', value: 'categories', empty: [] },
				{ name: 'Description', value: 'description', empty: '' },
				{ name: 'Variants', value: 'variants', empty: [] },
			],
		),
		recordOptions('PATCH', [addDecimalAmounts, amountsInMajorUnits, onlyIfChanged]),
	],
};
