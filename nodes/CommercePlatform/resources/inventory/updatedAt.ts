import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { toUtcIso } from '../../../shared/dates';
import type { PreSend } from '../../../shared/declarative/operation';

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

/** The times that were taken for the items of a node, as long as its execution lasts. */
const times = new WeakMap<object, Map<string, string>>();

/**
 * Now, and the same now when n8n runs the node again (Retry On Fail): the write keeps its Idempotency-Key
 * then, and one key must not stand for two bodies. Nothing of it is stored with the execution.
 */
function firstNow(item: IExecuteSingleFunctions): string {
	const execution = item.getContext('node');
	const known = times.get(execution) ?? new Map<string, string>();
	times.set(execution, known);
	const itemIndex = item.getItemIndex();
	const place = `${item.getWorkflowDataProxy(itemIndex).$runIndex as number}:${itemIndex}`;
	const time = known.get(place) ?? new Date().toISOString();
	known.set(place, time);
	return time;
}
