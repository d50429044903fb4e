import type { INodeProperties } from 'n8n-workflow';

import type { PlatformMethod } from '../../shared/api/request';

/** The options of whatever is sent. */
export const everyRequest: INodeProperties[] = [
	{
		displayName: 'Keep Daily Budget (%)',
		name: 'keepDailyBudget',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 20,
		description:
			'Stop when less than this share of the API key’s daily requests is left, so that other integrations can still work',
	},
	{
		displayName: 'Keep Minute Budget (%)',
		name: 'keepMinuteBudget',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 20,
		description:
			'Wait for the next minute when less than this share of the API key’s requests per minute is left. The platform notifies the shop’s owners at 20 %.',
	},
	{
		displayName: 'Max Requests at Once',
		name: 'maxRequestsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 4,
		description:
			'How many requests may be under way at the same time, counted over all nodes that use the same API key in this n8n process',
	},
	{
		displayName: 'Max Retry Wait (Seconds)',
		name: 'maxRetryWait',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 120,
		description:
			'How long one request may wait in total for retries after rate limits and passing faults before it fails',
	},
];

const idempotencyKey: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1001-note',
	description:
		'A key of your own for this write, up to 255 printable ASCII characters. By default the node makes one that is the same over all retries and different for every item. The same key must never stand for two different writes.',
};

/** Whether a write is repeated whose first attempt may have been applied. */
export const retryWrites: INodeProperties = {
	displayName: 'Retry Writes',
	name: 'retryWrites',
	type: 'options',
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'Like reads, always under the same Idempotency-Key',
		},
		{ name: 'Never', value: 'never', description: 'One attempt only' },
		{
			name: 'Only When Surely Not Applied',
			value: 'whenSurelyNotApplied',
			description: 'After a rate limit, or where no connection came about',
		},
	],
	default: 'automatic',
	description: 'Whether a write is sent again after a passing fault',
};

/** Asks only for what has changed (API document, "Pagination rules", 5). */
export const ifNoneMatch: INodeProperties = {
	displayName: 'Known ETag',
	name: 'ifNoneMatch',
	type: 'string',
	default: '',
	placeholder: 'e.g. "33a64df5"',
	description:
		'The ETag of the version that you already have. If nothing has changed, the item says “notModified” instead of repeating the record.',
};

/** The options that every request of a method has. */
export function sendingOptions(method: PlatformMethod): INodeProperties[] {
	return method === 'GET' ? everyRequest : [...everyRequest, retryWrites, idempotencyKey];
}

/** The options of a Get of one record. */
export const conditionalOptions: INodeProperties[] = [...everyRequest, ifNoneMatch];
