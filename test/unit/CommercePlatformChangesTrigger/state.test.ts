import * as fc from 'fast-check';

import { endedOf } from '../../../nodes/CommercePlatformChangesTrigger/poll';
import {
	KEY_BOUNDS,
	bounded,
	isFull,
	loadState,
	settle,
	toStored,
	type ChangesState,
	type Ended,
	type Place,
	type Subject,
} from '../../../nodes/CommercePlatformChangesTrigger/state';

const MINUTE = 60_000;
const NOW = 29_500_000 * 60_000;
const MOST_BYTES = 330_000;

/** More than n8n can leave untold within the minutes after which a start counts as done. */
const MAX_PENDING = 20;

const SUBJECT: Subject = {
	workflowId: 'workflow-1',
	credential: 'credential-1',
	watch: 'order',
	filters: '{}',
};

const STATE: ChangesState = {
	subject: SUBJECT,
	revision: 7,
	place: {
		kind: 'list',
		sinceMs: NOW,
		stretch: { sinceMs: NOW, cursor: 'abc', read: 3, started: { platformMs: NOW, localMs: NOW } },
	},
	seen: new Map(Object.entries({ aaaaaaaaaaaa: NOW, bbbbbbbbbbbb: NOW })),
	emissions: [
		{
			id: 7,
			before: { kind: 'list', sinceMs: NOW - 500 * MINUTE },
			keys: new Map([['cccccccccccc', NOW + MINUTE]]),
		},
	],
	newest: { ms: 3, read: { localMs: 2 } },
	order: 'refused',
};

const throughDatabase = (state: ChangesState): unknown =>
	JSON.parse(JSON.stringify(toStored(state))) as unknown;
const fromStored = (stored: unknown, subject: Subject) => loadState(stored, undefined, subject);

describe('the stored state of the changes trigger', () => {
	test('is read as it was written', () =>
		expect(fromStored(throughDatabase(STATE), SUBJECT)).toEqual({ state: STATE }));

	test('keeps the lower bound and what is not confirmed under other filters, and leaves the cursor', () => {
		const filters = '{"status":"paid"}';
		const { state } = fromStored(throughDatabase(STATE), { ...SUBJECT, filters });
		const { emissions, seen } = STATE;
		const place = { kind: 'list', sinceMs: NOW };
		expect(state).toMatchObject({ subject: { filters }, place, emissions, seen });
		expect(state?.place).toEqual(place);
	});

	test('is refused for another event to begin after, and kept where that filter is cleared', () => {
		const subject = { ...SUBJECT, watch: 'event', filters: '{"after_event_id":"evt_1"}' };
		const place = { kind: 'stream', afterEventId: 'evt_9', read: 8 } as const;
		const stored = throughDatabase({ ...STATE, subject, place, emissions: [] });
		const other = { ...subject, filters: '{"after_event_id":"evt_5"}' };
		expect(fromStored(stored, other).refused).toBe('it belongs to another event to begin after');
		expect(fromStored(stored, { ...subject, filters: '{}' }).state?.place).toEqual(place);
	});

	test('is the one of this process where that is not older', () => {
		const own = { ...STATE, revision: 7, newest: undefined };
		expect(loadState(throughDatabase(STATE), own, SUBJECT).state).toEqual(own);
		const kept = throughDatabase({ ...STATE, revision: 8 });
		expect(loadState(kept, own, SUBJECT).state?.revision).toBe(8);
		const foreign = { ...own, subject: { ...SUBJECT, watch: 'product' } };
		expect(loadState(throughDatabase(STATE), foreign, SUBJECT).state).toEqual(STATE);
	});

	test(`stays below ${MOST_BYTES} bytes`, () => {
		const key = (n: number) => `${n}`.padStart(12, 'k');
		const keys = (count: number, from: number) =>
			new Map(Array.from({ length: count }, (_, n) => [key(from + n), NOW + n * MINUTE]));
		const emissions = Array.from({ length: MAX_PENDING }, (_, n) => ({
			id: n,
			before: { kind: 'list', sinceMs: NOW, fromMs: NOW } as const,
			keys: keys(KEY_BOUNDS.pending / MAX_PENDING, n * 1_000),
		}));
		const full = { ...STATE, emissions, seen: keys(100_000, 500_000) };
		const state = bounded({ ...full, place: { kind: 'list', sinceMs: 0 } }, KEY_BOUNDS);
		expect(state.seen.size).toBe(KEY_BOUNDS.total - KEY_BOUNDS.pending);
		expect(JSON.stringify(toStored(state)).length).toBeLessThan(MOST_BYTES);
	});

	test('tells each key with its time, to the next minute', () => {
		const seen = new Map(
			Object.entries({ aaaaaaaaaaaa: NOW - 1, bbbbbbbbbbbb: -5, cccccccccccc: 8.64e15 }),
		);
		const read = fromStored(throughDatabase({ ...STATE, seen }), SUBJECT).state?.seen;
		expect(read?.get('aaaaaaaaaaaa')).toBe(Math.ceil(NOW / MINUTE) * MINUTE);
		expect(read?.get('bbbbbbbbbbbb')).toBe(0);
		expect(read?.get('cccccccccccc')).toBeGreaterThan(NOW);
	});

	test('is refused where it is not whole, and never makes the trigger fail', () => {
		const { text, checksum } = toStored(STATE);
		fc.assert(
			fc.property(fc.jsonValue(), fc.nat(String(text).length - 1), (value, place) => {
				const damaged = `${String(text).slice(0, place)}~${String(text).slice(place + 1)}`;
				const damages = [value ?? 0, { text: value, checksum }, { text, checksum: value }];
				for (const stored of [...damages, { text: damaged, checksum }])
					expect(fromStored(stored, SUBJECT)).toEqual({ refused: 'it cannot be read' });
			}),
		);
	});
});

