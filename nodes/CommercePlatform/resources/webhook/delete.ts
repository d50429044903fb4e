import type { DeleteOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

export const remove: DeleteOperation = {
	kind: 'delete',
	scope: 'webhooks.manage',
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a webhook',
		description: 'Delete a webhook endpoint permanently',
		routing: { request: { method: 'DELETE', url: '/webhooks/{webhookId}' } },
	},
	prepare: webhookByUrl,
	fields: [webhookId, recordOptions('DELETE')],
};
