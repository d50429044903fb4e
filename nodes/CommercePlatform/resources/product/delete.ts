import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { productByHandle, productId } from './productId';

export const remove: EachOperation = {
	kind: 'each',
	scope: 'products.write',
	reads: { scope: 'products.read', when: ['By Handle'] },
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a product',
		description: 'Delete a product permanently',
		routing: { request: { method: 'DELETE', url: '/products/{productId}' } },
	},
	run: async (call) => await call.record(await productByHandle(call)),
	fields: [productId, recordOptions('DELETE')],
};
