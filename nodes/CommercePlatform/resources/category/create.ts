import type { Operation } from '../../../shared/declarative/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/list';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a category',
		description: 'Create a category for products',
		routing: { request: { method: 'POST', url: '/categories' } },
	},
	answer: 'record',
	fields: [...freeBody('the category', true), recordOptions('POST')],
};
