import type { EachOperation } from '../../engine/operation';
import { developmentNotice, recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

const meanwhile =
	'Until then, use the test event of the back office, where it is offered, or cause a real event in the sandbox.';

export const test: EachOperation = {
	kind: 'each',
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
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [developmentNotice(meanwhile), webhookId, recordOptions('POST')],
};
