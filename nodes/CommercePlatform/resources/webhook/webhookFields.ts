import { InputError } from '../../../shared/errors/errors';
import { isEventName, PLATFORM_EVENTS } from '../../../shared/model/events';
import { isObject } from '../../../shared/values/json';
import { saysNothing, someText, text, textList } from '../../../shared/values/readers';
import { textField } from '../../fields/build';
import { bodyField, type Field, type Item } from '../../fields/field';
import { located } from '../operation';

/** The webhook endpoint that an operation works on, also by the address that it delivers to. */
export const webhookLocator = located(
	{
		displayName: 'Webhook',
		name: 'webhookId',
		what: 'a webhook endpoint',
		search: 'searchWebhooks',
		example: 'wh_1001',
	},
	{
		displayName: 'URL',
		name: 'url',
		placeholder: 'e.g. https://example.com/hook',
		hint: 'The address that receives the events; it is looked up first, which is one more request',
	},
	{
		path: '/webhooks',
		takesQuery: false,
		records: 'webhooks',
		keys: 'addresses',
		maxPages: 4,
		plain: (entered) => entered,
		keysOf: ({ url: address }) => (typeof address === 'string' ? [address] : []),
	},
);

const EVENTS = 'Events';
const OTHER_EVENTS = 'Other Event Names';

/** The address that receives the deliveries: HTTPS only (API document, "Webhook endpoint"). */
export const url = textField('URL', 'url', 'HTTPS address that receives the events', {
	example: 'https://example.com/hook',
});

/** @throws InputError unless it is an absolute https address */
export function readUrl(field: string, value: unknown): string {
	const address = someText(field, value);
	const parsed = URL.canParse(address) ? new URL(address) : undefined;
	if (parsed?.protocol === 'https:') return address;
	const said = parsed?.protocol === 'http:' ? 'must use https, not http' : 'is not a web address';
	throw new InputError(field, said, 'Enter an address like https://example.com/hook.');
}

export const events: Field = {
	displayName: EVENTS,
	name: 'events',
	type: 'multiOptions',
	options: PLATFORM_EVENTS.map(({ name, label, enterprise }) => ({
		name: enterprise ? `${label} (Enterprise)` : label,
		value: name,
	})).sort((a, b) => a.name.localeCompare(b.name)),
	default: [],
	description: 'Names of the events that are delivered, e.g. order.paid',
	send: { in: 'body', as: 'events', read: readEvents },
};

/** The same where an endpoint cannot do without events. */
export const requiredEvents: Field = {
	...events,
	send: { in: 'body', as: 'events', read: readRequiredEvents },
};

export const otherEvents = textField(
	OTHER_EVENTS,
	'otherEvents',
	'Names of further events, separated by commas',
	{
		example: 'order.refunded, order.returned',
		hint: 'The platform’s catalogue holds more events than the list above',
		// Where there are both lists, the first one sends both.
		send: {
			in: 'body',
			as: 'events',
			read: (label, value, item, sent) =>
				sent.events === undefined ? readEvents(label, value, item) : undefined,
		},
	},
);

export const description = bodyField(
	textField('Description', 'description', 'Free text that tells what the endpoint is for', {
		example: 'Sends orders to the warehouse',
	}),
	text,
);

/** Both lists of names become one. */
function readEvents(_label: string, _value: unknown, item: Item): string[] | undefined {
	const names = [
		...eventNames(EVENTS, entered(item, 'events')),
		...eventNames(OTHER_EVENTS, entered(item, 'otherEvents')),
	];
	return names.length === 0 ? undefined : [...new Set(names)];
}

function readRequiredEvents(label: string, value: unknown, item: Item): string[] {
	const names = readEvents(label, value, item);
	if (names === undefined) throw new InputError(label, 'is empty', 'Choose at least one.');
	return names;
}

/** The value of a field that may stand by itself or in a collection; an empty object is no empty list. */
function entered(item: Item, name: string): unknown {
	return ['', 'additionalFields.', 'updateFields.']
		.map((collection) => item.parameter(`${collection}${name}`, ''))
		.find((value) => isObject(value) || !saysNothing(value));
}

function eventNames(field: string, value: unknown): string[] {
	const names = textList(field, value);
	const wrong = names.find((name) => !isEventName(name));
	if (wrong === undefined) return names;
	throw new InputError(field, `cannot hold “${wrong}”`, 'Event names look like order.paid.');
}
