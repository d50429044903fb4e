import { getEventListeners } from 'node:events';

import fc from 'fast-check';

import { CancelledError } from '../../../../nodes/shared/errors/errors';
import {
	type AcquireOptions,
	limiterOf,
	RequestLimiter,
} from '../../../../nodes/shared/api/limiter';
import type { Budget } from '../../../../nodes/shared/api/rateLimit';
import { FakeClock, settle } from '../../fakeClock';

/** What happens to a limiter: a caller comes with its number, a waiting one is cancelled, a request is answered. */
interface Step {
	arrives: number;
	cancels: number;
	releases: boolean;
}

/** A caller with the default settings, but for what is said otherwise. */
const caller = (more: Partial<AcquireOptions> = {}): AcquireOptions => ({
	maxInFlight: 4,
	maxWaitMs: 120_000,
	keepPercent: 0,
	...more,
});

const setUp = () => {
	const clock = new FakeClock();
	const limiter = new RequestLimiter(clock);
	/** Uses one slot to tell the limiter something. */
	const tell = async (budget: Budget) => {
		await limiter.acquire(caller());
		limiter.release(clock.monotonic(), budget);
	};
	/** As one that has the key for itself knows: all that was counted was its own. */
	const alone = async (budget: Budget) => {
		for (let n = 0; n < 300; n++) await tell({ verdict: 'accepted' });
		await tell({ ...budget, verdict: 'accepted' });
	};
	const wait = async (options = caller()) => await limiter.acquire(options);
	const acquire = (options = caller()) => {
		const seen = { acquired: 0 };
		void wait(options).then((blockedMs) => (seen.acquired += blockedMs === undefined ? 1 : 0));
		return seen;
	};
	return { clock, limiter, tell, alone, wait, acquire };
};

describe('RequestLimiter', () => {
	const step = fc.oneof(
		fc.record({ arrives: fc.integer({ min: 1, max: 3 }) }),
		fc.record({ cancels: fc.nat(5) }),
		fc.record({ releases: fc.constant(true) }),
	);

	it('lets in as many as each caller wants in flight, first come first served, whatever happens', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array<Partial<Step>>(step, { maxLength: 30 }), async (steps) => {
				const { clock, limiter } = setUp();
				const onHold = jest.fn();
				const waiting: Array<{ n: number; maxInFlight: number; cancel: AbortController }> = [];
				const [ends, expected]: string[][] = [[], []];
				let pending = 0;
				for (const [n, { arrives, cancels, releases }] of steps.entries()) {
					const cancel = new AbortController();
					const { signal } = cancel;
					if (arrives !== undefined) {
						const isFree = waiting.length === 0 && pending < arrives;
						const slot = limiter.acquire(caller({ maxInFlight: arrives, signal, onHold }));
						expect(slot === undefined).toBe(isFree);
						if (isFree) pending++;
						else waiting.push({ n, maxInFlight: arrives, cancel });
						expect(getEventListeners(signal, 'abort')).toHaveLength(isFree ? 0 : 1);
						const end = (how: string) => () => {
							ends.push(`${n} ${how}`);
							expect(getEventListeners(signal, 'abort')).toEqual([]);
						};
						if (!isFree) void Promise.resolve(slot).then(end('in'), end('cancelled'));
					} else if (cancels !== undefined)
						for (const one of waiting.splice(cancels, 1)) {
							one.cancel.abort();
							expected.push(`${one.n} cancelled`);
						}
					else if (releases && pending > 0) {
						pending--;
						limiter.release();
					}
					for (; waiting.length > 0 && pending < waiting[0].maxInFlight; pending++)
						expected.push(`${waiting.shift()!.n} in`);
					await new Promise(setImmediate);
					expect([ends, limiter.pending]).toEqual([expected, pending]);
				}
				expect([clock.slept, onHold.mock.calls]).toEqual([[], []]);
			}),
		);
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

	it('lets nobody in who was cancelled before', async () => {
		const { limiter, wait } = setUp();
		await expect(wait(caller({ signal: AbortSignal.abort() }))).rejects.toThrow(CancelledError);
		expect(limiter.pending).toBe(0);
	});

	it('tells one that waits how long it is held, and refuses one behind it at once that waits less', async () => {
		const { clock, limiter, tell, acquire, wait } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 45_000 });
		const onHold = jest.fn();
		const waiting = acquire(caller({ onHold }));
		expect(onHold).toHaveBeenLastCalledWith(45_000);
		await expect(wait(caller({ maxWaitMs: 10_000 }))).resolves.toBe(45_000);
		expect(waiting.acquired).toBe(0);
		await clock.advance(45_100);
		expect(waiting.acquired).toBe(1);
		expect(limiter.pending).toBe(1);
	});

	it('lifts a hold at once, without waiting for the next look', async () => {
		const { clock, limiter, acquire } = setUp();
		await limiter.acquire(caller());
		await limiter.acquire(caller());
		limiter.release(clock.monotonic(), { verdict: 'refused', retryAfterMs: 60_000 });
		const next = acquire();
		await clock.advance(1_000);
		expect(next.acquired).toBe(0);
		limiter.release(clock.monotonic(), { verdict: 'accepted' });
		await settle();
		expect(next.acquired).toBe(1);
	});

	it('sends no storm where every answer is a 429 with Retry-After 0', async () => {
		const { clock, limiter } = setUp();
		let requests = 0;
		const request = async () => {
			for (;;) {
				if ((await limiter.acquire(caller())) !== undefined) return;
				const startedMs = clock.monotonic();
				requests++;
				await clock.sleep(20);
				limiter.release(startedMs, { verdict: 'refused', retryAfterMs: 0 });
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
		const first = wait();
		await clock.advance(3_000);
		const late = wait();
		const lateFromMs = limiter.heldMs;
		expect(lateFromMs).toBeGreaterThanOrEqual(3_000);
		await clock.advance(3_000);
		await Promise.all([first, late]);
		expect(limiter.heldMs).toBeGreaterThanOrEqual(5_000);
		expect(limiter.heldMs).toBeLessThan(5_050);
		expect(limiter.heldMs - lateFromMs).toBeLessThan(2_050);
		const heldMs = limiter.heldMs;
		const queued = wait(caller({ maxInFlight: 2 }));
		await clock.advance(3_000);
		limiter.release();
		await queued;
		expect(limiter.heldMs).toBe(heldMs);
	});

	it('makes no promise for who is refused at once', async () => {
		const { limiter, tell } = setUp();
		await tell({ verdict: 'refused', retryAfterMs: 3_600_000 });
		expect(limiter.acquire(caller())).toBe(3_600_000);
	});
});

it('is one for each credential and clock', () => {
	const clock = new FakeClock();
	const one = limiterOf('a', clock);
	expect(limiterOf('a', clock)).toBe(one);
	expect(limiterOf('b', clock)).not.toBe(one);
	expect(limiterOf('a', new FakeClock())).not.toBe(one);
});
