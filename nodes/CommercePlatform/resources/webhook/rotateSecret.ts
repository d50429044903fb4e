import type { EachOperation } from '../../engine/operation';
import { developmentNotice, recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

const meanwhile = 'Until then, use the operation Recreate: the new endpoint has a new secret.';

export const rotateSecret: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Rotate Secret',
		value: 'rotateSecret',
		action: 'Rotate the secret of a webhook',
		description:
			'Give a webhook endpoint a new signing secret (in development: the platform may refuse it; until it is released, use Recreate)',
		routing: { request: { method: 'POST', url: '/webhooks/{webhookId}/rotate_secret' } },
	},
	inDevelopment: true,
	meanwhile,
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [developmentNotice(meanwhile), webhookId, recordOptions('POST')],
};
