import { getEventListeners } from 'node:events';

import fc from 'fast-check';

import { CancelledError } from '../../../../nodes/shared/rest/errors';
import { type Budget, type Caller, limiterOf } from '../../../../nodes/shared/rest/limiter';
import { FakeClock, settle } from '../../fakeClock';

/** Requests of one key that are in flight at once, at most. */
const MOST = 10;

/** A step in a limiter's life: a caller requests a slot, a caller is cancelled, or a request is answered. */
interface Step {
	arrives: number;
	cancels: number;
	releases: boolean;
}

/** A caller with the default settings, unless told otherwise. */
const caller = (more: Partial<Caller> = {}): Caller => {
	const settings = { maxInFlight: 4, maxWaitMs: 120_000, keepPercent: 0, signals: [], pending: 0 };
	return { ...settings, ...more };
};

const setUp = () => {
	const clock = new FakeClock();
	const limiter = limiterOf('key', clock);
	/** Uses one slot to give the limiter a budget. */
	const tell = async (budget: Budget) => {
		const teller = caller();
		await limiter.acquire(teller);
		limiter.release(teller, clock.monotonic(), budget);
	};
	/** The same for a process that uses the key alone: all counted requests were its own. */
	const alone = async (budget: Budget) => {
		for (let n = 0; n < 300; n++) await tell({ verdict: 'accepted' });
		await tell({ ...budget, verdict: 'accepted' });
	};
	const wait = async (options = caller()) => await limiter.acquire(options);
	const acquire = (options = caller()) => {
		const seen = { acquired: 0 };
		void wait(options).then(({ kind }) => (seen.acquired += kind === 'granted' ? 1 : 0));
		return seen;
	};
	return { clock, limiter, tell, alone, wait, acquire };
};

