import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { addDecimalAmounts } from '../../fields/money';
import { productByHandle, productId } from './productId';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a product',
		description: 'Get one product with its variants and prices',
		routing: { request: { method: 'GET', url: '/products/{productId}' } },
	},
	answer: 'record',
	prepare: productByHandle,
	fields: [productId, recordOptions('GET', [addDecimalAmounts])],
};
