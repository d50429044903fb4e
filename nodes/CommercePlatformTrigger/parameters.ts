import type { IDataObject, IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../shared/rest/errors';
import { toNodeError } from '../shared/rest/nodeErrors';
import {
	choice,
	choices,
	collection,
	decimalAmounts,
	decimalFormOf,
	notice,
	shownWhen,
	textField,
	toggle,
} from '../shared/values/fields';
import { EVENT_CHOICES, isEventName } from '../shared/shop/events';
import { boolean, oneOf } from '../shared/values/readers';

/** Events with customer data: users keep copies of it, and a customer may have the original deleted. */
const CUSTOMER_EVENTS = ['customer.created', 'customer.updated'];

const webhookOptions = [
	toggle(
		'Accept Previous Secret',
		'acceptPreviousSecret',
		'Whether late retries signed with a replaced endpoint’s secret are accepted. If a secret leaked, switch off and publish again.',
	),
	{
		...decimalAmounts,
		description:
			"Whether to add 'decimal' to every amount of payload and record, e.g. 19.99 to 1999 EUR. A number is preset.",
	},
	choice(
		'If the Record Cannot Be Read',
		'ifRecordNotRead',
		{
			sendAgain: [
				'Let the Platform Send Again',
				'After 1, 5 and 30 minutes, 2 and 24 hours. Nothing is executed without its record.',
			],
			startWithout: ['Start Without It', "The reason is in 'recordError'"],
		},
		'What happens to an event whose record the platform does not return. For a deleted record, the workflow starts anyway.',
		{ displayOptions: { show: { '/getFullRecord': [true] } } },
	),
	toggle(
		'Include Headers',
		'includeHeaders',
		'Whether to add the headers of the delivery, without signatures, keys and tokens',
	),
	textField(
		'Other Event Names',
		'otherEvents',
		'Further names of the platform’s event catalog, separated by commas. Write them exactly as the catalog does.',
		{ example: 'order.returned, customers/redact' },
	),
];

/** The node's parameters. Every switch among the options is on once it is added. */
export const webhookProperties: INodeProperties[] = [
	choices('Trigger On', 'events', undefined, {
		options: EVENT_CHOICES,
		hint: 'For other events, add the option Other Event Names',
	}),
	toggle(
		'Get Full Record',
		'getFullRecord',
		"Whether to fetch the event’s order, product or customer and add it as 'record'. Costs a request per delivery.",
	),
	toggle(
		'Sample Event',
		'sampleEvent',
		'Whether a test starts at once with an event of the record that changed last. Published workflows never get samples.',
		{ default: false },
	),
	...shownWhen(
		'events',
		CUSTOMER_EVENTS,
		notice(
			'customerNotice',
			"Customer data: delete your copies when a customer is deleted. Select 'Customer Deleted', or enter your shop’s redaction event.",
		),
	),
	collection('Options', 'options', 'Add Option', webhookOptions),
];

/**
 * Reads the parameters, each once, because n8n evaluates a parameter at each reading. When an endpoint is registered, a
 * value that cannot be used is refused. At any other time the default replaces it: an expression may give such a value
 * later, and no delivery must be lost.
 *
 * @param isChecked whether values that cannot be used are refused
 * @throws NodeOperationError that names the field, if values are refused
 */
export function readWebhookParameters(
	context: IHookFunctions | IWebhookFunctions,
	isChecked = false,
) {
	const attempt = <T>(read: () => T, byDefault: T): T => {
		try {
			return read();
		} catch (error) {
			if (isChecked) throw toNodeError(context.getNode(), error);
			return byDefault;
		}
	};
	const options = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	// An expression may give a list, or names separated by commas, spaces or lines.
	const enteredNames = [context.getNodeParameter('events', []), options.otherEvents].flatMap(
		(list) =>
			Array.isArray(list)
				? list.map((name) => String(name).trim())
				: `${list ?? ''}`.split(/[\s,;]+/),
	);
	const names = [...new Set(enteredNames)].filter((name) => name !== '').sort();
	const isOn = (field: string, value: unknown, byDefault = false) =>
		attempt(() => boolean(field, value ?? byDefault), byDefault);
	return {
		/** The selected events: distinct names, sorted. */
		events: attempt(() => checkedEvents(names), names.filter(isEventName)),
		/** Whether deliveries are accepted that are signed with the secret of a replaced endpoint. */
		acceptPreviousSecret: isOn('Accept Previous Secret', options.acceptPreviousSecret, true),
		/** Whether listening for a test event gets a sample at once. */
		sampleEvent: isOn('Sample Event', context.getNodeParameter('sampleEvent', false)),
		/** What becomes of a delivery whose record cannot be read now. */
		ifRecordNotRead: attempt(
			() =>
				oneOf('If the Record Cannot Be Read', options.ifRecordNotRead ?? 'sendAgain', [
					'sendAgain',
					'startWithout',
				]),
			'sendAgain',
		),
		/** How the user wants items to look. */
		form: {
			includeHeaders: isOn('Include Headers', options.includeHeaders),
			getFullRecord: isOn('Get Full Record', context.getNodeParameter('getFullRecord', true), true),
			decimals: attempt(() => decimalFormOf(options, 'number'), 'number'),
		},
	};
}

function checkedEvents(names: string[]): string[] {
	if (names.length === 0)
		throw new InputError('Trigger On', 'is empty', 'Select at least one event.');
	const misshapen = names.filter((name) => !isEventName(name)).map((name) => `“${name}”`);
	if (misshapen.length === 0) return names;
	throw new InputError(
		'Other Event Names',
		`holds names that no event can have: ${misshapen.join(', ')}`,
		'Write each name exactly as the platform’s event catalog does, for example order.paid. Wildcards do not work.',
	);
}
