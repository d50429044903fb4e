import { type Budget, RateLimitState } from '../../../../nodes/shared/rest/limiter';

/** Unix ms at monotonic 0. */
const T = Date.parse('2027-01-15T08:00:00Z');
/** A time at which both clocks are right. */
const at = (ms: number) => ({ unixMs: T + ms, monotonicMs: ms });

const reading = (remaining: number, resetInMs = 5_000, limit = 100): Budget => ({
	limit,
	remaining,
	resetAtMs: T + resetInMs,
});

/** The state of a process that uses the key alone: all counted requests were its own. */
const stateWith = (given: Budget, ms = 0) => {
	const state = new RateLimitState();
	state.takeIn(given, at(ms));
	for (let n = 0; n < 100; n++) state.accepted(ms);
	return state;
};

/** The decision in words: “go”, “wait 5015”, “wait 5015 own”, “wait-for-answer”, “blocked 900”. */
const told = (
	state: RateLimitState,
	nowMs = 0,
	pending = 0,
	more: Partial<Parameters<RateLimitState['decide']>[2]> = {},
) => {
	const caller = { maxWaitMs: 120_000, keepPercent: 0, ...more };
	const decision = state.decide(pending, nowMs, caller);
	const { ms, isOwnSetting } = decision as { ms?: number; isOwnSetting?: boolean };
	return [decision.kind, ...(ms === undefined ? [] : [ms]), ...(isOwnSetting ? ['own'] : [])].join(
		' ',
	);
};

describe('the minute’s window', () => {
	const END = T + 5_000;
	it.each<[string, Budget, number, number, number, string]>([
		['the remainder is not known', { limit: 100, resetAtMs: END }, 0, 200, 0, 'go'],
		['the end is not known', { limit: 100, remaining: 0 }, 0, 200, 0, 'go'],
		['two are left and are under way', reading(2), 0, 2, 0, 'wait 5015'],
		['the end is a little ahead', reading(0), 5_014, 0, 0, 'wait 1'],
		['a new window has one left', reading(0), 5_015, 99, 0, 'go'],
		['a new window is under way whole', reading(0), 5_015, 100, 0, 'wait-for-answer'],
		['the limit is zero', reading(0, 5_000, 0), 6_000, 0, 0, 'go'],
		['the limit is zero, one under way', reading(0, 5_000, 0), 6_000, 1, 0, 'wait-for-answer'],
		['the end is an hour ahead', reading(0, 3_600_000), 0, 0, 0, 'wait 61015'],
		['more than its share is left', reading(21), 0, 0, 20, 'go'],
		['others’ share is left', reading(20), 0, 0, 20, 'wait 5015 own'],
		['others’ share and what is under way', reading(21), 0, 1, 20, 'wait 5015 own'],
		['a new window, half of it for others', reading(0), 6_000, 49, 50, 'go'],
		['half a new window under way', reading(0), 6_000, 50, 50, 'wait-for-answer own'],
		['none left of no known limit', { remaining: 1, resetAtMs: END }, 0, 1, 90, 'wait 5015'],
		['others’ share, rounded up', reading(2, 5_000, 10), 0, 0, 11, 'wait 5015 own'],
		['all for others, never quite', reading(10, 5_000, 10), 0, 0, 100, 'go'],
	])('decides where %s: %j at %d ms, %d under way, %d %% kept: %s', (_what, given, ...rest) => {
		const [nowMs, pending, keepPercent, expected] = rest;
		expect(told(stateWith(given), nowMs, pending, { keepPercent })).toBe(expected);
	});

	it.each<[string, Budget, Budget, number, number, string]>([
		['forgets it with the window', reading(1), reading(99, 65_000), 5_001, 99, 'wait 60014'],
		['takes a new window', reading(9), reading(0, 66_000), 65_000, 0, 'wait 1015'],
		['ignores a late answer', reading(9, 60_000), reading(3, 1_500), 0, 9, 'wait 60015'],
		['takes an earlier end ahead', reading(9, 60_000), reading(3, 1_501), 0, 3, 'wait 1516'],
		['ignores one before', reading(99, 60_000), reading(0, 5_000), 5_002, 99, 'wait 55013'],
		['takes a near end as its own', reading(3, 30_000), reading(8, 31_500), 0, 3, 'wait 30015'],
		['keeps the earlier end', reading(0, 30_000), reading(0, 31_000), 0, 0, 'wait 30015'],
		['corrects a wrong end', reading(0, 61_000), reading(7, 20_000), 10, 7, 'wait 20005'],
	])('%s: %j, then %j at %d ms: %d left, %s', (_what, given, then, ms, remaining, expected) => {
		const state = stateWith(given);
		state.takeIn(then, at(ms));
		expect(state.snapshot(ms).remaining).toBe(remaining);
		expect(told(state, ms, remaining)).toBe(expected);
	});

	it('keeps values that an answer does not have', () => {
		const state = stateWith(reading(5, 30_000));
		state.takeIn({ remaining: 0 }, at(1));
		state.takeIn({ resetAtMs: T + 60_000 }, at(2));
		state.takeIn({}, at(3));
		expect(state.snapshot(3)).toMatchObject({ limit: 100, remaining: 5 });
		state.takeIn({ remaining: 0, resetAtMs: T + 30_000 }, at(4));
		expect(told(state, 4)).toBe('wait 30011');
	});
});

