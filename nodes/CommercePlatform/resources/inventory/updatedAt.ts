import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/api/request';
import { toUtcIso } from '../../../shared/values/dates';
import { InputError } from '../../../shared/errors/errors';
import { saysNothing } from '../../../shared/values/readers';
import type { OperationCall, PreSend } from '../../engine/operation';
import { isExpression } from '../../engine/preSend';
import { levelTarget } from './level';
import { nextStamp } from './stamps';

/** When the quantity was counted: the platform refuses what is older than what it has. */
export const updatedAt: INodeProperties = {
	displayName: 'Updated At',
	name: 'updatedAt',
	type: 'dateTime',
	default: '',
	description:
		'When the quantity was counted, as an ISO 8601 date; when it is sent, if empty. The platform refuses a time older than the one it has.',
	routing: { send: { preSend: [sendUpdatedAt()] } },
};

function sendUpdatedAt(): PreSend {
	return async function (options) {
		const entered: unknown = this.getNodeParameter('updatedAt', '');
		if (saysNothing(entered)) {
			if (!isExpression(this.getNode(), 'updatedAt')) return options;
			throw new InputError(
				'Updated At',
				'is empty',
				'Nothing was sent. Its expression gives nothing.',
			);
		}
		const updated_at = toUtcIso('Updated At', entered, this.getTimezone());
		return { ...options, body: { ...(options.body as IDataObject), updated_at } };
	};
}

/** Stamps a write when its turn has come, so that the last one of a level is also the newest. */
export async function stampNow(call: OperationCall): Promise<PlatformRequest> {
	const { request, client } = call;
	if (request.body?.updated_at !== undefined) return request;
	const updated_at = nextStamp(`${client.host} ${levelTarget(call)}`, client.clock.now());
	return { ...request, body: { ...request.body, updated_at } };
}
