import type { RecordOperation } from '../../engine/operation';
import { developmentNotice, recordOptions } from '../../fields/options';
import { webhookByUrl, webhookId } from './webhookId';

const meanwhile = 'Until then, use the operation Recreate: the new endpoint has a new secret.';

export const rotateSecret: RecordOperation = {
	kind: 'record',
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
	prepare: webhookByUrl,
	fields: [developmentNotice(meanwhile), webhookId, recordOptions('POST')],
};
