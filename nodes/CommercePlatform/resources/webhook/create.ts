import type { EachOperation } from '../../engine/operation';
import { collection } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { recordOptions } from '../../fields/options';
import { description, otherEvents, readUrl, requiredEvents, url } from './webhookFields';

export const create: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	remark: 'the secret is shown this once',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a webhook',
		description:
			'Register an endpoint that receives events. The answer holds its signing secret, which is shown this once and never again: store it.',
		routing: { request: { method: 'POST', url: '/webhooks' } },
	},
	fields: [
		bodyField({ ...url, required: true }, readUrl),
		requiredEvents,
		collection(
			'Additional Fields',
			'additionalFields',
			'Add Field',
			'Further fields of the endpoint; what is left empty is not sent',
			[description, otherEvents],
		),
		recordOptions('POST'),
	],
};
