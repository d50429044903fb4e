import type { Operation } from '../../../shared/declarative/operation';
import { filters } from '../../fields/filters';
import { listFields } from '../../fields/list';
import { addDecimalAmounts } from '../../fields/money';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many events',
		description: 'Get a list of events of the event stream (contracted enterprise feature)',
		routing: { request: { method: 'GET', url: '/events' } },
	},
	answer: 'list',
	// The shape of the stream's answers is not shown; what is shown is that ids grow and lead on.
	continueBy: { field: 'event_id', query: 'after_event_id' },
	permission:
		'The event stream is a contracted enterprise feature. Without it, use the Commerce Platform Trigger or a list with Updated Since.',
	fields: listFields(filters(['after_event_id']), { options: [addDecimalAmounts] }),
};
