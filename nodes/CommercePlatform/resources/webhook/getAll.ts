import type { Operation } from '../../../shared/declarative/operation';
import { listFields } from '../../fields/list';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many webhooks',
		description: 'Get a list of webhooks',
		routing: { request: { method: 'GET', url: '/webhooks' } },
	},
	answer: 'list',
	bareList: true,
	fields: listFields([]),
};
