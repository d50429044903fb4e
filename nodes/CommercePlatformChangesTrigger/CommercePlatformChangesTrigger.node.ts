import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import '../shared/n8n';
import { pollProperties } from './parameters';
import { pollChanges } from './poll';

export class CommercePlatformChangesTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Commerce Platform Changes Trigger',
		name: 'commercePlatformChangesTrigger',
		icon: {
			light: 'file:../../icons/commercePlatform.svg',
			dark: 'file:../../icons/commercePlatform.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["watch"] }}',
		description: 'Starts the workflow with what has changed, also with what webhooks have missed',
		eventTriggerDescription: '',
		activationMessage: 'The trigger has begun to watch for changes.',
		defaults: { name: 'Commerce Platform Changes Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'commercePlatformApi', required: true }],
		properties: pollProperties,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollChanges(this);
	}
}
