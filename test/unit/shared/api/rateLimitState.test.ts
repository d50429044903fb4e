import fc from 'fast-check';

import { RateLimitState } from '../../../../nodes/shared/api/rateLimitState';

const T = 1_800_000_000_000;
const reading = (remaining: number, resetAtMs = T + 5_000, limit = 100) => ({
	limit,
	remaining,
	resetAtMs,
});

describe('RateLimitState', () => {
	it('lets everything go while nothing is known', () => {
		expect(new RateLimitState().decide(3, T)).toEqual({ kind: 'go' });
	});

	it('counts pending requests against what is left', () => {
		const state = new RateLimitState();
		state.update(reading(2), T);
		expect(state.decide(0, T)).toEqual({ kind: 'go' });
		expect(state.decide(1, T)).toEqual({ kind: 'go' });
		expect(state.decide(2, T)).toMatchObject({ kind: 'wait' });
	});

	it('holds until the window ends, then has a whole window again', () => {
		const state = new RateLimitState();
		state.update(reading(0), T);
		const decision = state.decide(0, T);
		expect(decision).toMatchObject({ kind: 'wait' });
		const ms = decision.kind === 'wait' ? decision.ms : 0;
		expect(ms).toBeGreaterThanOrEqual(5_000);
		expect(ms).toBeLessThan(5_100);
		expect(state.decide(3, T + ms)).toEqual({ kind: 'go' });
	});

	it('takes the smallest remainder of a window, and forgets it with the window', () => {
		const state = new RateLimitState();
		state.update(reading(1), T);
		state.update(reading(9), T + 1);
		expect(state.snapshot(T).remaining).toBe(1);
		state.update(reading(99, T + 10_000), T + 5_001);
		state.update(reading(0), T + 5_002);
		expect(state.snapshot(T).remaining).toBe(99);
	});

	it('follows the platform’s clock where the two are far apart', () => {
		const state = new RateLimitState();
		state.update({ ...reading(0, T + 3_605_000), serverTimeMs: T + 3_600_000 }, T);
		expect(state.decide(0, T)).toMatchObject({
			kind: 'wait',
			ms: expect.closeTo(5_000, -2) as number,
		});
	});

	it('waits for a 429’s Retry-After, and fails at once where that is too long to wait for', () => {
		const state = new RateLimitState();
		state.holdUntil(T + 700, T);
		expect(state.decide(0, T, 10_000)).toEqual({ kind: 'wait', ms: 700 });
		state.holdUntil(T + 3_600_000, T);
		expect(state.decide(0, T + 800, 10_000)).toEqual({ kind: 'blocked', untilMs: T + 3_600_000 });
		// The shop may have bought capacity, so one look a minute is allowed.
		expect(state.decide(0, T + 61_000, 10_000)).toEqual({ kind: 'go' });
	});

	it('lets every caller wait as long as its own setting says', () => {
		const state = new RateLimitState();
		state.holdUntil(T + 45_000, T);
		expect(state.decide(0, T, 10_000)).toMatchObject({ kind: 'blocked' });
		expect(state.decide(0, T, 120_000)).toEqual({ kind: 'wait', ms: 45_000 });
	});

	it('learns from every answer of a window although the Date header has whole seconds', () => {
		const state = new RateLimitState();
		const skewMs = 3_000;
		const endsAtMs = T + 40_000 + skewMs;
		for (let n = 0; n < 100; n++) {
			const nowMs = T + 137 * n;
			const serverTimeMs = Math.floor((nowMs + skewMs) / 1_000) * 1_000;
			state.update({ limit: 100, remaining: 99 - n, resetAtMs: endsAtMs, serverTimeMs }, nowMs);
			expect(state.snapshot(T).remaining).toBe(99 - n);
		}
		const decision = state.decide(0, T + 14_000);
		const opensAtMs = T + 14_000 + (decision.kind === 'wait' ? decision.ms : 0);
		expect(opensAtMs).toBeGreaterThanOrEqual(endsAtMs - skewMs);
		expect(opensAtMs).toBeLessThan(endsAtMs - skewMs + 1_100);
	});

	it('believes in no window that is longer than a minute', () => {
		const state = new RateLimitState();
		state.update(reading(0, T * 1_000), T);
		const decision = state.decide(0, T);
		expect(decision.kind === 'wait' ? decision.ms : Infinity).toBeLessThan(62_000);
		state.update(reading(50, T + 64_000), T + 5_000);
		expect(state.snapshot(T).remaining).toBe(50);
	});

	it('knows the share of the day that is left, and only for that day', () => {
		const state = new RateLimitState();
		expect(state.dailyBudget(0, T)).toBeUndefined();
		state.update({ dayLimit: 1_000, dayRemaining: 204, serverTimeMs: T }, T);
		expect(state.dailyBudget(4, T)?.percent).toBe(20);
		expect(state.dailyBudget(0, T + 86_400_000)).toBeUndefined();
	});

	it('never lets more requests start in a window than its budget', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 20 }),
				fc.array(fc.constantFrom('start', 'finish', 'tick'), { maxLength: 200 }),
				(budget, steps) => {
					const state = new RateLimitState();
					const windowMs = 5_000;
					let nowMs = T;
					let inFlight = 0;
					const used = new Map<number, number>();
					const windowOf = (ms: number) => Math.floor(ms / windowMs);
					const answer = () => {
						const window = windowOf(nowMs);
						state.update(
							reading(budget - (used.get(window) ?? 0), (window + 1) * windowMs, budget),
							nowMs,
						);
					};
					answer();
					for (const step of steps) {
						if (step === 'tick') nowMs += 311;
						if (step === 'start' && state.decide(inFlight, nowMs).kind === 'go') {
							// The platform counts a request when it arrives.
							used.set(windowOf(nowMs), (used.get(windowOf(nowMs)) ?? 0) + 1);
							inFlight++;
						}
						if (step === 'finish' && inFlight > 0) {
							inFlight--;
							answer();
						}
					}
					for (const count of used.values()) expect(count).toBeLessThanOrEqual(budget);
				},
			),
		);
	});
});