describe('a key that others use as well', () => {
	/** A limit of 100 requests a minute, of which `own` and `others` are used. */
	const sharing = (own: number, others: number, chance = 0) => {
		const state = new RateLimitState();
		state.takeIn(reading(100 - own - others), at(0), 0, chance);
		for (let n = 0; n < own; n++) state.accepted(0);
		return state;
	};

	it.each([
		['nine tenths were its own: all that is left', 45, 5, 49],
		['a half was its own: a third of half of what is left', 20, 20, 10],
		['a tenth was its own', 5, 45, 1],
		['it sent next to nothing: one at a time, with a least share', 1, 39, 1],
	])('has as many under way as a third of its share, if %s', (_when, own, others, most) => {
		expect(told(sharing(own, others), 0, most)).toBe('go');
		// As for every caller that is held back.
		expect(told(sharing(own, others), 0, most + 1)).toBe('wait 5015');
	});

	it('is its own if nine tenths of the requests are, with those under way', () => {
		expect(told(sharing(25, 25), 0, 20)).toBe('go');
		expect(told(sharing(25, 25), 0, 19)).toBe('wait 5015');
	});

	it('has a twentieth of what is left as its least share, as long as it sent fewer than three', () => {
		// A twentieth of 20 is one request. Of 77 and 78 requests of others, its own share is less.
		expect(told(sharing(2, 78, 0.3))).toBe('go');
		expect(told(sharing(3, 77, 0.3))).toBe('wait 5015');
	});

	it('counts the requests of a window that is over half, but those under way whole', () => {
		const END_MS = 5_015;
		expect(told(sharing(10, 30), END_MS, 12)).toBe('wait-for-answer');
		expect(told(sharing(10, 30), END_MS, 13)).toBe('go');
		expect(told(sharing(2, 98, 0.5), END_MS, 1)).toBe('go');
		expect(told(sharing(4, 96, 0.5), END_MS, 1)).toBe('wait-for-answer');
	});

	it('lets chance decide about the last requests, so that not all processes send them', () => {
		// A share of half a request.
		expect(told(sharing(10, 85, 0.17))).toBe('go');
		expect(told(sharing(10, 85, 0.18))).toBe('wait 5015');
	});

	it('always sends one request into a new window, and forgets half of a former share with each', () => {
		const state = sharing(10, 90, 0.99);
		expect(told(state, 5_015)).toBe('go');
		expect(told(state, 5_015, 3)).toBe('wait-for-answer');
		for (let window = 1; window <= 4; window++) {
			state.takeIn(reading(60, 5_000 + window * 60_000), at(5_015 + (window - 1) * 60_000));
			for (let n = 0; n < 40; n++) state.accepted(window * 60_000);
		}
		expect(told(state, 185_020, 40)).toBe('go');
	});

	it('is not recognised by an answer without a limit', () => {
		const state = new RateLimitState();
		state.takeIn({ remaining: 5, resetAtMs: T + 5_000 }, at(0), 0, 0.99);
		expect(told(state, 0, 4)).toBe('go');
	});
});

