import * as fc from 'fast-check';

import {
	emissionOutcome,
	newEmissionId,
} from '../../../nodes/CommercePlatformChangesTrigger/keeping';
import {
	MEMORY_BOUNDS,
	bounded,
	isFull,
	loadState,
	settle,
	toStored,
	type ChangesState,
	type EmissionOutcome,
	type Place,
	type Subject,
} from '../../../nodes/CommercePlatformChangesTrigger/state';

const MINUTE = 60_000;
const NOW = 29_500_000 * 60_000;
const MOST_BYTES = 350_000;

/** More than n8n can leave unreported within the minutes after which a start counts as done. */
const MAX_PENDING = 20;

const SUBJECT: Subject = {
	workflowId: 'workflow-1',
	credential: 'credential-1',
	address: 'https://shop.example/v1',
	watch: 'order',
	filters: '{}',
};

const version = (timeMs = NOW, contentHash = 'abcde') => ({ timeMs, contentHash });

const STATE: ChangesState = {
	subject: SUBJECT,
	revision: 7,
	place: {
		kind: 'list',
		sinceMs: NOW + 1,
		fromMs: 0,
		walk: { nextSinceMs: NOW, cursor: { text: 'abc', sinceMs: NOW } },
	},
	versions: new Map([
		['aaaaaaa', version()],
		['bbbbbbb', version(NOW + 123, '-_09z')],
	]),
	emissions: [
		{
			id: 'emission-7',
			before: { kind: 'list', sinceMs: NOW - 500 * MINUTE, fromMs: 0, walk: null },
			versions: new Map([['ccccccc', version(0)]]),
		},
	],
};

const throughDatabase = (state: ChangesState): unknown =>
	JSON.parse(JSON.stringify(toStored(state))) as unknown;
const fromStored = (stored: unknown, subject: Subject) => loadState(stored, undefined, subject);

