import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/api/request';
import { InputError, isNotFound, PlatformError } from '../../shared/errors/errors';
import { choices, collection, type Field, type Item, textField } from '../../shared/fields';
import { isEventName, ownerOf, PLATFORM_EVENTS } from '../../shared/model/events';
import { someText, textList } from '../../shared/values/readers';
import { updateFields } from '../fields/updateFields';
import { readRecord } from '../run/findRecords';
import type { Call, Resource } from '../run/operation';
import { create, each, getMany, getOne, remove, update } from './makeOperation';
import { WEBHOOKS } from './recordNames';

/** The address that receives the deliveries: HTTPS only (API document, "Webhook endpoint"). */
const url = (required?: true): Field =>
	textField('URL', 'url', 'HTTPS address that receives the events', {
		required,
		example: 'https://example.com/hook',
		body: 'url',
		read: (field, value) => {
			const address = someText(field, value);
			const { protocol } = URL.canParse(address) ? new URL(address) : {};
			if (protocol === 'https:') return address;
			const problem = protocol === 'http:' ? 'must use https, not http' : 'is not a web address';
			throw new InputError(field, problem, 'Enter an address like https://example.com/hook.');
		},
	});

const EVENTS = 'Events';
const OTHER_EVENTS = 'Other Event Names';

/** Where an operation has its list of events, and the names beside it. */
interface EventPlaces {
	events: string;
	otherEvents: string;
}

const ON_CREATE: EventPlaces = { events: 'events', otherEvents: 'additionalFields.otherEvents' };
const ON_UPDATE: EventPlaces = {
	events: 'updateFields.events',
	otherEvents: 'updateFields.otherEvents',
};

const events = (places: EventPlaces, required?: true): Field =>
	choices(EVENTS, 'events', 'Names of the events that are delivered, e.g. order.paid', {
		options: PLATFORM_EVENTS.map(({ name, label, enterprise }) => ({
			name: enterprise ? `${label} (Enterprise)` : label,
			value: name,
		})).sort((a, b) => a.name.localeCompare(b.name)),
		send: {
			in: 'body',
			as: 'events',
			read: (label, _value, item) => {
				const names = enteredEvents(places, item);
				if (names !== undefined || required === undefined) return names;
				throw new InputError(label, 'is empty', 'Choose at least one.');
			},
		},
	});

const otherEvents = (places: EventPlaces): Field =>
	textField(OTHER_EVENTS, 'otherEvents', 'Names of further events, separated by commas', {
		example: 'order.refunded, order.returned',
		hint: 'The platform’s catalogue holds more events than the list above',
		// Where there are both lists, the first one sends both.
		send: {
			in: 'body',
			as: 'events',
			read: (_label, _value, item, sent) =>
				sent.events === undefined ? enteredEvents(places, item) : undefined,
		},
	});

/** Both lists of names become one. */
function enteredEvents(places: EventPlaces, item: Item): string[] | undefined {
	const names = [
		...eventNames(EVENTS, item.parameter(places.events, '')),
		...eventNames(OTHER_EVENTS, item.parameter(places.otherEvents, '')),
	];
	return names.length === 0 ? undefined : [...new Set(names)];
}

function eventNames(field: string, value: unknown): string[] {
	const names = textList(field, value);
	const wrong = names.find((name) => !isEventName(name));
	if (wrong === undefined) return names;
	throw new InputError(field, `cannot hold “${wrong}”`, 'Event names look like order.paid.');
}

const description = textField(
	'Description',
	'description',
	'Free text that tells what the endpoint is for',
	{ example: 'Sends orders to the warehouse', body: 'description' },
);

/** The fields of an endpoint that a create takes (API document, "Webhooks"). */
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
			[description, events(ON_UPDATE), otherEvents(ON_UPDATE), url()],
			'What is to be different in the new endpoint; the rest is taken from the old one',
		),
	],
});

