import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { webhookByUrl, webhookId } from './webhookId';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a webhook',
		description: 'Get one webhook endpoint, without its secret',
		routing: { request: { method: 'GET', url: '/webhooks/{webhookId}' } },
	},
	answer: 'record',
	prepare: webhookByUrl,
	fields: [webhookId, recordOptions('GET')],
};
