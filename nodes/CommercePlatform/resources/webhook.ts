import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/rest/request';
import { isTool } from '../../shared/n8n';
import { InputError, isNotFound, PlatformError } from '../../shared/rest/errors';
import { choices, collection, type Field, type Item, textField } from '../../shared/values/fields';
import { EVENT_CHOICES, isEventName, ownerOf } from '../../shared/shop/events';
import { RESOURCES } from '../../shared/shop/resources';
import { nameText } from '../../shared/values/names';
import { textList } from '../../shared/values/readers';
import { updateFields } from '../fields/freeBody';
import type { Call, Resource } from '../runner/operation';
import { readRecord } from '../runner/rewrite';
import { create, each, getMany, getOne, namedBy, recordsOf, remove, update } from './makeOperation';

/** Webhooks can be named by the address that they deliver to. */
const WEBHOOKS = recordsOf(RESOURCES.webhook, 'wh_1001', {
	displayName: 'URL',
	name: 'url',
	placeholder: 'e.g. https://example.com/hook',
	hint: 'The address that receives the events',
	keysOf: namedBy('url'),
});

/** The address that receives the deliveries: HTTPS only (API document, "Webhook endpoint"). */
const url = (required?: true): Field =>
	textField('URL', 'url', 'HTTPS address that receives the events', {
		required,
		example: 'https://example.com/hook',
		body: 'url',
		read: (field, value) => {
			const address = nameText(field, value);
			const { protocol } = URL.canParse(address) ? new URL(address) : {};
			if (protocol === 'https:') return address;
			const problem = protocol === 'http:' ? 'must use https, not http' : 'is not a web address';
			throw new InputError(field, problem, 'Enter an address like https://example.com/hook.');
		},
	});

const EVENTS = 'Events';
const OTHER_EVENTS = 'Other Event Names';

/**
 * The two fields in which users enter event names: chosen from the list, and typed. If both are filled, the first sends
 * the names of both.
 *
 * @param paths of the two in the parameters
 * @param required whether at least one name must be entered
 */
function eventFields(paths: readonly [chosen: string, typed: string], required?: true): Field[] {
	const enteredIn = (item: Item): string[] | undefined => {
		const names = [
			...eventNames(EVENTS, item.parameter(paths[0], '')),
			...eventNames(OTHER_EVENTS, item.parameter(paths[1], '')),
		];
		return names.length === 0 ? undefined : [...new Set(names)];
	};
	return [
		choices(EVENTS, 'events', 'Names of the events that are delivered, e.g. order.paid', {
			options: EVENT_CHOICES,
			send: {
				in: 'body',
				as: 'events',
				read: (label, _value, item) => {
					const names = enteredIn(item);
					if (names !== undefined || required === undefined) return names;
					throw new InputError(label, 'is empty', 'Choose at least one.');
				},
			},
		}),
		textField(OTHER_EVENTS, 'otherEvents', 'Names of further events, separated by commas', {
			example: 'order.refunded, order.returned',
			hint: 'The platform’s catalog has more events than the list above',
			send: {
				in: 'body',
				as: 'events',
				read: (_label, _value, item, sent) =>
					sent.events === undefined ? enteredIn(item) : undefined,
			},
		}),
	];
}

const [newEvents, otherNewEvents] = eventFields(['events', 'additionalFields.otherEvents'], true);

function eventNames(field: string, value: unknown): string[] {
	const names = textList(field, value);
	const invalidName = names.find((name) => !isEventName(name));
	if (invalidName === undefined) return names;
	throw new InputError(field, `cannot hold “${invalidName}”`, 'Event names look like order.paid.');
}

const description = textField(
	'Description',
	'description',
	'Free text that tells what the endpoint is for',
	{ example: 'Sends orders to the warehouse', body: 'description' },
);

/** What of an endpoint can be changed. */
const changeable = [
	description,
	...eventFields(['updateFields.events', 'updateFields.otherEvents']),
	url(),
];

/** The fields that the platform takes when an endpoint is created (API document, "Webhooks"). */
const WRITABLE = ['url', 'events', 'description'] as const;

const recreate = each({
	request: 'GET /webhooks/{webhookId}',
	name: 'Recreate',
	value: 'recreate',
	action: 'Recreate webhook',
	description:
		'Make a new endpoint like this one, then delete the old. Store the new secret: it is shown this once.',
	locator: WEBHOOKS.locator,
	requests: 3,
	run: replace,
	fields: [
		collection(
			'Update Fields',
			'updateFields',
			'Add Field',
			changeable,
			'Settings to change in the new endpoint; the rest is taken from the old one',
		),
	],
});

/**
 * Creates the new endpoint, then deletes the old one. For a moment both deliver. Receivers recognise the repeats by
 * their content.
 */
async function replace(call: Call): Promise<IDataObject> {
	const { fields: entered, request: readRequest } = call;
	const old = await readUnowned(call, readRequest);
	const copiedNames = WRITABLE.filter((name) => old[name] !== undefined && old[name] !== null);
	const copied = Object.fromEntries(copiedNames.map((name) => [name, old[name]]));
	const created = await createUsable(call, { ...copied, ...entered } as IDataObject);
	const deletion = await deleteOld(call, readRequest);
	const replaced = { id: readRequest.pathParams?.webhookId ?? '', ...deletion };
	return { ...forReader(call.item, created), replaced };
}

