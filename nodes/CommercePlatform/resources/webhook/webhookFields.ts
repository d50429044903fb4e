import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { someText, text, textList } from '../../../shared/values/readers';
import type { PreSend } from '../../engine/operation';
import { isEventName, PLATFORM_EVENTS } from '../../../shared/model/events';
import { bodyField } from '../../fields/body';

const EVENTS = 'Events';

/** The address that receives the deliveries: HTTPS only (API document, "Webhook endpoint"). */
export const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/hook',
	description: 'HTTPS address that receives the events',
};

/** @throws InputError unless it is an absolute https address */
export function readUrl(field: string, value: unknown): string {
	const address = someText(field, value);
	const parsed = URL.canParse(address) ? new URL(address) : undefined;
	if (parsed?.protocol === 'https:') return address;
	const said = parsed?.protocol === 'http:' ? 'must use https, not http' : 'is not a web address';
	throw new InputError(field, said, 'Enter an address like https://example.com/hook.');
}

export const events: INodeProperties = {
	displayName: EVENTS,
	name: 'events',
	type: 'multiOptions',
	options: PLATFORM_EVENTS.map(({ name, label, enterprise }) => ({
		name: enterprise ? `${label} (Enterprise)` : label,
		value: name,
	})).sort((a, b) => a.name.localeCompare(b.name)),
	default: [],
	description: 'Names of the events that are delivered, e.g. order.paid',
	routing: { send: { type: 'body', property: 'events', preSend: [joinEvents(false)] } },
};

/** The same where an endpoint cannot do without events. */
export const requiredEvents: INodeProperties = {
	...events,
	routing: { send: { type: 'body', property: 'events', preSend: [joinEvents(true)] } },
};

export const otherEvents: INodeProperties = {
	displayName: 'Other Event Names',
	name: 'otherEvents',
	type: 'string',
	default: '',
	placeholder: 'e.g. order.refunded, order.returned',
	description: 'Names of further events, separated by commas',
	hint: 'The platform’s catalogue holds more events than the list above',
	routing: { send: { type: 'body', property: 'otherEvents', preSend: [joinEvents(false)] } },
};

export const description: INodeProperties = bodyField(
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Sends orders to the warehouse',
		description: 'Free text that tells what the endpoint is for',
	},
	text,
);

/** Both lists of names become one; whichever of the two fields comes first does it for both. */
function joinEvents(required: boolean): PreSend {
	return async function (options) {
		const { events: chosen, otherEvents: typed, ...body } = (options.body ?? {}) as IDataObject;
		const names = [
			...eventNames(EVENTS, chosen ?? []),
			...eventNames('Other Event Names', typed ?? ''),
		];
		if (required && names.length === 0)
			throw new InputError(EVENTS, 'is empty', 'Choose at least one.');
		const events = [...new Set(names)];
		return { ...options, body: events.length === 0 ? body : { ...body, events } };
	};
}

function eventNames(field: string, value: unknown): string[] {
	const names = textList(field, value);
	const wrong = names.find((name) => !isEventName(name));
	if (wrong === undefined) return names;
	throw new InputError(field, `cannot hold “${wrong}”`, 'Event names look like order.paid.');
}
