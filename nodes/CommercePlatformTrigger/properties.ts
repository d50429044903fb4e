import type { INodeProperties, INodePropertyOptions, TriggerPanelDefinition } from 'n8n-workflow';

import { decimalAmounts } from '../shared/fields';
import { PLATFORM_EVENTS } from '../shared/model/events';
import { DEFAULT_RETENTION_HOURS, MAX_RETENTION_HOURS } from './parameters';

const eventOptions: INodePropertyOptions[] = PLATFORM_EVENTS.map(
	({ name, group, label, enterprise }) => ({
		name: label,
		value: name,
		description: enterprise ? `${group}; may exist for Enterprise only` : group,
	}),
).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Of these events users keep copies of what a customer may have deleted. */
const CUSTOMER_EVENTS = ['customer.created', 'customer.updated'];

/** The node's parameters. Every switch among the options is on when it is added. */
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
		displayName: 'Get Full Record',
		name: 'getFullRecord',
		type: 'boolean',
		default: false,
		description:
			'Whether to fetch the order, product or customer of the event and add it as “record”. Costs a request for each delivery.',
	},
	{
		displayName:
			'An event brings little: Order Paid has ID, status and total. Get Full Record adds the whole order, product or customer.',
		name: 'payloadNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { getFullRecord: [false] }, hide: { events: CUSTOMER_EVENTS } },
	},
	{
		displayName:
			'Customer data: when a customer is deleted, delete your copies too. Select “Customer Deleted”, or enter your shop’s redaction event under Options.',
		name: 'customerNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: CUSTOMER_EVENTS } },
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
					'Whether late retries signed with the secret of a replaced endpoint are accepted. Switch off and publish again when a secret has leaked.',
			},
			{
				...decimalAmounts,
				description:
					'Whether to put “decimal” beside every amount and currency of the payload, e.g. 19.99 beside 1999 EUR',
			},
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: true,
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
				default: true,
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
					'How long repeats are recognised and a replaced secret is accepted. Enter more if your shop retries for longer than 26 hours.',
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
							'The same content is executed once. Stops replays, but also swallows equal events of the same second.',
					},
					{
						name: 'Automatic',
						value: 'automatic',
						description:
							'As Always where the content’s timestamp has a fraction of a second, as Never where it has whole seconds',
					},
					{
						name: 'Never',
						value: 'never',
						description: 'Only the delivery ID counts, which the platform does not sign',
					},
				],
				default: 'automatic',
				description:
					'Whether a delivery with another ID is taken for a repeat when its content was seen before',
			},
			{
				displayName: 'Sample Event',
				name: 'sampleEvent',
				type: 'boolean',
				default: true,
				description:
					'Whether to get a test event made from your shop’s newest record as soon as you listen. Published workflows never get samples.',
			},
		],
	},
];

/** Where the two triggers together are described. */
const NO_LOST_ORDERS = 'https://commerce-platform.example/n8n#no-lost-orders';

/** The texts beside the node's button in the editor. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive an event from the platform',
	executionsHelp: {
		inactive:
			'The node registers a test endpoint while you listen, and a production endpoint while the workflow is published. There is nothing to copy.',
		active: `Events show up in the <a data-key="executions">executions list</a>. To see that the endpoint lives, run <b>Webhook: Get Many</b>. To miss no event, see <a href="${NO_LOST_ORDERS}" target="_blank">No lost orders</a>.`,
	},
	activationHint: {
		inactive:
			'Once you have finished building, publish the workflow: it then runs for every selected event.',
		active: 'Published: the workflow runs by itself for every selected event.',
	},
};
