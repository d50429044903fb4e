import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Clock } from '../../shared/api/clock';
import { memoryOf } from './endpointMemories';
import type { EndpointMemory } from './endpointMemory';
import type { EndpointRecord } from './endpointRecord';

/** What a hook or a delivery works with: the memory of its endpoint, and where that is saved. */
export interface EndpointContext {
	address: string;
	workflowId: string;
	memory: EndpointMemory;
	/** The node's static data as n8n loaded it. */
	staticData: IDataObject;
	clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
}

/**
 * Opens the memory of a webhook address, and adds what static data knows of it.
 *
 * @param address the webhook URL
 * @param retentionMs how long deliveries are remembered. ms
 */
export function openEndpoint(
	context: IHookFunctions | IWebhookFunctions,
	address: string,
	retentionMs: number,
	clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>,
): EndpointContext {
	const workflowId = String(context.getWorkflow().id ?? '');
	const staticData = context.getWorkflowStaticData('node');
	const memory = memoryOf({ instanceId: context.getInstanceId(), workflowId, address }, clock);
	memory.retentionMs = retentionMs;
	memory.merge(staticData);
	return { address, workflowId, memory, staticData, clock };
}

/** Keeps a record in this process, and in the static data that n8n saves after a hook. */
export function keepRecord(endpoint: EndpointContext, record: EndpointRecord): void {
	endpoint.memory.replaceRecord(record);
	Object.assign(endpoint.staticData, endpoint.memory.serialize());
}
