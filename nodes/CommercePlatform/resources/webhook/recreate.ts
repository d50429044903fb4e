import type { IDataObject } from 'n8n-workflow';

import { InputError, isNotFound, PlatformError, settled } from '../../../shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../../shared/api/request';
import { ownerOf } from '../../../shared/model/events';
import { readRecord } from '../../run/each';
import type { Call } from '../../run/operation';
import { collection } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { each } from '../operation';
import { description, events, otherEvents, readUrl, url, webhookLocator } from './webhookFields';

/** The fields of an endpoint that a create takes (API document, "Webhooks"). */
const WRITABLE = ['url', 'events', 'description'] as const;

const changes = collection(
	'Update Fields',
	'updateFields',
	'Add Field',
	'What the new endpoint has otherwise; the rest is taken over from the old one',
	[description, events, otherEvents, bodyField(url, readUrl)],
);

export const recreate = each({
	request: 'GET /webhooks/{webhookId}',
	name: 'Recreate',
	value: 'recreate',
	action: 'Recreate a webhook',
	description:
		'Make a new endpoint like this one, then delete the old one. The answer holds the new secret, which is shown this once: store it.',
	locator: webhookLocator,
	requests: 3,
	run: replace,
	fields: [changes],
});

/** The new one first: for a moment both deliver, and receivers drop repeats by the delivery's content. */
async function replace(call: Call): Promise<IDataObject> {
	const { fields: changed, request: read } = call;
	const { record: old } = await readRecord(
		async (one) => await call.send(one, 'read'),
		'Webhook',
		read,
	);
	refuseTriggers(old.description);
	const kept = WRITABLE.filter((name) => old[name] !== undefined && old[name] !== null);
	const like = Object.fromEntries(kept.map((name) => [name, old[name]]));
	const create: PlatformRequest = {
		method: 'POST',
		path: '/webhooks',
		body: { ...like, ...changed } as IDataObject,
	};
	const created = usable(call, create, await call.send(create, 'create'));
	const removed = await remove(call, read);
	return { ...created, replaced: { id: read.pathParams?.webhookId ?? '', ...removed } };
}

/** A trigger keeps the secret of its endpoint, and would refuse every delivery that is signed with a new one. */
function refuseTriggers(description: unknown): void {
	const workflowId = ownerOf(description);
	if (workflowId === undefined) return;
	throw new InputError(
		'Webhook',
		`belongs to the trigger of the n8n workflow ${workflowId}`,
		'The trigger does not learn of a new secret. To replace it, unpublish and publish that workflow. If the workflow is gone, delete the endpoint.',
	);
}

/** The old endpoint is only given up for one that can take its place. */
function usable(
	{ client }: Call,
	{ method, path }: PlatformRequest,
	{ record, status, requestId }: PlatformResponse,
): IDataObject {
	if (isSaid(record?.id) && isSaid(record.secret)) return record;
	const made = isSaid(record?.id)
		? `The new endpoint ${record.id} cannot be used: delete it.`
		: 'Look in the list of webhooks for a new endpoint that cannot be used, and delete it.';
	throw new PlatformError(
		'no-secret',
		{ method, path, host: client.host },
		{ status, requestId, hint: `The old endpoint was left as it was. ${made}` },
	);
}

const isSaid = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The new secret must not get lost with an error, so a failure to delete the old one is only told. */
async function remove(call: Call, read: PlatformRequest): Promise<IDataObject> {
	const result = await settled(call.send({ ...read, method: 'DELETE' }, 'delete'));
	if (result.status === 'fulfilled') return { deleted: true };
	const reason: unknown = result.reason;
	const status = reason instanceof PlatformError ? reason.details.status : undefined;
	if (isNotFound(reason)) return { deleted: true };
	return { deleted: false, status, problem: 'The old endpoint is still there: delete it.' };
}
