import type { EachOperation, ListOperation, Resource } from '../../run/operation';
import { collection } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { furtherFields } from '../../fields/freeBody';
import { developmentNotice, listFields, recordOptions } from '../../fields/options';
import { updateFields } from '../../fields/update';
import { recreate } from './recreate';
import {
	description,
	events,
	otherEvents,
	readUrl,
	requiredEvents,
	url,
	webhookByUrl,
	webhookId,
} from './webhookFields';

const create: EachOperation = {
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

const remove: EachOperation = {
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

const get: EachOperation = {
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

const getAll: ListOperation = {
	kind: 'list',
	scope: 'webhooks.manage',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many webhooks',
		description: 'Get a list of webhooks',
		routing: { request: { method: 'GET', url: '/webhooks' } },
	},
	takesQuery: false,
	fields: listFields([]),
};

const UNTIL_UPDATE = 'Until then, use the operation Recreate with the changed fields.';

const update: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Update (In Development)',
		value: 'update',
		action: 'Update a webhook',
		description:
			'Change a webhook endpoint (in development: the platform may refuse it; until it is released, use Recreate)',
		routing: { request: { method: 'PATCH', url: '/webhooks/{webhookId}' } },
	},
	inDevelopment: true,
	meanwhile: UNTIL_UPDATE,
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [
		developmentNotice(UNTIL_UPDATE),
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

const UNTIL_ROTATE = 'Until then, use the operation Recreate: the new endpoint has a new secret.';

const rotateSecret: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Rotate Secret (In Development)',
		value: 'rotateSecret',
		action: 'Rotate the secret of a webhook',
		description:
			'Give a webhook endpoint a new signing secret (in development: the platform may refuse it; until it is released, use Recreate)',
		routing: { request: { method: 'POST', url: '/webhooks/{webhookId}/rotate_secret' } },
	},
	inDevelopment: true,
	meanwhile: UNTIL_ROTATE,
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [developmentNotice(UNTIL_ROTATE), webhookId, recordOptions('POST')],
};

const UNTIL_TEST =
	'Until then, use the test event of the back office, where it is offered, or cause a real event in the sandbox.';

const test: EachOperation = {
	kind: 'each',
	scope: 'webhooks.manage',
	option: {
		name: 'Test (In Development)',
		value: 'test',
		action: 'Send a test event to a webhook',
		description:
			'Have a test event sent to a webhook endpoint (in development: the platform may refuse it)',
		routing: { request: { method: 'POST', url: '/webhooks/{webhookId}/test' } },
	},
	inDevelopment: true,
	meanwhile: UNTIL_TEST,
	run: async (call) => await call.record(await webhookByUrl(call)),
	fields: [developmentNotice(UNTIL_TEST), webhookId, recordOptions('POST')],
};

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	description: 'Webhook endpoints that receive signed events',
	noun: 'webhook endpoint',
	operations: [create, remove, get, getAll, recreate, rotateSecret, test, update],
};
