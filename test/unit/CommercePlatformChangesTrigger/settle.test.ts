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

describe('what is not confirmed', () => {
	test('is read again, where two starts failed, from the earlier of their places', () => {
		const emissions = [emission(5, { before: at(2) }), emission(6)];
		expect(settle(stateWith(emissions), () => 'failed').state.place).toEqual(at(2));
	});

	test('makes the next poll wait where it is too much', () => {
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
	])('%s: %s after %d minutes is %s', (_name, told, minutes, ended) =>
		expect(endedOf({ outcome: told, atMs: 0 }, 'failed', minutes * MINUTE)).toBe(ended),
	);

	test.each<Ended>(['failed', 'done'])('of another process is %s where so chosen', (others) =>
		expect(endedOf(undefined, others, 60 * MINUTE)).toBe(others),
	);
});

describe('the keys that are remembered are forgotten', () => {
	const seen = new Map(Object.entries({ a: 1, b: 2, c: 2, d: 3 }));

	test.each<[string, number, total: number, retain: number, RegExp, Emission[]]>([
		['beyond the bound, the oldest first', 0, 2, 0, /^d,[bc]$/, []],
		['beyond a bound that those share that are not confirmed', 0, 3, 0, /^d,[bc]$/, [emission(9)]],
		['where no walk can read them again, but for the newest', 3, 10, 3, /^d,b,c$/, []],
		['where no walk can read them again', 3, 10, 0, /^d$/, []],
	])('%s', (_what, keepMs, total, retain, expected, emissions) => {
		const state = { ...stateWith(emissions, at(keepMs + 60_000)), seen };
		const kept = bounded(state, { total, pending: 2, retain }).seen;
		expect([...kept.keys()].join()).toMatch(expected);
	});
});
