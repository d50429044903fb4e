import { decimalAmounts } from '../../shared/fields';
import type { ListOperation, Resource } from '../run/operation';
import { filters } from '../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../fields/options';

const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: undefined,
	remark: 'contracted enterprise feature',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many events',
		description: 'Get a list of events of the event stream (contracted enterprise feature)',
		routing: { request: { method: 'GET', url: '/events' } },
	},
	// The shape of the stream's answers is not shown; what is shown is that ids grow and lead on.
	keyset: { field: 'event_id', query: 'after_event_id' },
	permission:
		'The event stream is a contracted enterprise feature. Without it, use the Commerce Platform Trigger or a list with Updated Since.',
	fields: listFields(filters(['after_event_id']), { options: [decimalAmounts] }),
};

export const event: Resource = {
	name: 'Event',
	value: 'event',
	description: 'The stream of everything that happened, a contracted enterprise feature',
	noun: 'event',
	operations: [getAll],
};