describe('the limiter of a key', () => {
	const step = fc.oneof(
		fc.record({ arrives: fc.integer({ min: 1, max: 3 }) }),
		fc.record({ cancels: fc.nat(20) }),
		fc.record({ releases: fc.constant(true) }),
	);

	it('lets in as many as the key and each caller may have in flight, first come first served, whatever happens', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array<Partial<Step>>(step, { maxLength: 60, size: 'max' }),
				async (steps) => {
					const { clock, limiter } = setUp();
					const onHold = jest.fn();
					/** Three callers with their bounds. */
					const model = [1, 3, 8].map((most) => ({ most, pending: 0 }));
					const waiting: Array<{ n: number; by: number; cancel: AbortController }> = [];
					/** The callers of the requests in flight. */
					const open: Array<{ by: number; caller: Caller }> = [];
					const callers = new Map<number, Caller>();
					const [ends, expected]: string[][] = [[], []];
					const isFree = (by: number) => open.length < MOST && model[by].pending < model[by].most;
					const start = (by: number) => {
						model[by].pending++;
						open.push({ by, caller: callers.get(by)! });
					};
					const cancels = new Map<number, AbortController>();
					for (const [by, { most }] of model.entries()) {
						const cancel = new AbortController();
						cancels.set(by, cancel);
						callers.set(by, caller({ maxInFlight: most, signals: [cancel.signal], onHold }));
					}
					for (const [n, { arrives, cancels: cancelled, releases }] of steps.entries()) {
						if (arrives !== undefined && !cancels.get(arrives - 1)!.signal.aborted) {
							const by = arrives - 1;
							const isAtOnce = waiting.length === 0 && isFree(by);
							const slot = limiter.acquire(callers.get(by)!);
							expect(!(slot instanceof Promise)).toBe(isAtOnce);
							if (isAtOnce) start(by);
							else {
								waiting.push({ n, by, cancel: cancels.get(by)! });
								const end = (how: string) => () => void ends.push(`${n} ${how}`);
								void Promise.resolve(slot).then(end('in'), end('cancelled'));
							}
						} else if (cancelled !== undefined && cancelled < model.length) {
							for (const { n: one } of waiting.filter(({ by }) => by === cancelled))
								expected.push(`${one} cancelled`);
							waiting.splice(0, waiting.length, ...waiting.filter(({ by }) => by !== cancelled));
							cancels.get(cancelled)!.abort();
						} else if (releases && open.length > 0) {
							const [{ by, caller: sender }] = open.splice(0, 1);
							model[by].pending--;
							limiter.release(sender);
						}
						for (const request of [...waiting])
							if (isFree(request.by)) {
								waiting.splice(waiting.indexOf(request), 1);
								start(request.by);
								expected.push(`${request.n} in`);
							}
						await new Promise(setImmediate);
						expect([ends.sort(), limiter.pending]).toEqual([expected.sort(), open.length]);
					}
					for (const [by, { signal }] of cancels) {
						const waits = waiting.filter((request) => request.by === by).length;
						expect(getEventListeners(signal, 'abort')).toHaveLength(waits);
					}
					expect([clock.slept, onHold.mock.calls]).toEqual([[], []]);
				},
			),
		);
	});

	it('does not let one caller’s bound of 1 hold back another', async () => {
		const { limiter } = setUp();
		const [one, other] = [caller({ maxInFlight: 1 }), caller({ maxInFlight: 4 })];
		expect(limiter.acquire(one)).toEqual({ kind: 'granted' });
		const second = limiter.acquire(one);
		expect(second).toBeInstanceOf(Promise);
		for (let n = 0; n < 4; n++) await limiter.acquire(other);
		expect(limiter.pending).toBe(5);
		limiter.release(one);
		await second;
		expect([one.pending, other.pending]).toEqual([1, 4]);
	});

	it('wakes all that wait by one timer, as soon as the window ends', async () => {
		const { clock, alone, acquire } = setUp();
		await alone({ limit: 100, remaining: 0, resetAtMs: clock.now() + 300 });
		const waiting = [acquire(), acquire(), acquire()];
		await settle();
		expect(clock.slept).toHaveLength(1);
		await clock.advance(350);
		expect(waiting.map(({ acquired }) => acquired)).toEqual([1, 1, 1]);
	});

	it('does not admit a caller that was cancelled before', async () => {
		const { limiter, wait } = setUp();
		await expect(wait(caller({ signals: [AbortSignal.abort()] }))).rejects.toThrow(CancelledError);
		expect(limiter.pending).toBe(0);
	});

	it('tells a waiting caller how long it is held, and refuses a later one at once if that would wait less', async () => {
		const { clock, limiter, tell, acquire, wait } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 45_000 });
		const onHold = jest.fn();
		const waiting = acquire(caller({ onHold }));
		expect(onHold).toHaveBeenLastCalledWith(45_000);
		await expect(wait(caller({ maxWaitMs: 10_000 }))).resolves.toEqual({
			kind: 'blocked',
			ms: 45_000,
		});
		expect(waiting.acquired).toBe(0);
		await clock.advance(45_100);
		expect(waiting.acquired).toBe(1);
		expect(limiter.pending).toBe(1);
	});

	it('lets a caller that would not wait for a long hold find out after a minute whether it still lasts', async () => {
		const { clock, limiter, tell, acquire, wait } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 3_600_000 });
		const patient = acquire(caller({ maxWaitMs: 7_200_000 }));
		await clock.advance(59_999);
		await expect(wait(caller({ maxWaitMs: 10_000 }))).resolves.toMatchObject({ kind: 'blocked' });
		await clock.advance(1);
		const scout = caller({ maxWaitMs: 10_000, maxInFlight: 1 });
		const startedMs = clock.monotonic();
		expect(await wait(scout)).toEqual({ kind: 'granted' });
		// Until its answer comes, it sends no more than it may have in flight.
		const next = wait(scout);
		await settle();
		expect([limiter.pending, patient.acquired]).toEqual([1, 0]);
		limiter.release(scout, startedMs, { verdict: 'refused', retryAfterMs: 3_540_000 });
		await expect(next).resolves.toEqual({ kind: 'blocked', ms: 3_540_000 });
		await clock.advance(60_000);
		const [first] = await Promise.all([wait(scout), settle()]);
		expect([first.kind, patient.acquired]).toEqual(['granted', 0]);
		limiter.release(scout, clock.monotonic(), { verdict: 'accepted' });
		await settle();
		expect(patient.acquired).toBe(1);
	});

	it('starts no more requests at once than the key may have in flight to find that out', async () => {
		const { clock, limiter, tell, acquire } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 3_600_000 });
		acquire(caller({ maxWaitMs: 7_200_000 }));
		await clock.advance(60_000);
		for (let n = 0; n < 12; n++) acquire(caller({ maxWaitMs: 10_000 }));
		await settle();
		expect(limiter.pending).toBe(MOST);
	});

	it('tells a held caller of the wait also while it has as many in flight as it may have', async () => {
		const { clock, limiter, acquire } = setUp();
		const [sender, onHold] = [caller(), jest.fn()];
		const busy = caller({ maxInFlight: 1, onHold });
		for (const one of [sender, busy]) await limiter.acquire(one);
		limiter.release(sender, clock.monotonic(), { verdict: 'refused', retryAfterMs: 45_000 });
		acquire(sender);
		acquire(busy);
		expect(onHold).toHaveBeenLastCalledWith(45_000);
	});

	it('does not call a request held that waits for an answer to its own caller', async () => {
		const { clock, limiter, alone, acquire } = setUp();
		const onHold = jest.fn();
		const busy = caller({ maxInFlight: 1, onHold });
		await limiter.acquire(busy);
		await alone({ limit: 100, remaining: 0, resetAtMs: clock.now() + 5_000 });
		acquire(busy);
		await clock.advance(1_000);
		expect([limiter.heldMs, onHold.mock.calls]).toEqual([0, []]);
		limiter.release(busy);
		await clock.advance(1_000);
		expect([limiter.heldMs, onHold.mock.calls[0]]).toEqual([1_000, [4_015]]);
	});

	it('holds back only the caller that leaves a part of the budget for others', async () => {
		const { clock, limiter, alone, acquire } = setUp();
		await alone({ limit: 100, remaining: 20, resetAtMs: clock.now() + 5_000 });
		const onHold = jest.fn();
		const saving = acquire(caller({ keepPercent: 50, onHold }));
		const other = acquire();
		await settle();
		expect([saving.acquired, other.acquired, limiter.pending]).toEqual([0, 1, 1]);
		expect(onHold).toHaveBeenLastCalledWith(5_015);
		await clock.advance(6_000);
		expect(saving.acquired).toBe(1);
	});

	it('lets others into a new window before the caller that leaves half of it for them', async () => {
		const { clock, limiter, alone, acquire } = setUp();
		await alone({ limit: 10, remaining: 0, resetAtMs: clock.now() + 5_000 });
		await clock.advance(6_000);
		const saver = caller({ keepPercent: 50, maxInFlight: 9 });
		for (let n = 0; n < 5; n++) acquire(saver);
		const [sixth, other] = [acquire(saver), acquire()];
		await settle();
		expect([saver.pending, sixth.acquired, other.acquired, limiter.pending]).toEqual([5, 0, 1, 6]);
	});

	it('counts no held time after the only request that was held is cancelled', async () => {
		const { clock, limiter, tell, wait } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 45_000 });
		const controller = new AbortController();
		const held = expect(wait(caller({ signals: [controller.signal] }))).rejects.toThrow(
			CancelledError,
		);
		await clock.advance(1_000);
		controller.abort();
		await held;
		await clock.advance(3_000);
		expect(limiter.heldMs).toBe(1_000);
	});

	it('lifts a hold at once, without waiting for the next look', async () => {
		const { clock, limiter, acquire } = setUp();
		const sender = caller();
		await limiter.acquire(sender);
		await limiter.acquire(sender);
		limiter.release(sender, clock.monotonic(), { verdict: 'refused', retryAfterMs: 60_000 });
		const next = acquire();
		await clock.advance(1_000);
		expect(next.acquired).toBe(0);
		limiter.release(sender, clock.monotonic(), { verdict: 'accepted' });
		await settle();
		expect(next.acquired).toBe(1);
	});

	it('sends no storm if every answer is a 429 with Retry-After 0', async () => {
		const { clock, limiter } = setUp();
		let requests = 0;
		const sender = caller();
		const request = async () => {
			for (;;) {
				if ((await limiter.acquire(sender)).kind === 'blocked') return;
				const startedMs = clock.monotonic();
				requests++;
				await clock.sleep(20);
				limiter.release(sender, startedMs, { verdict: 'refused', retryAfterMs: 0 });
			}
		};
		for (let n = 0; n < 40; n++) void request();
		await clock.advance(10_000);
		expect(requests).toBeLessThanOrEqual(24);
		expect(requests).toBeGreaterThanOrEqual(16);
	});

	it('tells how long the rate limit held requests back, and how long the queue did not', async () => {
		const { clock, limiter, tell, wait } = setUp();
		await tell({ limit: 100, remaining: 0, resetAtMs: clock.now() + 5_000 });
		const sender = caller({ maxInFlight: 2 });
		const first = wait(sender);
		await clock.advance(3_000);
		const late = wait(sender);
		const lateFromMs = limiter.heldMs;
		expect(lateFromMs).toBeGreaterThanOrEqual(3_000);
		await clock.advance(3_000);
		await Promise.all([first, late]);
		expect(limiter.heldMs).toBeGreaterThanOrEqual(5_000);
		expect(limiter.heldMs).toBeLessThan(5_050);
		expect(limiter.heldMs - lateFromMs).toBeLessThan(2_050);
		const heldMs = limiter.heldMs;
		const queued = wait(sender);
		await clock.advance(3_000);
		limiter.release(sender);
		await queued;
		expect(limiter.heldMs).toBe(heldMs);
	});

	it('makes no promise for a caller that is refused at once', async () => {
		const { limiter, tell } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 3_600_000 });
		expect(limiter.acquire(caller())).toEqual({ kind: 'blocked', ms: 3_600_000 });
	});
});

it('exists once per credential and clock', () => {
	const clock = new FakeClock();
	const one = limiterOf('a', clock);
	expect(limiterOf('a', clock)).toBe(one);
	expect(limiterOf('b', clock)).not.toBe(one);
	expect(limiterOf('a', new FakeClock())).not.toBe(one);
});
