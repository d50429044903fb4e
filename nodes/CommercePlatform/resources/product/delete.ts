import type { DeleteOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { productByHandle, productId } from './productId';

export const remove: DeleteOperation = {
	kind: 'delete',
	scope: 'products.write',
	reads: { scope: 'products.read', when: ['By Handle'] },
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a product',
		description: 'Delete a product permanently',
		routing: { request: { method: 'DELETE', url: '/products/{productId}' } },
	},
	prepare: productByHandle,
	fields: [productId, recordOptions('DELETE')],
};
