import type { RecordOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

export const get: RecordOperation = {
	kind: 'record',
	scope: 'webhooks.manage',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a webhook',
		description: 'Get one webhook endpoint, without its secret',
		routing: { request: { method: 'GET', url: '/webhooks/{webhookId}' } },
	},
	prepare: webhookByUrl,
	fields: [webhookId, recordOptions('GET')],
};
