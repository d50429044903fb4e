import type { RecordOperation } from '../../engine/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';

export const create: RecordOperation = {
	kind: 'record',
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
