import type { ListOperation } from '../../engine/operation';
import { listFields } from '../../fields/options';

export const getAll: ListOperation = {
	kind: 'list',
	scope: 'webhooks.manage',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many webhooks',
		description: 'Get a list of webhooks',
		routing: { request: { method: 'GET', url: '/webhooks' } },
	},
	takesQuery: false,
	fields: listFields([]),
};
