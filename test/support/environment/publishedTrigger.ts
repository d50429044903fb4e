import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { DeliveryParts } from '../../../platform/support/delivery';
import type { Workflow } from '../n8n/types';
import { chain, noOperation, shopTrigger } from '../n8n/workflows';
import { until } from '../../../platform/support/until';
import type { TestEnvironment } from './testEnvironment';

const WAIT_MS = 60_000;

/** A published workflow that our trigger starts. */
export interface PublishedTrigger {
	workflow: Workflow;
	/** The facts that a sender of genuine deliveries needs. */
	genuine: DeliveryParts;
}

/** Creates `Order Paid → Done` and publishes it. @param last node that replaces Done */
export async function publishTrigger(
	{ client, credential, platform }: TestEnvironment,
	last: Partial<INode> = noOperation('Done'),
): Promise<PublishedTrigger> {
	const trigger = shopTrigger('Order Paid', { events: ['order.paid'] });
	const workflow = await client.createWorkflow(chain('Deliveries', credential, [trigger, last]));
	await client.activate(workflow.id);
	const endpoints = await platform.control.endpoints();
	const { id, url } = endpoints.find((endpoint) => endpoint.url.includes(trigger.webhookId!))!;
	const secret = await platform.control.endpointSecret(id);
	return { workflow, genuine: { url, secret } };
}

/** Publishes `Webhook → then`. @returns its address */
export async function publishWebhook(
	{ client, credential, n8n }: TestEnvironment,
	name: string,
	more: Partial<INode>,
	then: Array<Partial<INode>>,
): Promise<string> {
	const path = randomUUID();
	const webhook: Partial<INode> = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		...more,
		parameters: {
			httpMethod: 'POST',
			path,
			responseMode: 'onReceived',
			options: {},
			...more.parameters,
		},
	};
	const { id } = await client.createWorkflow(chain(name, credential, [webhook, ...then]));
	await client.activate(id);
	return `${n8n.url}/webhook/${path}`;
}

/** Waits until the platform has no webhook endpoint. */
export async function noEndpointLeft({ control }: TestEnvironment['platform']): Promise<void> {
	await until('the endpoint to go', WAIT_MS, async () => (await control.endpoints()).length === 0);
}