/** An endpoint without its new signing secret, if an AI agent reads it: what a model sees leaves n8n. */
function forReader({ node }: Item, endpoint: IDataObject): IDataObject {
	if (!isTool(node)) return endpoint;
	const notice =
		'A signing secret is not shown to AI agents, and the platform shows it only once. Run Webhook → Recreate in a workflow without an agent to get a new one.';
	return { ...endpoint, secret: undefined, secretNotShown: notice };
}

/** Sends a write whose answer may hold a new signing secret. */
const sendForReader = async (call: Call): Promise<IDataObject> =>
	forReader(call.item, await call.record(call.request));

/** Sends a write to an endpoint that no trigger owns. */
async function change(call: Call): Promise<IDataObject> {
	const { pathParams } = call.request;
	await readUnowned(call, { method: 'GET', path: '/webhooks/{webhookId}', pathParams });
	return await call.record(call.request);
}

/** Replaces the secret of an endpoint. */
const rotate = async (call: Call): Promise<IDataObject> => forReader(call.item, await change(call));

/**
 * Reads an endpoint that is to be changed or replaced, and refuses that of a trigger. It would keep the old secret and
 * refuse every delivery that is signed with the new one, wait for events that no longer come, or not be known by its
 * description any more.
 *
 * @throws InputError, PlatformError
 */
async function readUnowned(call: Call, request: PlatformRequest): Promise<IDataObject> {
	const sendRead: Call['send'] = async (toSend) => await call.send(toSend, 'read');
	const { record: endpoint } = await readRecord(sendRead, 'Webhook', request);
	const workflowId = ownerOf(endpoint.description);
	if (workflowId === undefined) return endpoint;
	throw new InputError(
		'Webhook',
		`belongs to the trigger of the n8n workflow ${workflowId}`,
		'The trigger does not learn of it. Change its node if need be, then unpublish and publish that workflow. If the workflow is gone, delete the endpoint.',
	);
}

/**
 * Creates the new endpoint. It must have an ID and a secret before the old one is deleted.
 *
 * @throws PlatformError
 */
async function createUsable({ client, send }: Call, body: IDataObject): Promise<IDataObject> {
	const request = { method: 'POST', path: '/webhooks', body } as const;
	const { record, status, requestId } = await send(request, 'create');
	if (isFilledText(record?.id) && isFilledText(record.secret)) return record;
	const advice = isFilledText(record?.id)
		? `The new endpoint ${record.id} cannot be used: delete it.`
		: 'Look in the list of webhooks for a new endpoint that cannot be used, and delete it.';
	throw new PlatformError(
		'no-secret',
		{ method: request.method, path: request.path, host: client.host },
		{ status, requestId, hint: `The old endpoint was left as it was. ${advice}` },
	);
}

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Deletes the old endpoint. A failure is reported in the output item: an error would lose the new secret. */
async function deleteOld(call: Call, readRequest: PlatformRequest): Promise<IDataObject> {
	try {
		await call.send({ ...readRequest, method: 'DELETE' }, 'delete');
		return { deleted: true };
	} catch (error) {
		if (isNotFound(error)) return { deleted: true };
		const status = error instanceof PlatformError ? error.details.status : undefined;
		return { deleted: false, status, problem: 'The old endpoint is still there: delete it.' };
	}
}

export const webhook: Resource = {
	name: 'Webhook',
	value: 'webhook',
	description: 'Webhook endpoints that receive signed events',
	noun: 'webhook endpoint',
	operations: [
		create(WEBHOOKS, {
			run: sendForReader,
			description:
				'Register an endpoint that receives events. The answer holds its signing secret: store it, it is shown this once.',
			fields: [
				url(true),
				newEvents,
				collection(
					'Additional Fields',
					'additionalFields',
					'Add Field',
					[description, otherNewEvents],
					'Further fields of the endpoint; what is left empty is not sent',
				),
			],
		}),
		remove(WEBHOOKS),
		getOne(WEBHOOKS, { description: 'Get one webhook endpoint, without its secret' }),
		getMany(WEBHOOKS),
		recreate,
		each({
			request: 'POST /webhooks/{webhookId}/rotate_secret',
			name: 'Rotate Secret',
			value: 'rotateSecret',
			action: 'Rotate webhook secret',
			description: 'Replace the signing secret of an endpoint',
			inDevelopment: 'Meanwhile, use Recreate; for a trigger, unpublish and publish its workflow.',
			locator: WEBHOOKS.locator,
			requests: 2,
			run: rotate,
		}),
		each({
			request: 'POST /webhooks/{webhookId}/test',
			name: 'Test',
			value: 'test',
			action: 'Send test event to webhook',
			description: 'Have a test event sent to a webhook endpoint',
			inDevelopment: 'Meanwhile, use the back office’s test event or a real sandbox event.',
			locator: WEBHOOKS.locator,
		}),
		update(WEBHOOKS, {
			description: 'Change a webhook endpoint',
			inDevelopment: 'Meanwhile, use Recreate; for a trigger, change and publish its workflow.',
			requests: 2,
			run: change,
			fields: updateFields(changeable, {
				description: ['Description', ''],
			}),
		}),
	],
};
