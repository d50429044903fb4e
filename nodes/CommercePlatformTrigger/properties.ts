import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { decimalAmounts } from '../shared/fields/decimalAmounts';
import { PLATFORM_EVENTS } from '../shared/model/events';
import { DEFAULT_RETENTION_HOURS, MAX_RETENTION_HOURS } from './memory/retention';

const eventOptions: INodePropertyOptions[] = PLATFORM_EVENTS.map(
	({ name, group, label, enterprise }) => ({
		name: label,
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
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Accept Previous Secret',
				name: 'acceptPreviousSecret',
				type: 'boolean',
				default: true,
				description:
					'Whether late retries of a replaced endpoint, signed with its secret, are accepted. Switch this off and publish again when a secret has leaked.',
			},
			{
				...decimalAmounts,
				description:
					'Whether to put “decimal” beside every amount and currency of the payload, e.g. 19.99 beside 1999 EUR',
			},
			{
				displayName: 'Get Full Record',
				name: 'getFullRecord',
				type: 'boolean',
				default: false,
				description:
					'Whether to fetch the order, product or customer of the event and add it as “record”. Costs a request for each delivery. If that fails or takes longer than 5 seconds, the item comes all the same, with the reason as “recordError”.',
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
				placeholder: 'e.g. order.returned, customers/redact',
				description:
					'Further names of the platform’s event catalogue, separated by commas. Write them exactly as the catalogue does.',
			},
			{
				displayName: 'Payload Only',
				name: 'payloadOnly',
				type: 'boolean',
				default: false,
				description:
					'Whether the item is the payload itself, without event, timestamp and delivery ID',
			},
			{
				displayName: 'Remember Deliveries (Hours)',
				name: 'rememberHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MAX_RETENTION_HOURS, numberPrecision: 0 },
				default: DEFAULT_RETENTION_HOURS,
				description:
					'How long repeats of a delivery are recognised and the secret of a replaced endpoint is accepted. The default fits the platform’s usual retries. Enter more if your shop has a longer retry schedule.',
			},
			{
				displayName: 'Repeats by Content',
				name: 'repeatsByContent',
				type: 'options',
				options: [
					{
						name: 'Always',
						value: 'always',
						description:
							'The same content is executed once. Stops replays of captured deliveries, but also swallows equal events of the same second.',
					},
					{
						name: 'Automatic',
						value: 'automatic',
						description:
							'As Always where the timestamp in the content has a fraction of a second, as Never where it has whole seconds',
					},
					{
						name: 'Never',
						value: 'never',
						description: 'Only the delivery ID counts, which the platform does not sign',
					},
				],
				default: 'automatic',
				description:
					'Whether a delivery with another delivery ID is taken for a repeat when its content was seen before',
			},
			{
				displayName: 'Sample Event',
				name: 'sampleEvent',
				type: 'boolean',
				default: false,
				description:
					'Whether a test event comes as soon as you listen for one, made from the newest record of your shop: nobody has to pay an order. Costs a request. Has no effect once the workflow is published.',
			},
		],
	},
];
