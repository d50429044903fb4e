import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import '../shared/supportedN8n';
import { receiveDelivery } from './delivery/receive';
import { endpointIsHealthy, registerEndpoint, removeEndpoint } from './endpoint/lifecycle';
import { properties, triggerPanel } from './properties';

export class CommercePlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Commerce Platform Trigger',
		name: 'commercePlatformTrigger',
		icon: {
			light: 'file:../../icons/commercePlatform.svg',
			dark: 'file:../../icons/commercePlatform.dark.svg',
		},
		group: ['trigger'],
		// Of version 1 n8n takes every webhook node for its own old one, and evaluates an expression a request.
		version: 1.1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		// n8n shows it at the head of the action list as well, for both nodes.
		description:
			'Orders, products, stock and customers of your shop, and events that start a workflow',
		eventTriggerDescription: 'Waiting for the platform to deliver an event',
		activationMessage:
			'The endpoint is registered with the platform. Unpublishing removes it: events until you publish again are not delivered later.',
		triggerPanel,
		defaults: { name: 'Commerce Platform Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'commercePlatformApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Empty, so that the answer is what `webhook()` says, as JSON.
				responseData: '',
				path: 'webhook',
			},
		],
		properties,
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await endpointIsHealthy(this);
			},

			async create(this: IHookFunctions): Promise<boolean> {
				await registerEndpoint(this);
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				await removeEndpoint(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}
}
