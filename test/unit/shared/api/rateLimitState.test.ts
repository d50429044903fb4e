import fc from 'fast-check';

import type { Budget } from '../../../../nodes/shared/api/answer';
import { type Caller, RateLimitState } from '../../../../nodes/shared/api/rateLimit';

/** Unix ms at monotonic 0. */
const T = Date.parse('2027-01-15T08:00:00Z');
/** A moment at which both clocks run true. */
const at = (ms: number) => ({ unixMs: T + ms, monotonicMs: ms });

const reading = (remaining: number, resetInMs = 5_000, limit = 100): Budget => ({
	limit,
	remaining,
	resetAtMs: T + resetInMs,
});

const caller = (more: Partial<Caller> = {}): Caller => ({
	maxWaitMs: 120_000,
	keepPercent: 0,
	...more,
});

/** Of a process that has the key for itself: all that was counted was its own. */
const stateWith = (given: Budget, ms = 0) => {
	const state = new RateLimitState();
	state.update(given, at(ms));
	for (let n = 0; n < 100; n++) state.accepted(ms);
	return state;
};

const waitOf = (state: RateLimitState, nowMs: number, pending = 0) => {
	const decision = state.decide(pending, nowMs, caller());
	return decision.kind === 'wait' ? decision.ms : undefined;
};

