import type { RecordOperation } from '../../engine/operation';
import { developmentNotice, recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

const meanwhile =
	'Until then, use the test event of the back office, where it is offered, or cause a real event in the sandbox.';

export const test: RecordOperation = {
	kind: 'record',
	scope: 'webhooks.manage',
	option: {
		name: 'Test',
		value: 'test',
		action: 'Send a test event to a webhook',
		description:
			'Have a test event sent to a webhook endpoint (in development: the platform may refuse it)',
		routing: { request: { method: 'POST', url: '/webhooks/{webhookId}/test' } },
	},
	inDevelopment: true,
	meanwhile,
	prepare: webhookByUrl,
	fields: [developmentNotice(meanwhile), webhookId, recordOptions('POST')],
};
