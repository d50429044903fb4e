import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import type { StreamPlace } from '../state';
import { readTimeMs } from './change';
import type { PageLoop } from './pages';

/** Fields in which an event may tell its time. The API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/**
 * Reads on in the event stream, after the last event that was read (API document, "Event stream"). The ids ascend, so
 * nothing else has to be remembered.
 *
 * @returns false if the poll's limits ended it
 */
export async function walkStream(loop: PageLoop): Promise<boolean> {
	let isComplete = false;
	while (!isComplete && loop.mayReadMore()) {
		isComplete = await readPage(loop);
		loop.countPage();
	}
	return isComplete;
}

/** @returns whether that was the last page */
async function readPage(loop: PageLoop): Promise<boolean> {
	const place = loop.state.place as StreamPlace;
	const { afterEventId, fromMs } = place;
	const { changes, hasMore } = await loop.fetch({ after_event_id: afterEventId });
	// Events before the time at which to begin are skipped. The stream is in order: once an event is later, all after it
	// are.
	const first = changes.findIndex(({ record }) => fromMs === undefined || timeOf(record) >= fromMs);
	if (first >= 0) for (const change of changes.slice(first)) loop.addIfChanged(change);
	const lastEvent = changes.at(-1)?.record;
	if (lastEvent === undefined) {
		// From here on every event is new.
		loop.state = { ...loop.state, place: { ...place, fromMs: undefined } };
		return true;
	}
	const lastId = lastEvent.event_id ?? lastEvent.id;
	if (typeof lastId !== 'string' || lastId === afterEventId)
		throw loop.source.endlessError(
			'sent the event again after which it was asked to go on, or one without an ID',
		);
	const isLast = hasMore === false;
	loop.state = {
		...loop.state,
		place: {
			kind: 'stream',
			afterEventId: lastId,
			read: place.read + changes.length,
			fromMs: isLast || first >= 0 ? undefined : fromMs,
		},
	};
	return isLast;
}

/** @returns Unix ms; undefined if the event does not tell it */
function readTimeOf(event: IDataObject): number | undefined {
	const times = TIME_FIELDS.map((field) => readTimeMs(event[field]));
	return times.find((time) => time !== undefined);
}

/**
 * @returns Unix ms
 * @throws InputError if the event does not tell it
 */
function timeOf(event: IDataObject): number {
	const ms = readTimeOf(event);
	if (ms !== undefined) return ms;
	throw new InputError(
		'After Event ID',
		'must be set: the events of this platform carry no time',
		'Without a time, the trigger cannot tell where in the stream to begin. Set the filter to the ID of the event after which to begin.',
	);
}
