import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { properties, readParameters } from '../../../nodes/CommercePlatformTrigger/parameters';
import { isEventName, PLATFORM_EVENTS } from '../../../nodes/shared/model/events';
import { DOCUMENTED_EVENTS } from '../../support/documented';

const HOUR_MS = 3_600_000;

/** The platform's retries after the first attempt: 1, 5 and 30 minutes, 2 and 24 hours. */
const LAST_RETRY_HOURS = 26.6;

const context = (parameters: IDataObject) =>
	({
		getNodeParameter: (name: string, byDefault: unknown) => parameters[name] ?? byDefault,
		getNode: () => ({ name: 'Trigger', type: 'commercePlatformTrigger' }),
	}) as unknown as IHookFunctions;

const select = (events: unknown, otherEvents: unknown) =>
	readParameters(context({ events, options: { otherEvents } } as IDataObject)).events;
const check = (events: unknown, otherEvents: unknown) => () =>
	readParameters(context({ events, options: { otherEvents } } as IDataObject), true);

describe('the selected events', () => {
	it('are the listed and the typed names, each once', () => {
		const typed = ' order.returned,customer.redacted\norder.paid ; order.returned';
		expect(select(['order.paid', 'order.created'], typed)).toEqual([
			'customer.redacted',
			'order.created',
			'order.paid',
			'order.returned',
		]);
	});

	it('are refused when an endpoint is made, and left out later, where no event can have the name', () => {
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
		const events = properties.find(({ name }) => name === 'events');
		const names = (events?.options ?? []).map(({ name }) => name);
		expect(names).toContain('Customer Deleted');
		expect(names.filter((name) => !/^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name))).toEqual([]);
	});

	it.each([
		[undefined, undefined],
		[null, ''],
		[[], ' , '],
	])('are none where nothing was entered: %p and %p', (events, typed) => {
		expect(select(events, typed)).toEqual([]);
		expect(check(events, typed)).toThrow('“Events” is empty');
	});

	it('may come as lists and as texts, as expressions give either', () => {
		const events = ['order.created', 'order.paid', 'x.one'];
		expect(select('order.paid, order.created', [' x.one '])).toEqual(events);
	});

	it('leave nothing out that cannot be an event', () => {
		expect(check({ event: 'order.paid' }, [{}])).toThrow('[object');
	});
});

describe('how long deliveries are remembered', () => {
	const hours = (rememberHours: unknown) => {
		const given = context({ events: ['order.paid'], options: { rememberHours } } as IDataObject);
		return {
			lenient: readParameters(given).retentionMs,
			strict: () => readParameters(given, true),
		};
	};

	it('is past the last retry, unless the user says otherwise', () => {
		expect(hours(undefined).lenient).toBeGreaterThan(LAST_RETRY_HOURS * HOUR_MS);
		expect(hours(undefined).lenient).toBe(27 * HOUR_MS);
	});

	it.each([1, 1.5, 27, 336])('can be %p hours', (value) => {
		expect(hours(value).lenient).toBe(value * HOUR_MS);
		expect(hours(value).strict().retentionMs).toBe(value * HOUR_MS);
	});

	it.each([0, 0.99, -1, 336.1, Infinity, NaN, '48', null])(
		'cannot be %p: refused when an endpoint is made; should it come later, the default applies',
		(value) => {
			expect(hours(value).strict).toThrow('“Remember Deliveries (Hours)” must be');
			expect(hours(value).lenient).toBe(27 * HOUR_MS);
		},
	);
});

describe('switches', () => {
	const one = (options: IDataObject, getFullRecord?: unknown) =>
		context({ events: ['order.paid'], options, getFullRecord } as IDataObject);

	it('have their defaults where they were not added, and each among the options is on when it is', () => {
		expect(readParameters(one({}))).toMatchObject({
			acceptPreviousSecret: true,
			sampleEvent: false,
			form: { payloadOnly: false, includeHeaders: false, getFullRecord: false, decimals: 'off' },
		});
		const options = properties.find(({ name }) => name === 'options')?.options ?? [];
		const switches = options.filter((option) => 'type' in option && option.type === 'boolean');
		expect(switches).toHaveLength(4);
		for (const option of switches) expect(option).toMatchObject({ default: true });
	});

	it('take true and false, also as text', () => {
		const { form, acceptPreviousSecret } = readParameters(
			one({ payloadOnly: ' TRUE ', acceptPreviousSecret: 'false' }, 'true'),
		);
		expect(form).toMatchObject({ payloadOnly: true, getFullRecord: true });
		expect(acceptPreviousSecret).toBe(false);
	});

	it('of anything else keep their defaults, and no endpoint is made', () => {
		expect(readParameters(one({ acceptPreviousSecret: 'no' })).acceptPreviousSecret).toBe(true);
		expect(() => readParameters(one({}, 'yes'), true)).toThrow('“Get Full Record” must be');
	});
});

describe('the table of events', () => {
	it('holds every name of the API document once, all of the right shape', () => {
		const names = PLATFORM_EVENTS.map(({ name }) => name);
		expect(names).toEqual(DOCUMENTED_EVENTS);
		expect(names.every(isEventName)).toBe(true);
	});

	it('marks what may exist for Enterprise only', () => {
		const enterprise = PLATFORM_EVENTS.filter((event) => event.enterprise);
		expect(enterprise.map(({ name }) => name)).toEqual(['customer.deleted']);
	});

	it('refuses names that are too long', () => {
		expect(isEventName(`order.${'a'.repeat(94)}`)).toBe(true);
		expect(isEventName(`order.${'a'.repeat(95)}`)).toBe(false);
	});
});
