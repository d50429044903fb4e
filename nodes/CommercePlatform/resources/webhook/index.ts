import type { Resource } from '../../run/operation';
import { collection } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { furtherFields } from '../../fields/freeBody';
import { updateFields } from '../../fields/update';
import { create, each, getMany, getOne, type Records, remove, update } from '../operation';
import { recreate } from './recreate';
import {
	description,
	events,
	otherEvents,
	readUrl,
	requiredEvents,
	url,
	webhookLocator,
} from './webhookFields';

const WEBHOOKS: Records = {
	one: 'a webhook',
	many: 'webhooks',
	path: '/webhooks',
	locator: webhookLocator,
};

const createWebhook = create(WEBHOOKS, {
	description:
		'Register an endpoint that receives events. The answer holds its signing secret, which is shown this once and never again: store it.',
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
	],
});

const updateWebhook = update(WEBHOOKS, {
	name: 'Update (In Development)',
	description:
		'Change a webhook endpoint (in development: the platform may refuse it; until it is released, use Recreate)',
	inDevelopment: 'Until then, use the operation Recreate with the changed fields.',
	fields: updateFields(
		[
			description,
			events,
			otherEvents,
			...furtherFields('searchWebhookFields'),
			bodyField(url, readUrl),
		],
		[{ name: 'Description', value: 'description', empty: '' }],
	),
});

const rotateSecret = each({
	request: 'POST /webhooks/{webhookId}/rotate_secret',
	name: 'Rotate Secret (In Development)',
	value: 'rotateSecret',
	action: 'Rotate the secret of a webhook',
	description:
		'Give a webhook endpoint a new signing secret (in development: the platform may refuse it; until it is released, use Recreate)',
	inDevelopment: 'Until then, use the operation Recreate: the new endpoint has a new secret.',
	locator: webhookLocator,
});

const test = each({
	request: 'POST /webhooks/{webhookId}/test',
	name: 'Test (In Development)',
	value: 'test',
	action: 'Send a test event to a webhook',
	description:
		'Have a test event sent to a webhook endpoint (in development: the platform may refuse it)',
	inDevelopment:
		'Until then, use the back office’s test event, or cause a real event in the sandbox.',
	locator: webhookLocator,
});

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	description: 'Webhook endpoints that receive signed events',
	noun: 'webhook endpoint',
	operations: [
		createWebhook,
		remove(WEBHOOKS, { description: 'Delete a webhook endpoint permanently' }),
		getOne(WEBHOOKS, { description: 'Get one webhook endpoint, without its secret' }),
		getMany(WEBHOOKS, { takesQuery: false }),
		recreate,
		rotateSecret,
		test,
		updateWebhook,
	],
};
