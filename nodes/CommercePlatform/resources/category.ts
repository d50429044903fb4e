import type { EachOperation, ListOperation, Resource } from '../run/operation';
import { COMMON_FILTERS, filters } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { listFields, recordOptions } from '../fields/options';

const create: EachOperation = {
	kind: 'each',
	scope: undefined,
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a category',
		description: 'Create a category for products',
		routing: { request: { method: 'POST', url: '/categories' } },
	},
	fields: [...freeBody('the category', true, 'searchCategoryFields'), recordOptions('POST')],
};

const getAll: ListOperation = {
	kind: 'list',
	scope: undefined,
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many categories',
		description: 'Get a list of categories',
		routing: { request: { method: 'GET', url: '/categories' } },
	},
	fields: listFields(filters(COMMON_FILTERS)),
};

export const category: Resource = {
	name: 'Category',
	value: 'category',
	description: 'Categories that products belong to',
	noun: 'category',
	operations: [create, getAll],
};
