import type { IDataObject } from 'n8n-workflow';

import { InputError, settled } from '../../shared/errors/errors';
import {
	bounded,
	isFull,
	MEMORY_BOUNDS,
	type ChangesState,
	type Emission,
	type Place,
} from '../state';
import { readTimeMs, type Change, type Version, type Versions } from './change';
import { ListWalk } from './list';
import { isRefused, PageLoop, type PageSource, type PollLimits } from './pages';

type PlaceOf<Kind> = Extract<Place, { kind: Kind }>;

/** Each goes on from the state's place. @returns false where more is left for the next poll */
const WALKS: Record<Place['kind'], (loop: PageLoop) => Promise<boolean>> = {
	list: async (loop) => await new ListWalk(loop).run(),
	snapshot: walkSnapshot,
	stream: walkStream,
};

/** A trigger that is further behind, and does not catch up, says so. ms. */
const LONG_BEHIND_MS = 30 * 60_000;

/** What one poll came to. */
export interface Step {
	state: ChangesState;
	/** To be handed over, as the emission of this revision. */
	changes: readonly Change[];
	/** False where more is left for the next poll. */
	complete: boolean;
	/** What stopped the walk. What was found before it counts all the same. */
	error?: unknown;
	/** Whether the platform refused to sort. */
	isUnsorted?: boolean;
	/** How far the trigger is behind, ms, where that is long and not getting less. */
	fallsBehindMs?: number;
}

/**
 * One poll: goes on where the state says, as far as the limits allow, and enters what it found as an emission.
 * Sends nothing but the source's requests, and never throws: an error is part of the end.
 *
 * @param isDurable whether n8n stores the state and the execution in one transaction, so that what is stored as
 *   given is an execution
 * @param process names this process
 */
export async function advance(
	before: ChangesState,
	source: PageSource,
	limits: PollLimits,
	{ isDurable, process }: { isDurable: boolean; process: string },
	bounds = MEMORY_BOUNDS,
): Promise<Step> {
	const state = { ...before, revision: before.revision + 1 };
	if (isFull(state, bounds)) return { state, changes: [], complete: false };
	const loop = new PageLoop(state, source, limits);
	const walked = await settled(WALKS[state.place.kind](loop));
	const complete = walked.status === 'fulfilled' && walked.value;
	const behindMs = complete ? undefined : loop.behindMs;
	const remembered = isDurable ? withGiven(loop) : withEmission(loop, process);
	const kept = complete ? withoutUnread(remembered, loop, before) : remembered;
	return {
		state: bounded({ ...kept, behindMs }, bounds),
		changes: [...loop.changes.values()],
		complete,
		error: walked.status === 'rejected' ? (walked.reason as unknown) : undefined,
		isUnsorted: loop.isUnsorted,
		fallsBehindMs: fallsBehind(behindMs, before.behindMs) ? behindMs : undefined,
	};
}

/** Whether the trigger is long behind, and no less than at the poll before. */
const fallsBehind = (behindMs = 0, previousMs = Infinity): boolean =>
	behindMs > LONG_BEHIND_MS && behindMs >= previousMs;

const versionsOf = (changes: ReadonlyMap<string, Change>): Versions =>
	new Map(
		[...changes].map(([key, { timeMs, content }]): [string, Version] => [key, { timeMs, content }]),
	);

/** The state after a poll whose changes are executions as soon as they are stored. */
function withGiven({ state, given, changes }: PageLoop): ChangesState {
	return { ...state, given: new Map([...without(given, changes), ...versionsOf(changes)]) };
}

/** The state after a poll whose changes wait for n8n's word. A record that was given before stands in the new emission. */
function withEmission(loop: PageLoop, process: string): ChangesState {
	const { state, changes, before } = loop;
	const given = without(loop.given, changes);
	if (changes.size === 0) return { ...state, given };
	const emissions: Emission[] = state.emissions.map((emission) => ({
		...emission,
		versions: without(emission.versions, changes),
	}));
	emissions.push({ id: state.revision, process, before, versions: versionsOf(changes) });
	return { ...state, given, emissions };
}

