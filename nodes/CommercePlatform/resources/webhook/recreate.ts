import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/api/nodeErrors';
import { PlatformError } from '../../../shared/api/platformError';
import type { PlatformRequest } from '../../../shared/api/request';
import type { Operation, OperationCall } from '../../../shared/declarative/operation';
import { recordOf } from '../../../shared/declarative/perform';
import { bodyField } from '../../fields/body';
import { sequenceOptions } from '../../fields/list';
import { description, events, otherEvents, readUrl, url } from './webhookFields';
import { webhookByUrl, webhookId } from './webhookId';

/** The fields of an endpoint that a create takes (API document, "Webhooks"). */
const WRITABLE = ['url', 'events', 'description'] as const;

const changes: INodeProperties = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'What the new endpoint has otherwise; the rest is taken over from the old one',
	options: [description, events, otherEvents, bodyField(url, readUrl)],
};

export const recreate: Operation = {
	option: {
		name: 'Recreate',
		value: 'recreate',
		action: 'Recreate a webhook',
		description:
			'Make a new endpoint like the given one, with a new secret, then delete the old one, so that no event is missed. The answer holds the new secret, which is shown this once and never again: store it.',
		routing: { request: { method: 'GET', url: '/webhooks/{webhookId}' } },
	},
	answer: 'record',
	prepare: webhookByUrl,
	perform: replace,
	fields: [webhookId, changes, sequenceOptions()],
};

/** The new one first: for a moment both deliver, and receivers drop repeats by the delivery's content. */
async function replace(call: OperationCall): Promise<IDataObject> {
	const { body: changed, ...read } = call.request;
	const old = recordOf((await call.send({ ...read, method: 'GET' }, 'read')).body);
	if (old === undefined) throw new InputError('Webhook', 'could not be read');
	const kept = WRITABLE.filter((name) => old[name] !== undefined && old[name] !== null);
	const like = Object.fromEntries(kept.map((name) => [name, old[name]]));
	const body = { ...like, ...changed } as IDataObject;
	const created = await call.send({ method: 'POST', path: '/webhooks', body }, 'create');
	const endpoint = recordOf(created.body);
	const removed = await remove(call, read);
	return { ...endpoint, replaced: { id: read.pathParams?.webhookId ?? '', ...removed } };
}

/** The new secret must not get lost with an error, so a failure to delete the old one is only told. */
async function remove(call: OperationCall, read: PlatformRequest): Promise<IDataObject> {
	const request: PlatformRequest = { ...read, method: 'DELETE', body: undefined };
	const [result] = await Promise.allSettled([call.send(request, 'delete')]);
	if (result.status === 'fulfilled') return { deleted: true };
	const reason: unknown = result.reason;
	const status = reason instanceof PlatformError ? reason.details.status : undefined;
	if (status === 404) return { deleted: true };
	return { deleted: false, status, problem: 'The old endpoint is still there: delete it.' };
}
