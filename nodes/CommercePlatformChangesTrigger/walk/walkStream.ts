import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import type { ChangesState, StreamPlace } from '../state/state';
import { readTimeMs } from './change';
import { Collector, type PageSource, type PollLimits, type SourcePage, type Step } from './step';

/** Fields in which an event may tell its time; the API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/** The field that the API document names for the stream ("Event stream"). */
const ID_FIELD = 'event_id';

/**
 * Goes on in the event stream, behind the last event that was read (API document, "Event stream"). Its ids
 * grow, so nothing else has to be remembered.
 */
export async function walkStream(
	state: ChangesState,
	source: PageSource,
	limits: PollLimits,
): Promise<Step> {
	const collector = new Collector(state, source.identity);
	let place = state.place as StreamPlace;
	let etag = state.etag;
	const step = (end: { complete: boolean; error?: unknown }): Step => ({
		state: { ...state, place, etag },
		before: state.place,
		changes: collector.changes,
		...end,
	});
	for (let pages = 0; pages < limits.maxPages && limits.goOn() && !collector.isFull; pages++) {
		try {
			const query = { after_event_id: place.afterEventId };
			const name = JSON.stringify(query);
			const page = await source.fetch(query, etag?.query === name ? etag.value : undefined);
			if (page.notModified) return step({ complete: true });
			etag = page.records.length === 0 && page.etag ? { query: name, value: page.etag } : undefined;
			place = take(page, place, collector, source);
			if (isLast(page)) return step({ complete: true });
		} catch (error) {
			return step({ complete: false, error });
		}
	}
	return step({ complete: false });
}

/** A page that says nothing of further ones is the last where it is empty. */
function isLast({ records, paginated, nextCursor }: SourcePage): boolean {
	return records.length === 0 || (paginated && nextCursor === undefined);
}

function take(
	page: SourcePage,
	place: StreamPlace,
	collector: Collector,
	source: PageSource,
): StreamPlace {
	const last = page.records.at(-1);
	if (last === undefined) {
		// The end of the stream: every event from here on is new.
		return { kind: 'stream', afterEventId: place.afterEventId, read: place.read };
	}
	const { isChosen } = place;
	let { fromMs } = place;
	for (const event of page.records) {
		if (fromMs !== undefined && timeOf(event, place) >= fromMs) fromMs = undefined;
		if (fromMs === undefined) collector.add(collector.read(event, page.platformMs ?? source.now()));
	}
	const afterEventId = last[ID_FIELD] ?? last.id;
	if (typeof afterEventId !== 'string' || afterEventId === place.afterEventId)
		throw source.endless();
	const stillSeeking = fromMs !== undefined && !isLast(page);
	const read = place.read + page.records.length;
	return { kind: 'stream', afterEventId, read, ...(stillSeeking ? { fromMs, isChosen } : {}) };
}

/**
 * @returns Unix ms; before all time where the event does not tell it
 * @throws InputError where it must tell it
 */
function timeOf(event: IDataObject, { isChosen }: StreamPlace): number {
	for (const field of TIME_FIELDS) {
		const ms = readTimeMs(event[field]);
		if (ms !== undefined) return ms;
	}
	if (!isChosen) return Number.NEGATIVE_INFINITY;
	throw new InputError(
		'Start From',
		'cannot be used: the events of this platform carry no time',
		'Set the filter “After Event ID” to the event after which to begin.',
	);
}
