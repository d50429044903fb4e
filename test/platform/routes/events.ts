import { eventIndex, type StreamEvent } from '../shop/event';
import { invalid } from '../shop/refusal';
import type { Handler, World } from '../api/call';
import type { ListSpec } from '../api/select';

const eventList = ({ shop }: World): ListSpec<StreamEvent> => ({
	name: 'events',
	collection: shop.events,
	sorts: { created_at: 'created' },
	statuses: [],
	matches: () => true,
	start: ({ after_event_id: after }) => {
		if (after === undefined) return undefined;
		const index = eventIndex(after);
		if (index === undefined) throw invalid('after_event_id is no event id');
		return index;
	},
	present: (event) => event,
});

/** GET /events: in the order of their ids, behind `after_event_id`. */
const listEvents: Handler = ({ world, query }) => world.pages.page(eventList(world), query);

export const eventHandlers = { listEvents };
