import type { NodeParameterValueType } from 'n8n-workflow';

import type { DeliveryParts } from '../delivery';
import type { Workflow } from '../n8n/types';
import { chain, noOperation, shopTrigger } from '../n8n/workflows';
import type { TestEnvironment } from './testEnvironment';

/** A published workflow that our trigger starts. */
export interface PublishedTrigger {
	workflow: Workflow;
	/** What a sender of genuine deliveries needs. */
	genuine: DeliveryParts;
}

/** Makes `Order Paid → Done` and publishes it; it must be the only one. */
export async function publishTrigger(
	{ client, credential, platform }: TestEnvironment,
	parameters: Record<string, NodeParameterValueType> = {},
): Promise<PublishedTrigger> {
	const workflow = await client.createWorkflow(
		chain('Deliveries', credential, [
			shopTrigger('Order Paid', { events: ['order.paid'], ...parameters }),
			noOperation('Done'),
		]),
	);
	await client.activate(workflow.id);
	const [{ id, url }] = await platform.control.endpoints();
	const secret = await platform.control.endpointSecret(id);
	return { workflow, genuine: { url, secret } };
}
