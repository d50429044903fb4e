import { lookUp } from '../../engine/lookUp';
import { locator } from '../../fields/build';

/** The webhook endpoint that an operation works on. */
export const webhookId = locator(
	{
		displayName: 'Webhook',
		name: 'webhookId',
		what: 'a webhook endpoint',
		search: 'searchWebhooks',
		example: 'wh_1001',
	},
	[
		{
			displayName: 'By URL',
			name: 'url',
			placeholder: 'e.g. https://example.com/hook',
			hint: 'The address that receives the events; it is looked up first, which is one more request',
		},
	],
);

/** Looks up the endpoint that is named by the address that it delivers to. */
export const webhookByUrl = lookUp({
	parameter: 'webhookId',
	mode: 'url',
	path: '/webhooks',
	takesQuery: false,
	field: 'Webhook',
});
