import type { Resource } from '../run/operation';
import { COMMON_FILTERS, filters } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { create, getMany, type Records } from './operation';

const CATEGORIES: Records = { one: 'a category', many: 'categories', path: '/categories' };

export const category: Resource = {
	name: 'Category',
	value: 'category',
	description: 'Categories that products belong to',
	noun: 'category',
	operations: [
		create(CATEGORIES, {
			description: 'Create a category for products',
			fields: freeBody('the category', 'searchCategoryFields'),
		}),
		getMany(CATEGORIES, { fields: filters(COMMON_FILTERS) }),
	],
};