describe('the minute’s window', () => {
	it('lets everything go while nothing is known', () => {
		expect(new RateLimitState().decide(3, 0, caller())).toEqual({ kind: 'go' });
	});

	it.each([
		['the remainder', { limit: 100, resetAtMs: T + 5_000 }],
		['the end of the window', { limit: 100, remaining: 0 }],
	])('lets everything go while %s is not known', (_what, given) => {
		expect(stateWith(given).decide(200, 0, caller())).toEqual({ kind: 'go' });
	});

	it('counts pending requests against what is left', () => {
		const state = stateWith(reading(2));
		expect(state.decide(0, 0, caller())).toEqual({ kind: 'go' });
		expect(state.decide(1, 0, caller())).toEqual({ kind: 'go' });
		expect(state.decide(2, 0, caller())).toEqual({ kind: 'wait', ms: 5_015, own: false });
		expect(state.decide(3, 0, caller())).toEqual({ kind: 'wait', ms: 5_015, own: false });
	});

	it('holds until a little after the window’s end, then has a whole window again', () => {
		const state = stateWith(reading(0));
		expect(state.decide(0, 5_014, caller())).toEqual({ kind: 'wait', ms: 1, own: false });
		expect(state.decide(0, 5_015, caller())).toEqual({ kind: 'go' });
		expect(state.decide(99, 5_015, caller())).toEqual({ kind: 'go' });
		expect(state.decide(100, 5_015, caller())).toEqual({ kind: 'wait-for-answer', own: false });
	});

	it('sends one request into a new window of a limit that is not known, whatever is pending', () => {
		const state = stateWith({ remaining: 0, resetAtMs: T + 5_000 });
		expect(state.decide(1_000, 6_000, caller())).toEqual({ kind: 'go' });
	});

	it('sends one request into a new window even where the limit is zero', () => {
		const state = stateWith(reading(0, 5_000, 0));
		expect(state.decide(0, 6_000, caller())).toEqual({ kind: 'go' });
		expect(state.decide(1, 6_000, caller())).toEqual({ kind: 'wait-for-answer', own: false });
	});

	it('takes the smallest remainder of a window, and forgets it with the window', () => {
		const state = stateWith(reading(1));
		state.update(reading(9), at(1));
		expect(state.snapshot(at(1)).remaining).toBe(1);
		state.update(reading(99, 65_000), at(5_001));
		expect(state.snapshot(at(5_001)).remaining).toBe(99);
	});

	it('keeps what an answer does not tell', () => {
		const state = stateWith(reading(5, 30_000));
		state.update({ remaining: 0 }, at(1));
		state.update({ resetAtMs: T + 60_000 }, at(2));
		state.update({}, at(3));
		expect(state.snapshot(at(3))).toMatchObject({ limit: 100, remaining: 5 });
		state.update({ remaining: 0, resetAtMs: T + 30_000 }, at(4));
		expect(waitOf(state, 4)).toBe(30_011);
	});

	it('takes in a new window that is about to end', () => {
		const state = stateWith(reading(9, 5_000));
		state.update(reading(0, 66_000), at(65_000));
		expect(waitOf(state, 65_000)).toBe(1_015);
	});

	it.each([
		[1_500, 'late, and ignores it', 9],
		[1_501, 'right, and takes it', 3],
	])('takes an earlier end that is %d ms ahead for %s', (leftMs, _which, remaining) => {
		const state = stateWith(reading(9, 60_000));
		state.update(reading(3, leftMs), at(0));
		expect(state.snapshot(at(0)).remaining).toBe(remaining);
	});

	it('ignores an answer of the window before that comes late', () => {
		const state = stateWith(reading(99, 65_000), 5_001);
		state.update(reading(0, 5_000), at(5_002));
		expect(state.snapshot(at(5_002)).remaining).toBe(99);
	});

	it.each([
		[1_500, 'the same window', 3],
		[1_501, 'another one', 8],
	])('takes an end that is %d ms later for %s', (laterMs, _which, remaining) => {
		const state = stateWith(reading(3, 30_000));
		state.update(reading(8, 30_000 + laterMs), at(0));
		expect(state.snapshot(at(0)).remaining).toBe(remaining);
	});

	it('keeps the earlier of two ends of one window', () => {
		const state = stateWith(reading(0, 30_000));
		state.update(reading(0, 31_000), at(0));
		expect(waitOf(state, 0)).toBe(30_015);
		state.update(reading(0, 29_500), at(0));
		expect(waitOf(state, 0)).toBe(29_515);
	});

	it('corrects an end that was a mistake, when a later answer tells an earlier one', () => {
		const state = stateWith(reading(0, 61_000));
		state.update(reading(7, 20_000), at(10));
		expect(state.decide(0, 10, caller())).toEqual({ kind: 'go' });
		expect(state.snapshot(at(10)).remaining).toBe(7);
	});

	it('believes in no window that is longer than a minute', () => {
		expect(waitOf(stateWith(reading(0, 3_600_000)), 0)).toBe(61_015);
		expect(waitOf(stateWith(reading(0, 61_000)), 0)).toBe(61_015);
		expect(waitOf(stateWith(reading(0, 60_999)), 0)).toBe(61_014);
	});

	it('leaves the caller’s share of the minute to others', () => {
		const keep = caller({ keepPercent: 20 });
		expect(stateWith(reading(21)).decide(0, 0, keep)).toEqual({ kind: 'go' });
		expect(stateWith(reading(20)).decide(0, 0, keep)).toEqual({
			kind: 'wait',
			ms: 5_015,
			own: true,
		});
		expect(stateWith(reading(0)).decide(0, 0, keep)).toEqual({
			kind: 'wait',
			ms: 5_015,
			own: false,
		});
		expect(stateWith(reading(22)).decide(1, 0, keep)).toEqual({ kind: 'go' });
		expect(stateWith(reading(21)).decide(1, 0, keep)).toMatchObject({ kind: 'wait' });
	});

	it('leaves that share of a new window as well', () => {
		const keep = caller({ keepPercent: 50 });
		expect(stateWith(reading(0)).decide(49, 6_000, keep)).toEqual({ kind: 'go' });
		const decision = { kind: 'wait-for-answer', own: true };
		expect(stateWith(reading(0)).decide(50, 6_000, keep)).toEqual(decision);
	});

	it('leaves nothing to others of a limit that is not known', () => {
		const state = stateWith({ remaining: 1, resetAtMs: T + 5_000 });
		expect(state.decide(0, 0, caller({ keepPercent: 90 }))).toEqual({ kind: 'go' });
		expect(state.decide(1, 0, caller({ keepPercent: 90 }))).toMatchObject({ own: false });
	});

	it('rounds the share up, and never leaves everything to others', () => {
		const keep = (keepPercent: number) => caller({ keepPercent });
		expect(stateWith(reading(2, 5_000, 10)).decide(0, 0, keep(11))).toMatchObject({ kind: 'wait' });
		expect(stateWith(reading(3, 5_000, 10)).decide(0, 0, keep(11))).toEqual({ kind: 'go' });
		expect(stateWith(reading(10, 5_000, 10)).decide(0, 0, keep(100))).toEqual({ kind: 'go' });
		expect(stateWith(reading(9, 5_000, 10)).decide(0, 0, keep(100))).toMatchObject({
			kind: 'wait',
		});
		expect(stateWith(reading(0)).decide(0, 5_015, keep(100))).toEqual({ kind: 'go' });
	});
});

