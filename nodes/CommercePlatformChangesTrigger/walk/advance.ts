import type { IDataObject } from 'n8n-workflow';

import { InputError, settled } from '../../shared/errors/errors';
import { bounded, isFull, KEY_BOUNDS, type ChangesState, type Place } from '../state';
import { readTimeMs, type Change } from './change';
import { ListWalk } from './list';
import { type Page, PageLoop, type PageSource, type PollLimits } from './pages';

type PlaceOf<Kind> = Extract<Place, { kind: Kind }>;

/** Each goes on from the state's place. @returns false where more is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: walkStream,
};

/**
 * One poll: goes on where the state says, as far as the limits allow, and enters what it found as an emission.
 * Sends nothing but the source's requests, and never throws: an error is part of the end.
 *
 * @param isDurable whether n8n stores the state and the execution in one transaction, so that what is stored as
 *   given is an execution
 */
export async function advance(
	before: ChangesState,
	source: PageSource,
	limits: PollLimits,
	isDurable: boolean,
	bounds = KEY_BOUNDS,
) {
	const state = { ...before, revision: before.revision + 1 };
	if (isFull(state, bounds)) return { state, changes: [], complete: false, hasProgressed: false };
	const loop = new PageLoop(state, source, limits);
	const walked = await settled(WALKS[state.place.kind](loop));
	const complete = walked.status === 'fulfilled' && walked.value;
	const changes = [...loop.changes.values()];
	const keys = new Map(changes.map(({ key, atMs }) => [key, atMs]));
	const { seen } = loop;
	if (isDurable) for (const [key, atMs] of keys) seen.set(key, atMs);
	const made = isDurable || !keys.size ? [] : [{ id: state.revision, before: loop.before, keys }];
	const emissions = [...loop.state.emissions, ...made];
	const hasProgressed = keys.size > 0 || progressOf(loop.state.place) !== progressOf(before.place);
	return {
		state: bounded({ ...loop.state, seen, emissions }, bounds),
		/** To be handed over, as the emission of this revision. */
		changes,
		/** False where more is left for the next poll. */
		complete,
		/** What stopped the walk. What was found before it counts all the same. */
		error: walked.status === 'rejected' ? (walked.reason as unknown) : undefined,
		/** Something new was found, or the next poll begins further on. */
		hasProgressed,
	};
}

/** What a cursor cannot take away. */
function progressOf(place: Place): string | number | undefined {
	if (place.kind === 'list') return place.sinceMs;
	return place.kind === 'stream' ? place.read : undefined;
}

/** Fields in which an event may tell its time; the API document does not show the record ("Events"). */
const TIME_FIELDS = ['timestamp', 'created_at', 'occurred_at', 'time'] as const;

/**
 * Goes on in the event stream, behind the last event that was read (API document, "Event stream"). Its ids
 * grow, so nothing else has to be remembered.
 *
 * @returns false where the poll's limits ended it
 */
async function walkStream(loop: PageLoop): Promise<boolean> {
	while (loop.goesOn()) {
		const { kind, afterEventId, read, fromMs } = loop.state.place as PlaceOf<'stream'>;
		// There is no cursor that could be lost.
		const { changes, hasMore } = (await loop.page({ after_event_id: afterEventId })) as Page;
		const isWanted = ({ record }: Change) => fromMs === undefined || timeOf(record) >= fromMs;
		const first = changes.findIndex(isWanted);
		if (first >= 0) for (const change of changes.slice(first)) loop.add(change);
		const last = changes.at(-1)?.record;
		const id = last === undefined ? afterEventId : (last.event_id ?? last.id);
		if (last !== undefined && (typeof id !== 'string' || id === afterEventId))
			throw loop.source.endless('sent the event again after which it was asked to go on');
		const goesOn = last !== undefined && hasMore !== false;
		// At the end of the stream, every event from here on is new.
		const from = goesOn && first < 0 ? { fromMs } : {};
		const place = { kind, afterEventId: id as string, read: read + changes.length, ...from };
		loop.state = { ...loop.state, place };
		if (!goesOn) return true;
	}
	return false;
}

/**
 * @returns Unix ms
 * @throws InputError where the event does not tell it
 */
function timeOf(event: IDataObject): number {
	const times = TIME_FIELDS.map((field) => readTimeMs(event[field]));
	const ms = times.find((time) => time !== undefined);
	if (ms !== undefined) return ms;
	throw new InputError(
		'After Event ID',
		'must be set: the events of this platform carry no time',
		'Without a time, the trigger cannot tell where in the stream to begin. Set the filter to the ID of the event after which to begin.',
	);
}

/** Records that can be compared as a whole; the key of each is remembered. */
const MAX_SNAPSHOT = 10_000;

/**
 * Reads a list whole and compares it with what it was. For stock levels: the API document gives their list no
 * `updated_since`, and their `updated_at` is the writer's, not the platform's ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
async function walkSnapshot(loop: PageLoop): Promise<true> {
	const { taken } = loop.state.place as PlaceOf<'snapshot'>;
	const present = [...(await readWhole(loop)).values()];
	for (const change of present) {
		if (taken) loop.add(change);
		else if (!loop.pending.has(change.key)) loop.seen.set(change.key, change.atMs);
	}
	// An earlier version is forgotten: a level that goes back to an earlier quantity is a change as well.
	const times = new Map(present.map(({ key, atMs }) => [key, atMs]));
	const still = (keys: ReadonlyMap<string, number>) =>
		new Map([...keys.keys()].filter((key) => times.has(key)).map((key) => [key, times.get(key)!]));
	const emissions = loop.state.emissions.map((one) => ({ ...one, keys: still(one.keys) }));
	loop.seen = still(loop.seen);
	loop.state = { ...loop.state, emissions, place: { kind: 'snapshot', taken: true } };
	return true;
}

async function readWhole(loop: PageLoop): Promise<Map<string, Change>> {
	const present = new Map<string, Change>();
	let cursor: string | undefined;
	do {
		if (!loop.limits.hasTime())
			throw loop.source.endless(
				'did not send the whole list within the time that n8n gives a poll',
			);
		const page = await loop.page({ cursor });
		if (page === undefined) return await readWhole(loop);
		for (const change of page.changes) present.set(change.id, change);
		if (present.size > MAX_SNAPSHOT) {
			throw new InputError(
				'Filters',
				`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
				'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger.',
			);
		}
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return present;
}
