import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { productByHandle, productId } from './productId';

export const get: EachOperation = {
	kind: 'each',
	scope: 'products.read',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a product',
		description: 'Get one product with its variants and prices',
		routing: { request: { method: 'GET', url: '/products/{productId}' } },
	},
	run: async (call) => await call.record(await productByHandle(call)),
	fields: [productId, recordOptions('GET', [decimalAmounts])],
};