describe('a key that others use as well', () => {
	/** Of 100 requests a minute, `own` and `others` are used. */
	const sharing = (own: number, others: number, chance = 0) => {
		const state = new RateLimitState();
		state.update(reading(100 - own - others), at(0), chance);
		for (let n = 0; n < own; n++) state.accepted(0);
		return state;
	};
	const goes = (state: RateLimitState, pending: number, ms = 0) =>
		state.decide(pending, ms, caller()).kind === 'go';

	it.each([
		['nine tenths were its own: all that is left', 45, 5, 49],
		['a half was its own: a third of half of what is left', 20, 20, 10],
		['a tenth was its own', 5, 45, 1],
		['it sent next to nothing: one at a time, with a least share', 1, 39, 1],
	])(
		'has as many under way as its share covers three times, where %s',
		(_when, own, others, most) => {
			const state = sharing(own, others);
			expect(goes(state, most)).toBe(true);
			expect(goes(state, most + 1)).toBe(false);
		},
	);

	it('waits for the end of the window, as everybody does who is held', () => {
		expect(sharing(20, 40).decide(30, 0, caller())).toEqual({
			kind: 'wait',
			ms: 5_015,
			own: false,
		});
	});

	it('lets chance decide about the last ones, so that not all processes send them', () => {
		// A share of half a request.
		expect(goes(sharing(10, 85, 0.17), 0)).toBe(true);
		expect(goes(sharing(10, 85, 0.18), 0)).toBe(false);
	});

	it('always lets one go into a new window, and forgets a former share by half with each', () => {
		const state = sharing(10, 90, 0.99);
		expect(goes(state, 0, 5_015)).toBe(true);
		expect(goes(state, 3, 5_015)).toBe(false);
		for (let window = 1; window <= 4; window++) {
			state.update(reading(60, 5_000 + window * 60_000), at(5_015 + (window - 1) * 60_000));
			for (let n = 0; n < 40; n++) state.accepted(window * 60_000);
		}
		expect(goes(state, 40, 185_020)).toBe(true);
	});

	it('is not told by an answer without a limit', () => {
		const state = new RateLimitState();
		state.update({ remaining: 5, resetAtMs: T + 5_000 }, at(0), 0.99);
		expect(goes(state, 4)).toBe(true);
	});
});

