import { properties } from '../../../nodes/CommercePlatformTrigger/properties';
import { readSelection } from '../../../nodes/CommercePlatformTrigger/selection';
import { isEventName, PLATFORM_EVENTS } from '../../../nodes/shared/model/events';
import { DOCUMENTED_EVENTS } from '../../support/documented';

describe('readSelection', () => {
	it('joins listed and typed names, each once', () => {
		const typed = ' order.returned,customer.redacted\norder.paid ; order.returned';
		expect(readSelection(['order.paid', 'order.created'], typed)).toEqual({
			events: ['customer.redacted', 'order.created', 'order.paid', 'order.returned'],
			misshapen: [],
		});
	});

	it('names what cannot be an event name', () => {
		expect(readSelection([], 'order.*, \u0000, order\u200bpaid, *, order.paid')).toEqual({
			events: ['order.paid'],
			misshapen: ['\u0000', '*', 'order.*', 'order\u200bpaid'],
		});
	});

	it.each(['customers/redact', 'order.partiallyFulfilled', 'ORDER_PAID', 'order', 'order:paid#2'])(
		'takes names of any printable form, like %s',
		(name) => {
			expect(readSelection([], name)).toEqual({ events: [name], misshapen: [] });
		},
	);

	it('leaves a label free of what n8n would turn into a part of the action’s name', () => {
		const events = properties.find(({ name }) => name === 'events');
		const names = (events?.options ?? []).map(({ name }) => name);
		expect(names).toContain('Customer Deleted');
		expect(names.filter((name) => !/^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name))).toEqual([]);
	});

	it('is empty where nothing was entered', () => {
		expect(readSelection(undefined, undefined)).toEqual({ events: [], misshapen: [] });
		expect(readSelection(null, '')).toEqual({ events: [], misshapen: [] });
	});

	it('takes lists and texts for each other, as expressions may give either', () => {
		const events = ['order.created', 'order.paid', 'x.one'];
		expect(readSelection('order.paid, order.created', [' x.one '])).toEqual({
			events,
			misshapen: [],
		});
	});

	it('leaves nothing out that cannot be an event', () => {
		expect(readSelection({ event: 'order.paid' }, [{}]).misshapen).toEqual(['[object Object]']);
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
