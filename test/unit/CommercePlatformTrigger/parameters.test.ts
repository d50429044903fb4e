import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import {
	webhookProperties,
	readWebhookParameters,
} from '../../../nodes/CommercePlatformTrigger/parameters';
import { EVENT_CHOICES, isEventName } from '../../../nodes/shared/shop/events';
import { DOCUMENTED_EVENTS } from '../../../platform/support/documented';

/** Reads parameters for a delivery, and for a new endpoint. */
function read(parameters: object) {
	const context = {
		getNodeParameter: (name: string, byDefault: unknown) =>
			(({ events: ['order.paid'], ...parameters }) as IDataObject)[name] ?? byDefault,
		getNode: () => ({ name: 'Trigger', type: 'commercePlatformTrigger' }),
	} as unknown as IHookFunctions;
	return {
		lenient: readWebhookParameters(context),
		strict: () => readWebhookParameters(context, true),
	};
}

const named = (events: unknown, otherEvents?: unknown) =>
	read({ events, options: { otherEvents } });
const select = (events: unknown, otherEvents?: unknown) =>
	named(events, otherEvents).lenient.events;
const check = (events: unknown, otherEvents?: unknown) => named(events, otherEvents).strict;

describe('the selected events', () => {
	it('are the listed and the typed names, each once', () => {
		const typed = ' order.returned,customer.redacted\norder.paid ; order.returned';
		const events = ['customer.redacted', 'order.created', 'order.paid', 'order.returned'];
		expect(select(['order.paid', 'order.created'], typed)).toEqual(events);
	});

	it('are refused when an endpoint is created, and left out later, if no event can have the name', () => {
		const typed = 'order.*, \u0000, order\u200bpaid, *, order.paid';
		expect(select([], typed)).toEqual(['order.paid']);
		for (const name of ['\u0000', '*', 'order.*', 'order\u200bpaid'])
			expect(check([], typed)).toThrow(`“${name}”`);
	});

	it.each(['customers/redact', 'order.partiallyFulfilled', 'ORDER_PAID', 'order', 'order:paid#2'])(
		'may have names of any printable form, like %s',
		(name) => {
			expect(select([], name)).toEqual([name]);
			expect(check([], name)).not.toThrow();
		},
	);

	it('have labels free of what n8n would turn into a part of the action’s name', () => {
		const events = webhookProperties.find(({ name }) => name === 'events');
		const names = (events?.options ?? []).map(({ name }) => name);
		expect(names).toContain('Customer Deleted');
		expect(names.filter((name) => !/^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name))).toEqual([]);
	});

	it.each([
		[undefined, undefined],
		[null, ''],
		[[], ' , '],
	])('are none if nothing was entered: %p and %p', (events, typed) => {
		expect(select(events, typed)).toEqual([]);
		expect(check(events, typed)).toThrow("'Trigger On' is empty");
	});

	it('may be lists or texts, since expressions give either; nothing else is left out', () => {
		const events = ['order.created', 'order.paid', 'x.one'];
		expect(select('order.paid, order.created', [' x.one '])).toEqual(events);
		expect(check({ event: 'order.paid' }, [{}])).toThrow('[object');
	});
});

describe('switches', () => {
	it('have their defaults if they were not added; each added option is on', () => {
		expect(read({}).lenient).toMatchObject({
			acceptPreviousSecret: true,
			sampleEvent: false,
			form: { includeHeaders: false, getFullRecord: true, decimals: 'number' },
		});
		const options = webhookProperties.find(({ name }) => name === 'options')?.options ?? [];
		const switches = options.filter((option) => 'type' in option && option.type === 'boolean');
		expect(switches).toHaveLength(2);
		for (const option of switches) expect(option).toMatchObject({ default: true });
	});

	it('take true and false, also as text, word or digit', () => {
		const options = { acceptPreviousSecret: 'no', includeHeaders: ' TRUE ' };
		expect(read({ getFullRecord: 0, sampleEvent: '1', options }).strict()).toMatchObject({
			acceptPreviousSecret: false,
			sampleEvent: true,
			form: { includeHeaders: true, getFullRecord: false },
		});
	});

	it.each([
		[{ getFullRecord: 'yess' }, "'Get Full Record' must be"],
		[
			{ options: { acceptPreviousSecret: 'off' } },
			"'Accept Previous Secret' must be true or false",
		],
		[{ options: { includeHeaders: 2 } }, "'Include Headers' must be true or false"],
	])(
		'keep their defaults for anything else, and no endpoint is created: %j',
		(parameters, message) => {
			expect(read(parameters).lenient).toEqual(read({}).lenient);
			expect(read(parameters).strict).toThrow(message);
		},
	);
});

describe('the table of events', () => {
	it('holds every name of the API document once, all of the right shape', () => {
		const names = EVENT_CHOICES.map(({ value }) => value);
		expect(names).toHaveLength(DOCUMENTED_EVENTS.length);
		expect(new Set(names)).toEqual(new Set(DOCUMENTED_EVENTS));
		expect(names.every(isEventName)).toBe(true);
	});

	it('marks what may exist for Enterprise only, and refuses names that are too long', () => {
		const enterprise = EVENT_CHOICES.filter(({ description }) => /Enterprise/.test(description));
		expect(enterprise).toEqual([
			{
				name: 'Customer Deleted',
				value: 'customer.deleted',
				description: 'Customers; may exist for Enterprise only',
			},
		]);
		expect([94, 95].map((length) => isEventName(`order.${'a'.repeat(length)}`))).toEqual([
			true,
			false,
		]);
	});
});