describe('the clock', () => {
	it('follows the platform’s clock where the two are far apart', () => {
		const hour = 3_600_000;
		const state = stateWith({ ...reading(0, hour + 5_000), serverTimeMs: T + hour });
		expect(waitOf(state, 0)).toBe(5_015);
	});

	it.each([
		[2_000, 10_015],
		[2_001, 8_014],
		[-2_000, 10_015],
		[-2_001, 12_016],
	])('takes clocks that are %d ms apart as they are', (skewMs, waitMs) => {
		const state = stateWith({ ...reading(0, 10_000), serverTimeMs: T + skewMs });
		expect(waitOf(state, 0)).toBe(waitMs);
	});

	it('learns from every answer of a window although the Date header has whole seconds', () => {
		const state = new RateLimitState();
		const skewMs = 3_000;
		const endsMs = 40_000;
		for (let n = 0; n < 100; n++) {
			const nowMs = 137 * n;
			const serverTimeMs = Math.floor((T + nowMs + skewMs) / 1_000) * 1_000;
			const resetAtMs = T + endsMs + skewMs;
			state.update({ limit: 100, remaining: 99 - n, resetAtMs, serverTimeMs }, at(nowMs));
			expect(state.snapshot(at(nowMs)).remaining).toBe(99 - n);
		}
		const opensMs = 14_000 + (waitOf(state, 14_000) ?? 0);
		expect(opensMs).toBeGreaterThanOrEqual(endsMs);
		expect(opensMs).toBeLessThan(endsMs + 1_100);
	});

	it.each([-3_600_000, 3_600_000])(
		'waits no longer when the machine’s clock is set by %d ms, and still learns',
		(jumpMs) => {
			const state = stateWith({ ...reading(0, 10_000), serverTimeMs: T });
			expect(waitOf(state, 1_000)).toBe(9_015);
			const jumped = { unixMs: T + jumpMs + 2_000, monotonicMs: 2_000 };
			state.update({ ...reading(50, 70_000), serverTimeMs: T + 10_000 }, jumped);
			expect(state.decide(0, 2_000, caller())).toEqual({ kind: 'go' });
			expect(state.snapshot(jumped).remaining).toBe(50);
		},
	);

	it('waits no longer than a window when the clock is an hour behind and no answer has a date', () => {
		const state = new RateLimitState();
		state.update(reading(0, 3_610_000), at(0));
		expect(waitOf(state, 0)).toBeLessThan(62_000);
	});
});