const without = (versions: Versions, changes: ReadonlyMap<string, Change>): Versions =>
	new Map([...versions].filter(([key]) => !changes.has(key)));

/**
 * Forgets what a walk from its lower bound to the end has not read: no later walk begins before that bound, unless an
 * earlier emission has to be made again.
 */
function withoutUnread(state: ChangesState, loop: PageLoop, before: ChangesState): ChangesState {
	const wentOn = before.place.kind === 'list' && before.place.walk !== undefined;
	if (wentOn || before.emissions.length > 0) return state;
	return { ...state, given: new Map([...state.given].filter(([key]) => loop.readKeys.has(key))) };
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
		const { changes, hasMore, askedAt } = await loop.fetch({ after_event_id: afterEventId });
		const isWanted = ({ record }: Change) => fromMs === undefined || timeOf(record) >= fromMs;
		const first = changes.findIndex(isWanted);
		if (first >= 0) for (const change of changes.slice(first)) loop.take(change, askedAt.nowMs);
		const lastEvent = changes.at(-1)?.record;
		const lastMs = lastEvent && readTimeOf(lastEvent);
		if (lastMs !== undefined) loop.behindMs = askedAt.nowMs - lastMs;
		const id = lastEvent === undefined ? afterEventId : (lastEvent.event_id ?? lastEvent.id);
		if (lastEvent !== undefined && (typeof id !== 'string' || id === afterEventId))
			throw loop.source.endless('sent the event again after which it was asked to go on');
		const goesOn = lastEvent !== undefined && hasMore !== false;
		// At the end of the stream, every event from here on is new.
		const from = goesOn && first < 0 ? { fromMs } : {};
		const place = { kind, afterEventId: id as string, read: read + changes.length, ...from };
		loop.state = { ...loop.state, place };
		if (!goesOn) return true;
	}
	return false;
}

/** @returns Unix ms; undefined where the event does not tell it */
function readTimeOf(event: IDataObject): number | undefined {
	const times = TIME_FIELDS.map((field) => readTimeMs(event[field]));
	return times.find((time) => time !== undefined);
}

/**
 * @returns Unix ms
 * @throws InputError where the event does not tell it
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

/** Records that can be compared as a whole. */
const MAX_SNAPSHOT = 10_000;

/**
 * Reads a list whole and compares it with what it was. For stock levels: the API document gives their list no
 * `updated_since`, and their `updated_at` is the writer's, not the platform's ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
async function walkSnapshot(loop: PageLoop): Promise<true> {
	const { taken } = loop.state.place as PlaceOf<'snapshot'>;
	const levels = await readWhole(loop);
	for (const level of levels.values())
		if (taken) loop.take(level, 0);
		else loop.passOver(level);
	loop.state = { ...loop.state, place: { kind: 'snapshot', taken: true } };
	return true;
}

/**
 * The levels by their keys; of one that two pages show, the later page counts. Where a cursor is refused, all are read
 * once more.
 */
async function readWhole(loop: PageLoop, isAgain = false): Promise<Map<string, Change>> {
	const levels = new Map<string, Change>();
	let cursor: string | undefined;
	do {
		if (!loop.limits.hasTime())
			throw loop.source.endless(
				'did not send the whole list within the time that n8n gives a poll',
			);
		const sent = await settled(loop.fetch({ cursor }));
		if (sent.status === 'rejected') {
			if (cursor === undefined || isAgain || !isRefused(sent.reason)) throw sent.reason;
			loop.beginPass();
			return await readWhole(loop, true);
		}
		for (const change of sent.value.changes) levels.set(change.key, change);
		if (levels.size > MAX_SNAPSHOT) {
			throw new InputError(
				'Filters',
				`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
				'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger.',
			);
		}
		cursor = sent.value.nextCursor;
	} while (cursor !== undefined);
	return levels;
}
