import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type TriggerPanelDefinition,
} from 'n8n-workflow';

import '../shared/n8n';
import { endpointIsHealthy, registerEndpoint, removeEndpoint } from './endpoint';
import { webhookProperties } from './parameters';
import { receiveDelivery } from './receive';

/** The page that describes the two triggers together. */
const NO_LOST_ORDERS = 'https://commerce-platform.example/n8n#no-lost-orders';

/** The texts beside the node's button in the editor. */
const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive an event from the platform',
	executionsHelp: {
		inactive:
			'The node registers a test endpoint while you listen, a production endpoint while the workflow is published. Nothing to copy.',
		active: `Events show up in the <a data-key="executions">executions list</a>. To check the endpoint, run 'Webhook: Get Many'. See also <a href="${NO_LOST_ORDERS}" target="_blank">No lost orders</a>.`,
	},
	activationHint: {
		inactive:
			"No order at hand? Switch 'Sample Event' on. Once you have finished building, publish the workflow: it then runs for every selected event.",
		active: 'Published: the workflow runs for every selected event.',
	},
};

export class CommercePlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Commerce Platform Trigger',
		name: 'commercePlatformTrigger',
		icon: {
			light: 'file:../../icons/commercePlatform.svg',
			dark: 'file:../../icons/commercePlatform.dark.svg',
		},
		group: ['trigger'],
		// n8n takes every webhook node of version 1 for the first version of its own Webhook node, and evaluates an option
		// of that node for each request.
		version: 1.1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when something happens in your shop, e.g. an order is paid',
		eventTriggerDescription:
			"Waiting for an event. No order at hand? Switch 'Sample Event' on, and listen again.",
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
				// Empty, so that n8n answers with what `webhook()` returns, as JSON.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: webhookProperties,
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
