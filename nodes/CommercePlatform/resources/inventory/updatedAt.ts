import type { PlatformRequest } from '../../../shared/api/request';
import { InputError } from '../../../shared/errors/errors';
import { toUtcIso } from '../../../shared/values/dates';
import { saysNothing } from '../../../shared/values/readers';
import type { OperationCall } from '../../engine/operation';
import type { Field, Item } from '../../fields/field';
import { levelTarget } from './level';
import { nextStamp } from './stamps';

/** When the quantity was counted: the platform refuses what is older than what it has. */
export const updatedAt: Field = {
	displayName: 'Updated At',
	name: 'updatedAt',
	type: 'dateTime',
	default: '',
	description:
		'When the quantity was counted, as an ISO 8601 date; when it is sent, if empty. The platform refuses a time older than the one it has.',
	send: { in: 'body', as: 'updated_at', read: readUpdatedAt },
};

function readUpdatedAt(label: string, value: unknown, item: Item): string | undefined {
	if (!saysNothing(value)) return toUtcIso(label, value, item.timezone);
	if (!item.isExpression('updatedAt')) return undefined;
	throw new InputError(label, 'is empty', 'Nothing was sent. Its expression gives nothing.');
}

/** Stamps a write when its turn has come, so that the last one of a level is also the newest. */
export async function stampNow(call: OperationCall): Promise<PlatformRequest> {
	const { request, client } = call;
	if (request.body?.updated_at !== undefined) return request;
	const updated_at = nextStamp(`${client.host} ${levelTarget(call)}`, client.clock.now());
	return { ...request, body: { ...request.body, updated_at } };
}
