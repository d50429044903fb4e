import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

export const get: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a webhook',
		description: 'Get one webhook endpoint, without its secret',
		routing: { request: { method: 'GET', url: '/webhooks/{webhookId}' } },
	},
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [webhookId, recordOptions('GET')],
};
