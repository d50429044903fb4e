import { RESOURCES } from '../../shared/shop/resources';
import { CHANGES_TRIGGER } from '../fields/options';
import type { Resource } from '../runner/operation';
import { getMany } from './makeOperation';

export const event: Resource = {
	name: 'Event',
	value: 'event',
	description: 'The stream of everything that happened (Enterprise plan only)',
	noun: 'event',
	operations: [
		getMany(RESOURCES.event, {
			description: 'Get a list of events of the event stream (Enterprise plan only)',
			cheaperWay: CHANGES_TRIGGER,
			// The API document shows no cursor for the stream, but that event IDs grow, and that it continues after one.
			keyset: { field: 'event_id', query: 'after_event_id' },
			permission:
				'The event stream is on the Enterprise plan only. Without it, use the Commerce Platform Trigger or a list with Updated Since.',
		}),
	],
};
