import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { toUtcIso } from '../../../shared/dates';
import { ItemMemory } from '../../engine/itemMemory';
import type { PreSend } from '../../engine/operation';

/** When the quantity was counted: the platform refuses what is older than what it has. */
export const updatedAt: INodeProperties = {
	displayName: 'Updated At',
	name: 'updatedAt',
	type: 'dateTime',
	default: '',
	description:
		'When the quantity was counted, as an ISO 8601 date; now, when empty. The platform refuses a time older than the one it has.',
	routing: { send: { preSend: [sendUpdatedAt()] } },
};

function sendUpdatedAt(): PreSend {
	return async function (options) {
		const entered: unknown = this.getNodeParameter('updatedAt', '');
		const isEmpty = entered === '' || entered === undefined || entered === null;
		const updated_at = isEmpty
			? firstNow(this)
			: toUtcIso('Updated At', entered, this.getTimezone());
		return { ...options, body: { ...(options.body as IDataObject), updated_at } };
	};
}

const times = new ItemMemory<string>();

/**
 * Now, and the same now when n8n runs the node again (Retry On Fail): the write keeps its Idempotency-Key
 * then, and one key must not stand for two bodies.
 */
function firstNow(item: IExecuteSingleFunctions): string {
	const known = times.of(item, item.getItemIndex());
	const time = known.get() ?? new Date().toISOString();
	known.set(time);
	return time;
}