describe('the clock', () => {
	const HOUR = 3_600_000;

	it.each([
		['is taken as it is', 2_000, 10_000, 'wait 10015'],
		['is the platform’s', 2_001, 10_000, 'wait 8014'],
		['is the platform’s', -2_001, 10_000, 'wait 12016'],
	])('%s: %p ms apart', (_which, skewMs, resetInMs, expected) => {
		const serverTimeMs = T + skewMs;
		expect(told(stateWith({ ...reading(0, resetInMs), serverTimeMs }))).toBe(expected);
	});

	it('learns from every answer of a window although the Date header has whole seconds', () => {
		const state = new RateLimitState();
		const skewMs = 3_000;
		const endsMs = 40_000;
		for (let n = 0; n < 100; n++) {
			const nowMs = 137 * n;
			const serverTimeMs = Math.floor((T + nowMs + skewMs) / 1_000) * 1_000;
			const resetAtMs = T + endsMs + skewMs;
			state.takeIn({ limit: 100, remaining: 99 - n, resetAtMs, serverTimeMs }, at(nowMs));
			expect(state.snapshot(nowMs).remaining).toBe(99 - n);
		}
		const opensMs = 14_000 + Number(told(state, 14_000).replace('wait ', ''));
		expect(opensMs).toBeGreaterThanOrEqual(endsMs);
		expect(opensMs).toBeLessThan(endsMs + 1_100);
	});

	it.each([-HOUR, HOUR])('set by %d ms makes no wait longer, and still learns', (jumpMs) => {
		const state = stateWith({ ...reading(0, 10_000), serverTimeMs: T });
		expect(told(state, 1_000)).toBe('wait 9015');
		const jumped = { unixMs: T + jumpMs + 2_000, monotonicMs: 2_000 };
		state.takeIn({ ...reading(50, 70_000), serverTimeMs: T + 10_000 }, jumped);
		expect(told(state, 2_000)).toBe('go');
		expect(state.snapshot(2_000).remaining).toBe(50);
	});
});

describe('a hold', () => {
	/** The state after refusals (wait, sent, answered) and successes (sent), all in ms. */
	const after = (...answers: Array<[number | undefined, number, number] | [number]>) => {
		const state = new RateLimitState();
		for (const one of answers)
			if (one.length === 1) state.accepted(one[0]);
			else state.refused(...one);
		return state;
	};
	const HOUR = 3_600_000;

	it('begins with the answer that refuses a request, and ends with one that accepts a later one', () => {
		const state = new RateLimitState();
		state.takeIn({ verdict: 'refused', retryAfterMs: 700 }, at(10), 0);
		expect(told(state, 10)).toBe('wait 700');
		state.takeIn({}, at(20), 10);
		expect(told(state, 20)).toBe('wait 690');
		state.takeIn({ verdict: 'accepted' }, at(20), 10);
		expect(told(state, 20)).toBe('go');
	});

	it.each<[string, RateLimitState, number, number, string]>([
		['waits for Retry-After', after([700, 0, 0]), 0, 10_000, 'wait 700'],
		['is as long as the caller waits', after([45_000, 0, 0]), 0, 45_000, 'wait 45000'],
		['is longer than the caller waits', after([45_000, 0, 0]), 0, 44_999, 'blocked 45000'],
		['is blocked for a minute', after([HOUR, 0, 700]), 60_699, 10_000, 'blocked 3540001'],
		// The shop may have bought capacity.
		['allows one look a minute', after([HOUR, 0, 700]), 60_700, 10_000, 'go'],
		['gets no shorter by a refusal', after([45_000, 0, 0], [1_000, 0, 10]), 10, HOUR, 'wait 44990'],
		['is none after a 429 that says nothing', after([undefined, 0, 0]), 0, HOUR, 'go'],
		['counts what was sent together as one', after([0, 0, 1], [0, 0, 2], [0, 0, 3]), 4, HOUR, 'go'],
		['counts the next as a second', after([0, 0, 1], [0, 0, 2], [0, 4, 5]), 5, HOUR, 'wait 500'],
		['counts on after one before', after([0, 0, 10], [9], [0, 10, 20]), 20, HOUR, 'wait 500'],
		['counts anew after a later one', after([0, 0, 10], [10], [0, 30, 40]), 40, HOUR, 'go'],
		['stays after an earlier success', after([45_000, 0, 10], [9]), 10, HOUR, 'wait 45000'],
		['is lifted by a later one', after([45_000, 0, 10], [10]), 10, HOUR, 'go'],
	])('%s', (_what, state, nowMs, maxWaitMs, expected) => {
		expect(told(state, nowMs, 0, { maxWaitMs })).toBe(expected);
	});

	it('is twice as long after each further 429 in a row, up to a bound', () => {
		const state = new RateLimitState();
		const waits: string[] = [];
		for (let nowMs = 0, n = 0; n < 9; n++) {
			state.refused(0, nowMs, nowMs);
			waits.push(told(state, nowMs).replace('wait ', ''));
			nowMs += Number(waits.at(-1)) || 0;
		}
		expect(waits.join()).toBe('go,500,1000,2000,4000,8000,16000,20000,20000');
	});
});

