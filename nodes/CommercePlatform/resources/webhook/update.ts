import type { EachOperation } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { developmentNotice, recordOptions } from '../../fields/options';
import { furtherFields } from '../../fields/freeBody';
import { updateFields } from '../../fields/update';
import { description, events, otherEvents, readUrl, url } from './webhookFields';
import { webhookByUrl, webhookId } from './webhookId';

const meanwhile = 'Until then, use the operation Recreate with the changed fields.';

export const update: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update a webhook',
		description:
			'Change a webhook endpoint (in development: the platform may refuse it; until it is released, use Recreate)',
		routing: { request: { method: 'PATCH', url: '/webhooks/{webhookId}' } },
	},
	inDevelopment: true,
	meanwhile,
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [
		developmentNotice(meanwhile),
		webhookId,
		...updateFields(
			[
				description,
				events,
				otherEvents,
				...furtherFields('searchWebhookFields'),
				bodyField(url, readUrl),
			],
			[{ name: 'Description', value: 'description', empty: '' }],
		),
		recordOptions('PATCH'),
	],
};
