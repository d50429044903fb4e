import { openPoint } from './openPoint';

/** Event stream: the path and `event_id` are shown, the rest is not. */
export const streamPoints = {
	eventStream: openPoint(
		'Event stream (contracted enterprise feature)',
		{
			offered: 'every enterprise key may read it',
			forbidden: 'answered 403',
			notFound: 'answered 404',
			notImplemented: 'answered 501',
		},
		'notFound',
	),
	eventList: openPoint(
		'Bodies and responses of the event stream: not shown',
		{
			wrapped: '`{ data, pagination }`',
			withoutPagination: '`{ data }`: the walk goes on by `after_event_id` alone',
			bare: 'an array',
		},
		'bare',
	),
	eventRecord: openPoint(
		'Event record shape of the event stream: not shown',
		{
			delivery: '`event`, `timestamp` and `payload` as in a delivery',
			envelope: '`type`, `created_at` and `data`',
		},
		'envelope',
	),
	eventIds: openPoint(
		'Events carry a monotonic `event_id` (form evt_<id>)',
		{
			padded: 'twelve digits, so that text order is number order',
			plain: 'as few digits as needed: `evt_9` comes before `evt_10`',
		},
		'plain',
	),
};
