import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import type { ChangesState, StreamPlace } from '../state';
import { readTimeMs } from './change';
import type { PageLoop, Query, SourcePage, Walk } from './pages';

/** Fields in which an event may tell its time; the API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/** The field that the API document names for the stream ("Event stream"). */
export const EVENT_ID = 'event_id';

/**
 * Goes on in the event stream, behind the last event that was read (API document, "Event stream"). Its ids
 * grow, so nothing else has to be remembered.
 */
export class StreamWalk implements Walk {
	private place: StreamPlace;

	constructor(
		private readonly state: ChangesState,
		private readonly loop: PageLoop,
	) {
		this.place = state.place as StreamPlace;
	}

	query(): Query {
		return { after_event_id: this.place.afterEventId };
	}

	take(page: SourcePage): boolean {
		const { records } = page;
		const { kind, afterEventId, read } = this.place;
		const last = records.at(-1);
		if (last === undefined) {
			// The end of the stream: every event from here on is new.
			this.place = { kind, afterEventId, read };
			return false;
		}
		let { fromMs } = this.place;
		for (const event of records) {
			const change = this.loop.versionOf(event, page);
			if (fromMs !== undefined && timeOf(event) >= fromMs) fromMs = undefined;
			if (fromMs === undefined) this.loop.add(change);
		}
		const id = last[EVENT_ID] ?? last.id;
		if (typeof id !== 'string' || id === afterEventId) {
			throw this.loop.source.endless('sent the event again after which it was asked to go on');
		}
		const goesOn = page.hasMore !== false;
		const from = fromMs !== undefined && goesOn ? { fromMs } : {};
		this.place = { kind, afterEventId: id, read: read + records.length, ...from };
		return goesOn;
	}

	end(): ChangesState {
		return { ...this.state, place: this.place };
	}
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