describe('a hold', () => {
	it('waits for a 429’s Retry-After, and fails at once where that is too long to wait for', () => {
		const state = new RateLimitState();
		state.refused(700, 0, 0);
		expect(state.decide(0, 0, caller({ maxWaitMs: 10_000 }))).toEqual({
			kind: 'wait',
			ms: 700,
			own: false,
		});
		expect(state.decide(0, 700, caller())).toEqual({ kind: 'go' });
		state.refused(3_600_000, 700, 700);
		const little = caller({ maxWaitMs: 10_000 });
		expect(state.decide(0, 800, little)).toEqual({ kind: 'blocked', ms: 3_599_900 });
		// The shop may have bought capacity, so one look a minute is allowed.
		expect(state.decide(0, 60_699, little)).toMatchObject({ kind: 'blocked' });
		expect(state.decide(0, 60_700, little)).toEqual({ kind: 'go' });
	});

	it('lets every caller wait as long as its own setting says', () => {
		const state = new RateLimitState();
		state.refused(45_000, 0, 0);
		expect(state.decide(0, 0, caller({ maxWaitMs: 44_999 }))).toMatchObject({ kind: 'blocked' });
		expect(state.decide(0, 0, caller({ maxWaitMs: 45_000 }))).toEqual({
			kind: 'wait',
			ms: 45_000,
			own: false,
		});
	});

	it('never gets shorter by a later refusal', () => {
		const state = new RateLimitState();
		state.refused(45_000, 0, 0);
		state.refused(1_000, 0, 10);
		expect(waitOf(state, 10)).toBe(44_990);
	});

	it('is not needed for a success', () => {
		const state = new RateLimitState();
		state.accepted(0);
		expect(state.decide(0, 0, caller())).toEqual({ kind: 'go' });
	});

	it('holds nobody after one 429 that says nothing', () => {
		const state = new RateLimitState();
		state.refused(undefined, 0, 0);
		expect(state.decide(0, 0, caller())).toEqual({ kind: 'go' });
	});

	it('waits twice as long after each further 429 in a row, up to a bound', () => {
		const state = new RateLimitState();
		const waits: Array<number | undefined> = [];
		for (let nowMs = 0, n = 0; n < 9; n++) {
			state.refused(0, nowMs, nowMs);
			waits.push(waitOf(state, nowMs));
			nowMs += waits.at(-1) ?? 0;
		}
		expect(waits).toEqual([undefined, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
	});

	it('counts refusals of requests that were sent together as one', () => {
		const state = new RateLimitState();
		for (let n = 1; n <= 4; n++) state.refused(0, 0, n);
		expect(state.decide(0, 4, caller())).toEqual({ kind: 'go' });
		state.refused(0, 4, 5);
		expect(waitOf(state, 5)).toBe(500);
	});

	it('starts to count anew after a success that was sent later', () => {
		const state = new RateLimitState();
		state.refused(0, 0, 10);
		state.accepted(9);
		state.refused(0, 10, 20);
		expect(waitOf(state, 20)).toBe(500);
		state.accepted(20);
		state.refused(0, 30, 40);
		expect(state.decide(0, 40, caller())).toEqual({ kind: 'go' });
	});

	it('is lifted by a success that was sent after it was known, and by no other', () => {
		const state = new RateLimitState();
		state.refused(45_000, 0, 10);
		state.accepted(9);
		expect(waitOf(state, 10)).toBe(45_000);
		state.accepted(10);
		expect(state.decide(0, 10, caller())).toEqual({ kind: 'go' });
	});
});

describe('the day’s budget', () => {
	const day = (dayRemaining: number, more: Budget = {}) =>
		stateWith({ dayLimit: 1_000, dayRemaining, ...more });

	it('is known by the share that is left, and only for that day', () => {
		const sixteenHours = 16 * 3_600_000;
		expect(new RateLimitState().dailyBudget(0, 0)).toBeUndefined();
		expect(day(204).dailyBudget(4, 0)).toEqual({ percent: 20, endsInMs: sixteenHours });
		expect(day(204).dailyBudget(0, sixteenHours - 1)?.endsInMs).toBe(1);
		expect(day(204).dailyBudget(0, sixteenHours)).toBeUndefined();
	});

	it('is never less than nothing', () => {
		expect(day(3).dailyBudget(9, 0)?.percent).toBe(0);
	});

	it('ends by the platform’s clock where the two are far apart', () => {
		const serverTimeMs = Date.parse('2027-01-15T23:00:00Z');
		expect(day(1, { serverTimeMs }).dailyBudget(0, 0)?.endsInMs).toBe(3_600_000);
	});

	it.each([{ dayLimit: 0, dayRemaining: 0 }, { dayLimit: 9 }, { dayRemaining: 9 }])(
		'is not known from %j',
		(given) => {
			expect(stateWith(given).dailyBudget(0, 0)).toBeUndefined();
		},
	);
});

it('shows what is known', () => {
	const state = stateWith({ ...reading(7), dayLimit: 200, dayRemaining: 50 });
	expect(state.snapshot(at(1_000))).toEqual({
		limit: 100,
		remaining: 7,
		dayLimit: 200,
		dayRemaining: 50,
		dayPercent: 25,
		dayEndsAtMs: Date.parse('2027-01-16T00:00:00Z'),
	});
	expect(state.snapshot(at(86_400_000))).toMatchObject({
		dayLimit: 200,
		dayPercent: undefined,
		dayEndsAtMs: undefined,
	});
});

it('never lets more requests start in a window than its budget', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 20 }),
			fc.array(fc.constantFrom('start', 'finish', 'tick'), { maxLength: 200 }),
			(budget, steps) => {
				const state = new RateLimitState();
				const windowMs = 5_000;
				let nowMs = 0;
				let inFlight = 0;
				const used = new Map<number, number>();
				const windowOf = (ms: number) => Math.floor(ms / windowMs);
				const answer = () => {
					const window = windowOf(nowMs);
					const left = budget - (used.get(window) ?? 0);
					state.update(reading(left, (window + 1) * windowMs, budget), at(nowMs));
				};
				answer();
				for (const step of steps) {
					if (step === 'tick') nowMs += 311;
					if (step === 'start' && state.decide(inFlight, nowMs, caller()).kind === 'go') {
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
