import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import type { StreamPlace } from '../state';
import { readTimeMs } from './change';
import type { PageLoop } from './pages';

/** Fields in which an event may tell its time; the API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/** The field that the API document names for the stream ("Event stream"). */
export const EVENT_ID = 'event_id';

/**
 * Goes on in the event stream, behind the last event that was read (API document, "Event stream"). Its ids
 * grow, so nothing else has to be remembered.
 *
 * @returns false where the poll's limits ended it
 */
export async function walkStream(loop: PageLoop): Promise<boolean> {
	while (loop.goesOn()) {
		const { kind, afterEventId, read, fromMs } = loop.state.place as StreamPlace;
		const { changes, hasMore } = await loop.page({ after_event_id: afterEventId });
		const last = changes.at(-1)?.record;
		const first = firstSince(
			changes.map(({ record }) => record),
			fromMs,
		);
		for (const change of changes.slice(first)) loop.add(change);
		const id = last === undefined ? afterEventId : (last[EVENT_ID] ?? last.id);
		if (last !== undefined && (typeof id !== 'string' || id === afterEventId)) {
			throw loop.source.endless('sent the event again after which it was asked to go on');
		}
		const goesOn = last !== undefined && hasMore !== false;
		// At the end of the stream, every event from here on is new.
		const from = goesOn && first === changes.length ? { fromMs } : {};
		const place = { kind, afterEventId: id as string, read: read + changes.length, ...from };
		loop.state = { ...loop.state, place };
		if (!goesOn) return true;
	}
	return false;
}

/** The place of the first event at this time or later, Unix ms; 0 without a time. */
function firstSince(events: IDataObject[], fromMs: number | undefined): number {
	if (fromMs === undefined) return 0;
	const first = events.findIndex((event) => timeOf(event) >= fromMs);
	return first < 0 ? events.length : first;
}

/**
 * @returns Unix ms
 * @throws InputError where the event does not tell it
 */
function timeOf(event: IDataObject): number {
	for (const field of TIME_FIELDS) {
		const ms = readTimeMs(event[field]);
		if (ms !== undefined) return ms;
	}
	throw new InputError(
		'After Event ID',
		'must be set: the events of this platform carry no time',
		'Without a time, the trigger cannot tell where in the stream to begin. Set the filter to the ID of the event after which to begin.',
	);
}
