import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

export const remove: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a webhook',
		description: 'Delete a webhook endpoint permanently',
		routing: { request: { method: 'DELETE', url: '/webhooks/{webhookId}' } },
	},
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [webhookId, recordOptions('DELETE')],
};
