import { RESOURCES } from '../../shared/shop/resources';
import { sort } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import type { Resource } from '../runner/operation';
import { create, getMany } from './makeOperation';

export const category: Resource = {
	name: 'Category',
	value: 'category',
	description: 'Categories that products belong to',
	noun: 'category',
	operations: [
		create(RESOURCES.category, {
			description: 'Create a category for products',
			fields: freeBody('the category', 'searchCategoryFields'),
		}),
		getMany(RESOURCES.category, {
			filterTexts: { q: { placeholder: 'e.g. Beauty' } },
			sort,
		}),
	],
};