/** The new one first: for a moment both deliver, and receivers drop repeats by the delivery's content. */
async function replace(call: Call): Promise<IDataObject> {
	const { fields: changed, request: read } = call;
	const readFirst: Call['send'] = async (toSend) => await call.send(toSend, 'read');
	const { record: old } = await readRecord(readFirst, 'Webhook', read);
	refuseTriggers(old.description);
	const kept = WRITABLE.filter((name) => old[name] !== undefined && old[name] !== null);
	const like = Object.fromEntries(kept.map((name) => [name, old[name]]));
	const created = await createUsable(call, { ...like, ...changed } as IDataObject);
	const removed = await deleteOld(call, read);
	tellDifferences(call, old, created, changed);
	return { ...created, replaced: { id: read.pathParams?.webhookId ?? '', ...removed } };
}

/** Words for an endpoint that is switched off; the API document shows no states ("States and transitions"). */
const OFF = /^(?:disabled|inactive|paused|suspended|off|stopped)$/i;

/** What the platform says of every endpoint by itself. */
const OF_THE_PLATFORM = /^(?:id|secret|status|object|.*_at)$/;

/** Says that the new endpoint delivers although the old one did not, and which settings a create did not take over. */
function tellDifferences(
	{ hint }: Call,
	old: IDataObject,
	created: IDataObject,
	entered: IDataObject,
): void {
	if (OFF.test(String(old.status)))
		hint(`The old endpoint was “${String(old.status)}”. The new one delivers again.`);
	const differing = Object.keys(old).filter(
		(name) =>
			!OF_THE_PLATFORM.test(name) &&
			entered[name] === undefined &&
			created[name] !== undefined &&
			JSON.stringify(created[name]) !== JSON.stringify(old[name]),
	);
	if (differing.length > 0)
		hint(
			`The new endpoint differs in “${differing.join('”, “')}”, which the API cannot set. Set it in the back office.`,
		);
}

/** A trigger keeps the secret of its endpoint, and would refuse every delivery that is signed with a new one. */
function refuseTriggers(ofEndpoint: unknown): void {
	const workflowId = ownerOf(ofEndpoint);
	if (workflowId === undefined) return;
	throw new InputError(
		'Webhook',
		`belongs to the trigger of the n8n workflow ${workflowId}`,
		'The trigger does not learn of a new secret. To replace it, unpublish and publish that workflow. If the workflow is gone, delete the endpoint.',
	);
}

/** The old endpoint is only given up for one that can take its place. */
async function createUsable({ client, send }: Call, body: IDataObject): Promise<IDataObject> {
	const request = { method: 'POST', path: '/webhooks', body } as const;
	const { record, status, requestId } = await send(request, 'create');
	if (isSaid(record?.id) && isSaid(record.secret)) return record;
	const advice = isSaid(record?.id)
		? `The new endpoint ${record.id} cannot be used: delete it.`
		: 'Look in the list of webhooks for a new endpoint that cannot be used, and delete it.';
	throw new PlatformError(
		'no-secret',
		{ method: request.method, path: request.path, host: client.host },
		{ status, requestId, hint: `The old endpoint was left as it was. ${advice}` },
	);
}

const isSaid = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The new secret must not get lost with an error, so a failure to delete the old one is only told. */
async function deleteOld(call: Call, read: PlatformRequest): Promise<IDataObject> {
	try {
		await call.send({ ...read, method: 'DELETE' }, 'delete');
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
			description:
				'Register an endpoint that receives events. The answer holds its signing secret: store it, it is shown this once.',
			fields: [
				url(true),
				events(ON_CREATE, true),
				collection(
					'Additional Fields',
					'additionalFields',
					'Add Field',
					[description, otherEvents(ON_CREATE)],
					'Further fields of the endpoint; what is left empty is not sent',
				),
			],
		}),
		remove(WEBHOOKS, { description: 'Delete a webhook endpoint permanently' }),
		getOne(WEBHOOKS, { description: 'Get one webhook endpoint, without its secret' }),
		getMany(WEBHOOKS, { takesQuery: false }),
		recreate,
		each({
			request: 'POST /webhooks/{webhookId}/rotate_secret',
			name: 'Rotate Secret',
			value: 'rotateSecret',
			action: 'Rotate secret of webhook',
			description: 'Give an endpoint a new signing secret',
			inDevelopment: 'Meanwhile, use Recreate; for a trigger, unpublish and publish its workflow.',
			locator: WEBHOOKS.locator,
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
			fields: updateFields([description, events(ON_UPDATE), otherEvents(ON_UPDATE), url()], {
				description: ['Description', ''],
			}),
		}),
	],
};