type Emission = ChangesState['emissions'][number];

const at = (sinceMs: number): Place => ({ kind: 'list', sinceMs });

const emission = (id: number, change: Partial<Emission> = {}): Emission => ({
	id,
	before: at(id),
	keys: new Map([[`key-${id}`, id]]),
	...change,
});

const stateWith = (emissions: Emission[], place = at(1_000)): ChangesState => ({
	...STATE,
	place,
	seen: new Map(),
	emissions,
});

describe('what is not confirmed', () => {
	test('is read again, where two starts failed, from the earlier of their places', () => {
		const emissions = [emission(5, { before: at(2) }), emission(6)];
		expect(settle(stateWith(emissions), () => 'failed').state.place).toEqual(at(2));
	});

	test('makes the next poll wait where it is too much', () => {
		const bounds = { total: 9, pending: 2 };
		expect(isFull(stateWith([emission(1)]), bounds)).toBe(false);
		expect(isFull(stateWith([emission(1), emission(2)]), bounds)).toBe(true);
	});
});

describe('a handover', () => {
	test.each<[string, Ended, number, Ended]>([
		['that ended', 'done', 0, 'done'],
		['of which the start failed', 'failed', 0, 'failed'],
		['that has just been made', 'pending', 1, 'pending'],
		['of which nothing was heard for two minutes', 'pending', 2.1, 'done'],
		['of which the start failed, at any later time', 'failed', 60, 'failed'],
	])('%s: %s after %d minutes is %s', (_name, told, minutes, ended) =>
		expect(endedOf({ outcome: told, atMs: 0 }, 'failed', minutes * MINUTE)).toBe(ended),
	);

	test.each<Ended>(['failed', 'done'])('of another process is %s where so chosen', (others) =>
		expect(endedOf(undefined, others, 60 * MINUTE)).toBe(others),
	);
});

describe('the keys that are remembered are forgotten', () => {
	const seen = new Map(Object.entries({ a: 1, b: 2, c: 2, d: 3 }));

	test.each<[string, number, total: number, RegExp, Emission[]]>([
		['beyond the bound, the oldest first', 0, 2, /^d,[bc]$/, []],
		['beyond a bound that those share that are not confirmed', 0, 3, /^d,[bc]$/, [emission(9)]],
		['where no walk can read them again', 3, 10, /^d$/, []],
	])('%s', (_what, keepMs, total, expected, emissions) => {
		const state = { ...stateWith(emissions, at(keepMs + 60_000)), seen };
		const kept = bounded(state, { total, pending: 2 }).seen;
		expect([...kept.keys()].join()).toMatch(expected);
	});
});
