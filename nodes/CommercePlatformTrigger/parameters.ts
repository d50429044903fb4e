import type { IDataObject, IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../shared/errors/errors';
import { toNodeError } from '../shared/errors/nodeErrors';
import {
	choice,
	choices,
	collection,
	decimalAmounts,
	decimalFormOf,
	notice,
	numberField,
	shownWhen,
	textField,
	toggle,
} from '../shared/fields';
import { isEventName, PLATFORM_EVENTS } from '../shared/model/events';
import { boolean, oneOf } from '../shared/values/readers';

/**
 * How long a delivery and the secret of a replaced endpoint are remembered, unless the user says otherwise. Hours.
 *
 * The platform's last retry comes 26.6 hours after the first attempt (API document, "Retry policy").
 */
const DEFAULT_RETENTION_HOURS = 27;

/** Two weeks, longer than any schedule of retries. Hours. */
const MAX_RETENTION_HOURS = 336;

const eventOptions = PLATFORM_EVENTS.map(({ name, group, label, enterprise }) => ({
	name: label,
	value: name,
	description: enterprise ? `${group}; may exist for Enterprise only` : group,
})).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Of these events users keep copies of what a customer may have deleted. */
const CUSTOMER_EVENTS = ['customer.created', 'customer.updated'];

const options = [
	toggle(
		'Accept Previous Secret',
		'acceptPreviousSecret',
		'Whether late retries signed with a replaced endpoint’s secret are accepted. If a secret leaked, switch off and publish again.',
	),
	{
		...decimalAmounts,
		description:
			'Whether to put “decimal” beside every amount and currency of the payload, e.g. 19.99 beside 1999 EUR',
	},
	toggle('Include Headers', 'includeHeaders', 'Whether to add the headers of the delivery'),
	textField(
		'Other Event Names',
		'otherEvents',
		'Further names of the platform’s event catalogue, separated by commas. Write them exactly as the catalogue does.',
		{ example: 'order.returned, customers/redact' },
	),
	toggle(
		'Payload Only',
		'payloadOnly',
		'Whether the item is the payload itself, without event, timestamp and delivery ID',
	),
	numberField(
		'Remember Deliveries (Hours)',
		'rememberHours',
		'How long repeats are recognised and a replaced secret is accepted. Enter more if your shop retries for longer.',
		{
			typeOptions: { minValue: 1, maxValue: MAX_RETENTION_HOURS, numberPrecision: 0 },
			default: DEFAULT_RETENTION_HOURS,
		},
	),
	choice(
		'Repeats by Content',
		'repeatsByContent',
		{
			always: [
				'Always',
				'The same content is executed once. Stops replays, but also swallows equal events of the same second.',
			],
			automatic: [
				'Automatic',
				'As Always where the content’s timestamp has a fraction of a second, as Never where it has whole seconds',
			],
			never: ['Never', 'Only the delivery ID counts, which the platform does not sign'],
		},
		'Whether a delivery with another ID is taken for a repeat when its content was seen before',
		{ default: 'automatic' },
	),
	toggle(
		'Sample Event',
		'sampleEvent',
		'Whether listening gives a test event made from your shop’s newest record at once. Published workflows never get samples.',
	),
];

/** The node's parameters. Every switch among the options is on when it is added. */
export const properties: INodeProperties[] = [
	choices(
		'Events',
		'events',
		'The events that start the workflow. Names that are not listed can be entered under Options.',
		{ options: eventOptions },
	),
	toggle(
		'Get Full Record',
		'getFullRecord',
		'Whether to fetch the event’s order, product or customer and add it as “record”. Costs a request per delivery.',
		{ default: false },
	),
	{
		...notice(
			'payloadNotice',
			'An event brings little: Order Paid has ID, status and total. Get Full Record adds the whole record.',
		),
		displayOptions: { show: { getFullRecord: [false] }, hide: { events: CUSTOMER_EVENTS } },
	},
	...shownWhen(
		'events',
		CUSTOMER_EVENTS,
		notice(
			'customerNotice',
			'Customer data: delete your copies when a customer is deleted. Select “Customer Deleted”, or enter your shop’s redaction event.',
		),
	),
	collection('Options', 'options', 'Add Option', options),
];

/**
 * When two deliveries with the same body and different ids are taken for the same one: whenever the body's
 * timestamp is exact enough to tell two events apart, always, or never. The default first.
 */
const REPEATS_BY_CONTENT = ['automatic', 'always', 'never'] as const;

const HOUR_MS = 60 * 60 * 1000;

/** The node's parameters, read once and brought into shape. */
export type TriggerParameters = ReturnType<typeof readParameters>;

/**
 * Reads the parameters. What cannot be used is refused when an endpoint is registered; should an expression give it
 * later, the default counts, so that no delivery is lost. Each reading of a parameter costs n8n an evaluation.
 *
 * @param isChecked whether they are for a new endpoint
 * @throws NodeOperationError that names the field which cannot be used, where they are
 */
export function readParameters(context: IHookFunctions | IWebhookFunctions, isChecked = false) {
	const attempt = <T>(read: () => T, byDefault: T): T => {
		try {
			return read();
		} catch (error) {
			if (isChecked) throw toNodeError(context.getNode(), error);
			return byDefault;
		}
	};
	const options = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	// Lists, or names separated by commas, spaces or lines: expressions may give either.
	const named = [context.getNodeParameter('events', []), options.otherEvents].flatMap((list) =>
		Array.isArray(list)
			? list.map((name) => String(name).trim())
			: `${list ?? ''}`.split(/[\s,;]+/),
	);
	const names = [...new Set(named)].filter((name) => name !== '').sort();
	const isOn = (field: string, value: unknown, byDefault = false) =>
		attempt(() => boolean(field, value ?? byDefault), byDefault);
	const retentionHours = attempt(() => hours(options.rememberHours), DEFAULT_RETENTION_HOURS);
	return {
		/** The selected events: distinct names, sorted. */
		events: attempt(() => checkedEvents(names), names.filter(isEventName)),
		/** Whether deliveries signed with the secret of a replaced endpoint count. */
		acceptPreviousSecret: isOn('Accept Previous Secret', options.acceptPreviousSecret, true),
		/** How long deliveries and replaced secrets are to be remembered. */
		retentionMs: retentionHours * HOUR_MS,
		repeatsByContent: attempt(
			() => oneOf('Repeats by Content', options.repeatsByContent, REPEATS_BY_CONTENT),
			'automatic',
		),
		/** Whether listening for a test event gets a sample at once. */
		sampleEvent: isOn('Sample Event', options.sampleEvent),
		/** How the user wants items to look. */
		form: {
			payloadOnly: isOn('Payload Only', options.payloadOnly),
			includeHeaders: isOn('Include Headers', options.includeHeaders),
			getFullRecord: isOn('Get Full Record', context.getNodeParameter('getFullRecord', false)),
			decimals: attempt(() => decimalFormOf(options, 'off'), 'off'),
		},
	};
}

function hours(value: unknown = DEFAULT_RETENTION_HOURS): number {
	if (typeof value === 'number' && value >= 1 && value <= MAX_RETENTION_HOURS) return value;
	const problem = `must be a number from 1 to ${MAX_RETENTION_HOURS}`;
	throw new InputError('Remember Deliveries (Hours)', problem);
}

function checkedEvents(names: string[]): string[] {
	if (names.length === 0) throw new InputError('Events', 'is empty', 'Select at least one event.');
	const misshapen = names.filter((name) => !isEventName(name)).map((name) => `“${name}”`);
	if (misshapen.length === 0) return names;
	throw new InputError(
		'Other Event Names',
		`holds names that no event can have: ${misshapen.join(', ')}`,
		'Write each name exactly as the platform’s event catalogue does, for example order.paid. Wildcards do not work.',
	);
}
