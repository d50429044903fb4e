import type { Operation } from '../../../shared/declarative/operation';
import { includeMetadata, optionsField } from '../../fields/list';
import { conditionalOptions } from '../../fields/options';
import { productId } from './productId';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a product',
		description: 'Get one product with its variants and prices',
		routing: { request: { method: 'GET', url: '/products/{productId}' } },
	},
	answer: 'record',
	fields: [productId, optionsField([...conditionalOptions, includeMetadata])],
};
