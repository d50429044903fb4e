import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { webhookByUrl, webhookId } from './webhookId';

export const remove: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a webhook',
		description: 'Delete a webhook endpoint permanently',
		routing: { request: { method: 'DELETE', url: '/webhooks/{webhookId}' } },
	},
	answer: 'deleted',
	prepare: webhookByUrl,
	fields: [webhookId, recordOptions('DELETE')],
};
