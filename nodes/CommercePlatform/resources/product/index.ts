import type { Resource } from '../../../shared/declarative/operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';

export const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [create, get, getAll],
};
