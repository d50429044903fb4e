import type { INodeProperties } from 'n8n-workflow';

/** Shows what would be sent. */
export const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to send nothing, and return what would be sent, with how many requests it takes, how long they last and what share of the day they are',
};

/** Leaves out what would change nothing. */
export const onlyIfChanged: INodeProperties = {
	displayName: 'Only If Changed',
	name: 'onlyIfChanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to look up what the platform has first, and leave out what has its values already; such items come out with “skipped”. Many items cost one walk through the list, few cost a request each.',
};

export const batchSize: INodeProperties = {
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 100,
	description:
		'How many products one request holds at most. Fewer make it easier to see which one the platform refuses.',
};

export const ifBatchNotAvailable: INodeProperties = {
	displayName: 'If Batch Is Not Available',
	name: 'ifBatchNotAvailable',
	type: 'options',
	options: [
		{
			name: 'Send One by One',
			value: 'single',
			description:
				'Look up each SKU, then create or update its product: two requests for each item instead of one for 100, three where it has variants or prices. Those that you do not enter stay.',
		},
		{ name: 'Stop', value: 'stop', description: 'Fail with an error' },
	],
	default: 'stop',
	description:
		'What to do when the platform takes no batches. It marks them as in development and announces them in its changelog.',
};
