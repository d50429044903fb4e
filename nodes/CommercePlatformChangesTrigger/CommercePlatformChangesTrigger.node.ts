import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import '../shared/supportedN8n';
import { pollChanges } from './poll';
import { properties } from './properties';

/** True where a poll time is set that is far below five minutes. */
const POLLS_OFTEN =
	'={{ ($parameter["pollTimes"]?.["item"] ?? []).some((time) => time.mode === "everyMinute" || (time.mode === "everyX" && time.unit === "minutes" && time.value < 5)) }}';

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
		hints: [
			{
				type: 'warning',
				location: 'ndv',
				whenToDisplay: 'always',
				displayCondition: POLLS_OFTEN,
				message:
					'It polls more often than every 5 minutes. Each poll takes at least one request of the API key’s budget; every 5 to 15 minutes is enough beside webhooks.',
			},
		],
		properties,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollChanges(this);
	}
}
