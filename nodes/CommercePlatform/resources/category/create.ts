import type { EachOperation } from '../../engine/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';

export const create: EachOperation = {
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
