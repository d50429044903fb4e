import type { Resource } from '../../engine/operation';
import { create } from './create';
import { getAll } from './getAll';

export const category: Resource = {
	name: 'Category',
	value: 'category',
	description: 'Categories that products belong to',
	noun: 'category',
	operations: [create, getAll],
};