describe('the day’s budget', () => {
	const LEFT_MS = 16 * 3_600_000;
	const day = (dayRemaining?: number, dayLimit?: number) => ({ dayLimit, dayRemaining });
	const late = { ...day(0, 9), serverTimeMs: Date.parse('2027-01-15T23:00:00Z') };
	const later = { ...late, serverTimeMs: Date.parse('2027-01-15T23:30:00Z') };

	it.each<[string, Budget, number, number, object | undefined]>([
		['what is left of it', day(204, 1_000), 4, 0, { percent: 20, endsInMs: LEFT_MS }],
		['its last moment', late, 0, 3_599_999, { percent: 0, endsInMs: 1 }],
		['nothing after its end', late, 0, 3_600_000, undefined],
		['nothing after its end, even if told within the hour', later, 0, 1_800_000, undefined],
		[
			'what was told within the hour',
			day(200, 1_000),
			0,
			3_599_999,
			{ percent: 20, endsInMs: LEFT_MS - 3_599_999 },
		],
		['nothing that was told an hour ago', day(200, 1_000), 0, 3_600_000, undefined],
		['nothing after the clock was set back', day(200, 1_000), 0, -3_600_000, undefined],
		['never less than nothing', day(3, 1_000), 9, 0, { percent: 0, endsInMs: LEFT_MS }],
		['its end by the platform’s clock', late, 0, 0, { percent: 0, endsInMs: 3_600_000 }],
		['nothing of a day without requests', day(0, 0), 0, 0, undefined],
		['nothing without a remainder', day(undefined, 9), 0, 0, undefined],
		['nothing without a limit', day(9), 0, 0, undefined],
	])('tells %s: %j', (_what, given, pending, nowMs, expected) => {
		expect(stateWith(given).dailyBudget(pending, T + nowMs)).toEqual(expected);
	});
});

it('shows what is known', () => {
	const known = { dayLimit: 200, dayRemaining: 50 };
	const state = stateWith({ ...reading(7), ...known });
	expect(state.snapshot(T + 1_000)).toEqual({ limit: 100, remaining: 7, ...known, dayPercent: 25 });
	expect(state.snapshot(T + 86_400_000)).toMatchObject({ dayLimit: 200, dayPercent: undefined });
});

it.each([
	['far apart', -3_600_000, -3_600_000],
	['a little apart', 1_500, 0],
])('knows how far the platform’s clock is ahead: %s', (_what, skewMs, expected) => {
	const state = stateWith({ serverTimeMs: T + skewMs });
	state.takeIn({}, at(9));
	expect(state.skewMs).toBe(expected);
});
