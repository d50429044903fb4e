import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { PLATFORM_EVENTS } from '../shared/model/events';

const eventOptions: INodePropertyOptions[] = PLATFORM_EVENTS.map(
	({ name, group, label, enterprise }) => ({
		name: enterprise ? `${label} (Enterprise)` : label,
		value: name,
		description: enterprise ? `${group}; may exist for Enterprise only` : group,
	}),
).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The node's parameters. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: eventOptions,
		default: [],
		description:
			'The events that start the workflow. Names that are not listed can be entered under Options.',
	},
	{
		displayName:
			'Customer data: when a customer is deleted, the copies that you keep must be deleted too. Select “Customer Deleted” or add the name of your shop’s redaction event under Options, and act on it.',
		name: 'customerNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: ['customer.created', 'customer.updated'] } },
	},
	{
		displayName:
			'Unpublishing the workflow removes its endpoint from the platform. Events of the time between are not delivered later: fetch them with the Commerce Platform node.',
		name: 'lifecycleNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Accept Previous Secret',
				name: 'acceptPreviousSecret',
				type: 'boolean',
				default: true,
				description:
					'Whether late retries of a replaced endpoint, signed with its secret, are accepted for 27 hours. Switch this off and publish again when a secret has leaked.',
			},
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: false,
				description: 'Whether to add the headers of the delivery to the item',
			},
			{
				displayName: 'Other Event Names',
				name: 'otherEvents',
				type: 'string',
				default: '',
				placeholder: 'e.g. order.returned, customer.redacted',
				description:
					'Further names of the platform’s event catalogue, separated by commas: lower-case words joined by dots',
			},
			{
				displayName: 'Payload Only',
				name: 'payloadOnly',
				type: 'boolean',
				default: false,
				description:
					'Whether the item is the payload itself, without event, timestamp and delivery ID',
			},
		],
	},
];
