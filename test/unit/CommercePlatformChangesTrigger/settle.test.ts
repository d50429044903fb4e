import {
	bounded,
	isFull,
	settle,
	type ChangesState,
	type Ended,
	type Place,
} from '../../../nodes/CommercePlatformChangesTrigger/state';
import { endedOf } from '../../../nodes/CommercePlatformChangesTrigger/poll';

type Emission = ChangesState['emissions'][number];

const at = (sinceMs: number): Place => ({ kind: 'list', sinceMs });

const emission = (id: number, change: Partial<Emission> = {}): Emission => ({
	id,
	before: at(id),
	keys: new Map([[`key-${id}`, id]]),
	...change,
});

const stateWith = (emissions: Emission[], place = at(1_000)): ChangesState => ({
	subject: { workflowId: 'w', credential: 'c', watch: 'order', filters: '{}' },
	revision: 100,
	place,
	seen: new Map(),
	emissions,
});

const all = (outcome: Ended) => () => outcome;

describe('what became of what was handed over', () => {
	test('an execution that ended makes its versions seen', () => {
		const { state, repeated } = settle(stateWith([emission(5)]), all('done'));
		expect(repeated).toBe(0);
		expect([...state.seen.keys()]).toEqual(['key-5']);
		expect(state.emissions).toEqual([]);
	});

	test('a start that failed takes the walk back to where it was', () => {
		const { state, repeated } = settle(stateWith([emission(5)]), all('failed'));
		expect(repeated).toBe(1);
		expect(state.place).toEqual(at(5));
		expect(state.seen.size).toBe(0);
	});

	test('an execution that is running stays unconfirmed', () => {
		const before = stateWith([emission(5)]);
		const { state, repeated } = settle(before, all('pending'));
		expect(repeated).toBe(0);
		expect(state.emissions).toEqual(before.emissions);
		expect(state.place).toEqual(before.place);
	});

	test('two that failed are read again from the earlier of their places', () => {
		const later = emission(6, { before: at(2) });
		const { state } = settle(stateWith([emission(5), later]), all('failed'));
		expect(state.place).toEqual(at(2));
	});

	test('what failed waits while stock levels are compared for the first time under other filters', () => {
		const first = { kind: 'snapshot', taken: false } as const;
		const { state, repeated } = settle(stateWith([emission(5)], first), all('failed'));
		expect(repeated).toBe(0);
		expect(state.emissions).toHaveLength(1);
	});

	test('too much that is unconfirmed makes the next poll wait', () => {
		const bounds = { total: 9, pending: 2, retain: 0 };
		expect(isFull(stateWith([emission(1)]), bounds)).toBe(false);
		expect(isFull(stateWith([emission(1), emission(2)]), bounds)).toBe(true);
	});
});

describe('a handover', () => {
	const MINUTE = 60_000;

	test.each<[string, Ended, number, Ended]>([
		['that ended', 'done', 0, 'done'],
		['of which the start failed', 'failed', 0, 'failed'],
		['that has just been made', 'pending', 1, 'pending'],
		['of which nothing was heard for two minutes', 'pending', 2.1, 'done'],
		['of which the start failed, at any later time', 'failed', 60, 'failed'],
	])('%s: %s after %d minutes is %s', (_name, told, minutes, outcome) => {
		const found = endedOf({ outcome: told, atMs: 0 }, 'failed', minutes * MINUTE);
		expect(found).toBe(outcome);
	});

	test.each<Ended>(['failed', 'done'])(
		'of another process is %s where After a Restart says so',
		(others) => {
			expect(endedOf(undefined, others, 60 * MINUTE)).toBe(others);
		},
	);
});

describe('the keys that are remembered', () => {
	const seen = new Map([
		['aaaaaaaaaaaa', 1],
		['bbbbbbbbbbbb', 2],
		['cccccccccccc', 2],
		['dddddddddddd', 3],
	]);
	const from = (keepMs: number) => ({ ...stateWith([], at(keepMs + 60_000)), seen });

	test('are forgotten, the oldest first, beyond the bound', () => {
		const kept = bounded(from(0), { total: 2, pending: 2, retain: 0 }).seen;
		expect(kept.size).toBe(2);
		expect(kept.has('dddddddddddd')).toBe(true);
		expect(kept.has('aaaaaaaaaaaa')).toBe(false);
	});

	test('share the bound with those that are not confirmed', () => {
		const state = { ...from(0), emissions: [emission(9)] };
		expect(bounded(state, { total: 3, pending: 2, retain: 0 }).seen.size).toBe(2);
	});

	test('are forgotten where no walk can read them again, but for the newest', () => {
		const bounds = { total: 10, pending: 2, retain: 3 };
		expect(bounded(from(3), bounds).seen.size).toBe(3);
		expect(bounded(from(3), { ...bounds, retain: 0 }).seen.size).toBe(1);
	});
});
