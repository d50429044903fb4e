import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { productByHandle, productId } from './productId';

export const remove: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a product',
		description: 'Delete a product permanently',
		routing: { request: { method: 'DELETE', url: '/products/{productId}' } },
	},
	answer: 'deleted',
	prepare: productByHandle,
	fields: [productId, recordOptions('DELETE')],
};
