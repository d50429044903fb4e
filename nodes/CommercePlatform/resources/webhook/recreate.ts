import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { PlatformError } from '../../../shared/api/platformError';
import { recordOf } from '../../../shared/api/record';
import type { PlatformRequest } from '../../../shared/api/request';
import { InputError } from '../../../shared/input/inputError';
import { settled } from '../../../shared/settled';
import type { OperationCall, SequenceOperation } from '../../engine/operation';
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

export const recreate: SequenceOperation = {
	kind: 'sequence',
	scope: 'webhooks.manage',
	remark: 'then POST /webhooks, then DELETE /webhooks/{webhookId}; the secret is shown this once',
	option: {
		name: 'Recreate',
		value: 'recreate',
		action: 'Recreate a webhook',
		description:
			'Make a new endpoint like the given one, with a new secret, then delete the old one, so that no event is missed. The answer holds the new secret, which is shown this once and never again: store it.',
		routing: { request: { method: 'GET', url: '/webhooks/{webhookId}' } },
	},
	prepare: webhookByUrl,
	run: replace,
	fields: [webhookId, changes, sequenceOptions()],
};

/** The new one first: for a moment both deliver, and receivers drop repeats by the delivery's content. */
async function replace(call: OperationCall): Promise<IDataObject> {
	const { request: read, fields: changed } = call;
	const old = recordOf((await call.send(read, 'read')).body);
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
	const result = await settled(call.send({ ...read, method: 'DELETE' }, 'delete'));
	if (result.status === 'fulfilled') return { deleted: true };
	const reason: unknown = result.reason;
	const status = reason instanceof PlatformError ? reason.details.status : undefined;
	if (status === 404) return { deleted: true };
	return { deleted: false, status, problem: 'The old endpoint is still there: delete it.' };
}