describe('the stored state of the changes trigger', () => {
	test('is read as it was written', () =>
		expect(fromStored(throughDatabase(STATE), SUBJECT)).toEqual({ state: STATE }));

	test('keeps the lower bound and the unconfirmed handovers under other filters, and drops the cursor', () => {
		const filters = '{"status":"paid"}';
		const { state } = fromStored(throughDatabase(STATE), { ...SUBJECT, filters });
		const { emissions, versions: remembered } = STATE;
		const place = { kind: 'list', sinceMs: NOW, fromMs: 0, walk: null };
		expect(state).toMatchObject({ subject: { filters }, place, emissions, versions: remembered });
		expect(state?.place).toEqual(place);
	});

	test('is refused if the event to begin after changes, and kept if that filter is cleared', () => {
		const subject = { ...SUBJECT, watch: 'event', filters: '{"after_event_id":"evt_1"}' };
		const place = { kind: 'stream', afterEventId: 'evt_9', read: 8, fromMs: 0 } as const;
		const stored = throughDatabase({ ...STATE, subject, place, emissions: [] });
		const other = { ...subject, filters: '{"after_event_id":"evt_5"}' };
		expect(fromStored(stored, other).refused).toBe('it belongs to another After Event ID');
		expect(fromStored(stored, { ...subject, filters: '{}' }).state?.place).toEqual(place);
	});

	test('is the one of this process if that is not older', () => {
		const own = { ...STATE, revision: 7, emissions: [] };
		expect(loadState(throughDatabase(STATE), own, SUBJECT).state).toEqual(own);
		const kept = throughDatabase({ ...STATE, revision: 8 });
		expect(loadState(kept, own, SUBJECT).state?.revision).toBe(8);
		const foreign = { ...own, subject: { ...SUBJECT, watch: 'product' } };
		expect(loadState(throughDatabase(STATE), foreign, SUBJECT).state).toEqual(STATE);
	});

	const versions = (count: number, from = 0) =>
		new Map(
			Array.from({ length: count }, (_, n) => [`${from + n}`.padStart(7, 'k'), version(NOW + n)]),
		);
	const bytesOf = (state: ChangesState) => JSON.stringify(toStored(state)).length;

	test(`stays below ${MOST_BYTES} bytes, however much was given`, () => {
		const emissions = Array.from({ length: MAX_PENDING }, (_, n) => ({
			id: `emission-${n}`,
			before: { kind: 'list', sinceMs: NOW, fromMs: NOW, walk: null } as const,
			versions: versions(MEMORY_BOUNDS.pending / MAX_PENDING, n * 1_000),
		}));
		const full = { ...STATE, emissions, versions: versions(100_000, 500_000) };
		const state = bounded(full, MEMORY_BOUNDS);
		expect(state.versions.size).toBe(MEMORY_BOUNDS.total - MEMORY_BOUNDS.pending);
		expect(bytesOf(state)).toBeLessThan(MOST_BYTES);
	});

	test('takes less than 210 kB for 10,000 records', () => {
		expect(bytesOf({ ...STATE, versions: versions(10_000) })).toBeLessThan(210_000);
	});

	test('stores the time of each version to the millisecond, up to the year 9999', () => {
		const timeThroughDatabase = (timeMs: number) => {
			const remembered = new Map([['aaaaaaa', version(timeMs)]]);
			const { state } = fromStored(throughDatabase({ ...STATE, versions: remembered }), SUBJECT);
			return state?.versions.get('aaaaaaa')?.timeMs;
		};
		fc.assert(
			fc.property(fc.nat(Date.UTC(9999, 11, 31)), (timeMs) =>
				expect(timeThroughDatabase(timeMs)).toBe(timeMs),
			),
		);
	});

	test('is refused if it is incomplete, and never makes the trigger fail', () => {
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

const at = (sinceMs: number): Place => ({ kind: 'list', sinceMs, fromMs: 0, walk: null });

const emission = (n: number, change: Partial<Emission> = {}): Emission => ({
	id: `emission-${n}`,
	before: at(n),
	versions: new Map([[`key-${n}`, version(n)]]),
	...change,
});

const stateWith = (emissions: Emission[], place = at(1_000)): ChangesState => ({
	...STATE,
	place,
	versions: new Map(),
	emissions,
});

describe('unconfirmed handovers', () => {
	test('are read again from the earlier place, if two starts failed', () => {
		const emissions = [emission(5, { before: at(2) }), emission(6)];
		expect(settle(stateWith(emissions), () => 'failed').state.place).toEqual(at(2));
	});

	test('make the next poll wait if there are too many', () => {
		const bounds = { total: 9, pending: 2 };
		expect(isFull(stateWith([emission(1)]), bounds)).toBe(false);
		expect(isFull(stateWith([emission(1), emission(2)]), bounds)).toBe(true);
	});
});

describe('a handover', () => {
	test.each<[string, EmissionOutcome, number, EmissionOutcome]>([
		['that ended', 'done', 0, 'done'],
		['of which the start failed', 'failed', 0, 'failed'],
		['that has just been made', 'pending', 1, 'pending'],
		['of which nothing was heard for two minutes', 'pending', 2.1, 'done'],
		['of which the start failed, at any later time', 'failed', 60, 'failed'],
	])('%s: %s after %d minutes is %s', (_name, told, minutes, ended) => {
		const id = newEmissionId();
		const known = new Map([[id, { outcome: told, emittedMs: 0 }]]);
		expect(emissionOutcome(id, known, 'failed', minutes * MINUTE)).toBe(ended);
	});

	test.each<EmissionOutcome>(['failed', 'done'])(
		'of another process is %s where so chosen',
		(others) => expect(emissionOutcome('another 1', new Map(), others, 60 * MINUTE)).toBe(others),
	);

	test('of this process that it has forgotten became an execution', () =>
		expect(emissionOutcome(newEmissionId(), new Map(), 'failed', 60 * MINUTE)).toBe('done'));

	test('has an ID of its own', () => expect(newEmissionId()).not.toBe(newEmissionId()));
});

describe('the versions that are remembered', () => {
	const remembered = new Map(['a', 'b', 'c', 'd'].map((key) => [key, version()]));

	test.each<[total: number, kept: string, Emission[]]>([
		[10, 'a,b,c,d', []],
		[2, 'c,d', []],
		[3, 'c,d', [emission(9)]],
	])('are at most %d, those that were read last: %s', (total, kept, emissions) => {
		const state = { ...stateWith(emissions), versions: remembered };
		expect([...bounded(state, { total, pending: 2 }).versions.keys()].join()).toBe(kept);
	});
});
