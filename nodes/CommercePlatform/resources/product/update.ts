import { someText } from '../../../shared/values/readers';
import type { RecordOperation } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { onlyIfChanged, recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { amountsAreIn } from '../../fields/money';
import { updateFields } from '../../fields/update';
import { productFields, title } from './productFields';
import { CHEAPER_WAY, productChanges } from './productChanges';
import { productId } from './productId';
import {
	checkNamedVariants,
	mergeAfterConflict,
	mergeIntoProduct,
	namedVariants,
	writeVariants,
} from './writeVariants';

export const update: RecordOperation = {
	kind: 'record',
	scope: 'products.write',
	reads: {
		scope: 'products.read',
		when: ['By Handle', 'Merge by SKU and Currency', 'Only If Changed'],
	},
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update a product',
		description: 'Change fields of a product; what is not entered stays as it is',
		routing: { request: { method: 'PATCH', url: '/products/{productId}' } },
	},
	remark: 'variants are merged by SKU and currency (one more request), or replaced',
	check: checkNamedVariants,
	prepare: mergeIntoProduct,
	recover: mergeAfterConflict,
	readsFirst: (planned) =>
		namedVariants(planned) === undefined
			? undefined
			: 'the product, into whose variants those of the body are merged',
	changes: productChanges,
	cheaperWay: CHEAPER_WAY,
	fields: [
		productId,
		writeVariants,
		amountsAreIn,
		...updateFields(
			[...productFields, bodyField(title, someText)],
			[
				{ name: 'Categories', value: 'categories', empty: [] },
				{ name: 'Description', value: 'description', empty: '' },
				{ name: 'Variants', value: 'variants', empty: [] },
			],
		),
		recordOptions('PATCH', [decimalAmounts, onlyIfChanged]),
	],
};
