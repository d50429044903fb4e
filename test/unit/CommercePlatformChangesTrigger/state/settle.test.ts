import {
	boundKeys,
	packKeys,
	unpackKeys,
} from '../../../../nodes/CommercePlatformChangesTrigger/state/keys';
import { isFull, settle } from '../../../../nodes/CommercePlatformChangesTrigger/state/settle';
import type {
	ChangesState,
	Emission,
	Place,
} from '../../../../nodes/CommercePlatformChangesTrigger/state/state';

const at = (sinceMs: number): Place => ({ kind: 'list', sinceMs });

const emission = (id: number, change: Partial<Emission> = {}): Emission => ({
	id,
	process: 'here',
	handedOverMs: 0,
	before: at(id),
	keys: new Map([[`key-${id}`, id]]),
	...change,
});

const stateWith = (emissions: Emission[], revision = 100): ChangesState => ({
	subject: { workflowId: 'w', account: 'a', watch: 'order', filters: '{}' },
	revision,
	place: at(1_000),
	seen: new Map(),
	emissions,
});

describe('what became of what was handed over', () => {
	test('an execution that ended makes its versions seen', () => {
		const { state, repeated } = settle(stateWith([emission(5)]), 'here', () => 'done', 0);
		expect(repeated).toBe(0);
		expect([...state.seen.keys()]).toEqual(['key-5']);
		expect(state.emissions).toEqual([]);
	});

	test('a start that failed takes the walk back to where it was', () => {
		const { state, repeated } = settle(stateWith([emission(5)]), 'here', () => 'failed', 0);
		expect(repeated).toBe(1);
		expect(state.place).toEqual(at(5));
		expect(state.seen.size).toBe(0);
	});

	test('another process’s handover counts as failed', () => {
		const there = emission(5, { process: 'there' });
		const { state } = settle(stateWith([there]), 'here', () => 'done', 0);
		expect(state.place).toEqual(at(5));
	});

	test('an execution that is running stays unconfirmed', () => {
		const before = stateWith([emission(5)]);
		const { state, repeated } = settle(before, 'here', () => 'pending', 0);
		expect(repeated).toBe(0);
		expect(state.emissions).toEqual(before.emissions);
		expect(state.place).toEqual(before.place);
	});

	test('one that runs for hours counts as executed', () => {
		const hourMs = 3_600_000;
		const { state } = settle(stateWith([emission(5)]), 'here', () => 'pending', hourMs);
		expect([...state.seen.keys()]).toEqual(['key-5']);
	});

	test('not so right after a clock has jumped', () => {
		const fresh = stateWith([emission(5)], 6);
		const { state } = settle(fresh, 'here', () => 'pending', 3_600_000);
		expect(state.emissions).toHaveLength(1);
	});

	test('too much that is unconfirmed makes the next poll wait', () => {
		expect(isFull(stateWith([emission(1), emission(2)]), 3)).toBe(false);
		expect(isFull(stateWith([emission(1), emission(2)]), 2)).toBe(true);
	});
});

describe('the keys that are remembered', () => {
	const keys = new Map([
		['aaaaaaaaaaaa', 1],
		['bbbbbbbbbbbb', 2],
		['cccccccccccc', 2],
		['dddddddddddd', 3],
	]);

	test('are stored and read', () => {
		expect(unpackKeys(packKeys(keys))).toEqual(keys);
	});

	test('are forgotten, the oldest first, beyond the bound', () => {
		const kept = boundKeys(keys, 0, { max: 2, maxPending: 2, retain: 0 });
		expect(kept.size).toBe(2);
		expect(kept.has('dddddddddddd')).toBe(true);
		expect(kept.has('aaaaaaaaaaaa')).toBe(false);
	});

	test('are forgotten where no walk can read them again, but for the newest', () => {
		const kept = boundKeys(keys, 3, { max: 10, maxPending: 2, retain: 3 });
		expect(kept.size).toBe(3);
		expect(boundKeys(keys, 3, { max: 10, maxPending: 2, retain: 0 }).size).toBe(1);
	});
});

describe('two emissions that failed', () => {
	test('are read again from the earlier of their places', () => {
		const later = emission(6, { before: at(2) });
		const { state } = settle(stateWith([emission(5), later]), 'here', () => 'failed', 0);
		expect(state.place).toEqual(at(2));
	});
});
