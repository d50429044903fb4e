import type { INode } from 'n8n-workflow';

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

/** Makes `Order Paid → Done` and publishes it. @param last in the place of Done */
export async function publishTrigger(
	{ client, credential, platform }: TestEnvironment,
	last: Partial<INode> = noOperation('Done'),
): Promise<PublishedTrigger> {
	const trigger = shopTrigger('Order Paid', { events: ['order.paid'] });
	const workflow = await client.createWorkflow(chain('Deliveries', credential, [trigger, last]));
	await client.activate(workflow.id);
	const endpoints = await platform.control.endpoints();
	const { id, url } = endpoints.find((one) => one.url.includes(trigger.webhookId!))!;
	const secret = await platform.control.endpointSecret(id);
	return { workflow, genuine: { url, secret } };
}
