import { decimalAmounts } from '../../shared/fields';
import type { Resource } from '../run/operation';
import { filters } from '../fields/filters';
import { CHANGES_TRIGGER } from '../fields/options';
import { getMany } from './operation';

const getAll = getMany(
	{ one: 'an event', many: 'events', path: '/events' },
	{
		description: 'Get a list of events of the event stream (contracted enterprise feature)',
		cheaperWay: CHANGES_TRIGGER,
		// The shape of the stream's answers is not shown; what is shown is that ids grow and lead on.
		keyset: { field: 'event_id', query: 'after_event_id' },
		permission:
			'The event stream is a contracted enterprise feature. Without it, use the Commerce Platform Trigger or a list with Updated Since.',
		fields: filters(['after_event_id']),
		options: [decimalAmounts],
	},
);

export const event: Resource = {
	name: 'Event',
	value: 'event',
	description: 'The stream of everything that happened, a contracted enterprise feature',
	noun: 'event',
	operations: [getAll],
};
