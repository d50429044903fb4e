import fc from 'fast-check';

import type { Outcome } from '../../../../nodes/shared/api/attempt';
import {
	backoff,
	BACKOFF_CAP_MS,
	decideRetry,
	mayBeApplied,
	RETRY_AFTER_JITTER_MS,
	type RetryPolicy,
} from '../../../../nodes/shared/api/retry';
import { readBudget } from '../../../../nodes/shared/api/answer';

const policy: RetryPolicy = { maxAttempts: 5, maxWaitMs: 120_000, retryWrites: 'automatic' };
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const answer = (status: number, headers: Record<string, string> = {}): Outcome => ({
	response: { status, headers, body: {} },
	budget: readBudget(headers, nowMs),
});
const decide = (outcome: Outcome, random = 0) =>
	decideRetry(outcome, { isWrite: false, attempts: 1, waitedMs: 0 }, policy, nowMs, random);

describe('decideRetry', () => {
	it.each([200, 201, 204, 207, 304])('does not repeat what was done: %d', (status) => {
		expect(decide(answer(status))).toEqual({});
	});

	it.each([400, 401, 403, 404, 409, 410, 412, 422, 501, 505])(
		'gives up at once on %d',
		(status) => {
			expect(decide(answer(status))).toEqual({});
		},
	);

	it.each([408, 429, 500, 502, 503, 504])('tries %d again', (status) => {
		expect(decide(answer(status), 0.5)).toEqual({ afterMs: 250 });
	});

	it('tries again when no answer came, or a broken one', () => {
		expect(
			decide({ budget: {}, problem: 'unreachable', networkCode: 'ECONNRESET' }, 1),
		).toHaveProperty('afterMs');
		expect(
			decide(
				{
					problem: 'broken-json',
					response: { status: 200, headers: {}, body: undefined },
					budget: {},
				},
				1,
			),
		).toHaveProperty('afterMs');
	});

	it('takes a spent day for what it is, whatever Retry-After says', () => {
		const spentDay = { 'x-ratelimit-limit-day': '1000', 'x-ratelimit-remaining-day': '0' };
		for (const headers of [spentDay, { ...spentDay, 'retry-after': '5' }]) {
			expect(decide(answer(429, headers))).toEqual({ toldMs: 12 * 3_600_000 });
		}
		// The last request of a day may well fail in passing; the next then learns that the day is spent.
		expect(decide(answer(503, spentDay))).toHaveProperty('afterMs');
	});

	it('waits as long as Retry-After says, and a little longer', () => {
		const outcome = answer(429, { 'retry-after': '7' });
		expect(decide(outcome)).toEqual({ afterMs: 7_000, toldMs: 7_000 });
		expect(decide(outcome, 1)).toEqual({ afterMs: 7_000 + RETRY_AFTER_JITTER_MS, toldMs: 7_000 });
		const date = answer(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' });
		expect(decide(date)).toEqual({ afterMs: 9_000, toldMs: 9_000 });
	});

	it('gives up at once when Retry-After is beyond the bound, and says for how long', () => {
		expect(decide(answer(429, { 'retry-after': '3600' }))).toEqual({ toldMs: 3_600_000 });
	});

	it('never waits longer than the bound, never tries more often, and always ends', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.oneof(
						fc.constant<Outcome>({ budget: {}, problem: 'timeout' }),
						fc.constantFrom(429, 500, 503).map((status) => answer(status)),
						fc.integer({ min: 0, max: 200 }).map((s) => answer(429, { 'retry-after': String(s) })),
					),
					{ minLength: 10, maxLength: 10 },
				),
				fc.integer({ min: 1, max: 10 }),
				fc.integer({ min: 0, max: 300_000 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(outcomes, maxAttempts, maxWaitMs, random) => {
					let waitedMs = 0;
					let attempts = 0;
					for (const outcome of outcomes) {
						attempts++;
						const decision = decideRetry(
							outcome,
							{ isWrite: false, attempts, waitedMs },
							{ ...policy, maxAttempts, maxWaitMs },
							nowMs,
							random,
						);
						if (decision.afterMs === undefined) break;
						waitedMs += decision.afterMs;
					}
					expect(attempts).toBeLessThanOrEqual(maxAttempts);
					expect(waitedMs).toBeLessThanOrEqual(maxWaitMs + RETRY_AFTER_JITTER_MS);
				},
			),
		);
	});

	const refused: Outcome = { budget: {}, problem: 'unreachable', networkCode: 'ECONNREFUSED' };
	const reset: Outcome = { budget: {}, problem: 'unreachable', networkCode: 'ECONNRESET' };
	const unusable = (
		problem: 'redirect' | 'too-large' | 'not-json' | 'error-body' | 'broken-json',
	): Outcome => ({ problem, response: { status: 200, headers: {}, body: undefined }, budget: {} });

	it.each(['redirect', 'too-large', 'not-json', 'error-body'] as const)(
		'gives up at once on an answer of the kind %s, although its status says success',
		(problem) => {
			expect(decide(unusable(problem))).toEqual({});
		},
	);

	it('is done below 400 only', () => {
		expect(decide(answer(399))).toEqual({});
		expect(decide(answer(400))).toEqual({});
	});

	it('makes one attempt where no time may be waited', () => {
		const none = { ...policy, maxWaitMs: 0 };
		const tried = { isWrite: false, attempts: 1, waitedMs: 0 };
		for (const outcome of [answer(503), reset, answer(429, { 'retry-after': '0' })]) {
			expect(decideRetry(outcome, tried, none, nowMs, 0)).not.toHaveProperty('afterMs');
		}
		expect(decideRetry(answer(503), tried, { ...policy, maxWaitMs: 1 }, nowMs, 0)).toEqual({
			afterMs: 0,
		});
	});

	it('makes as many attempts as allowed, and no more', () => {
		const tried = (attempts: number) => ({ isWrite: false, attempts, waitedMs: 0 });
		expect(decideRetry(answer(503), tried(4), policy, nowMs, 0)).toHaveProperty('afterMs');
		expect(decideRetry(answer(503), tried(5), policy, nowMs, 0)).toEqual({ toldMs: undefined });
	});

	it('waits up to the bound, counting what was waited before', () => {
		const told = answer(429, { 'retry-after': '20' });
		const tried = (waitedMs: number) => ({ isWrite: false, attempts: 1, waitedMs });
		expect(decideRetry(told, tried(100_000), policy, nowMs, 1)).toEqual({
			afterMs: 20_250,
			toldMs: 20_000,
		});
		expect(decideRetry(told, tried(100_001), policy, nowMs, 0)).toEqual({ toldMs: 20_000 });
		expect(decideRetry(answer(503), tried(119_750), policy, nowMs, 1)).toMatchObject({
			afterMs: 500,
		});
		expect(decideRetry(answer(503), tried(119_751), policy, nowMs, 1)).not.toHaveProperty(
			'afterMs',
		);
	});

	describe('with a write', () => {
		const decideWrite = (outcome: Outcome, retryWrites: RetryPolicy['retryWrites']) => {
			const tried = { isWrite: true, attempts: 1, waitedMs: 0 };
			return decideRetry(outcome, tried, { ...policy, retryWrites }, nowMs, 0);
		};

		it.each([answer(503), answer(429), reset, refused])('tries again by itself: %j', (outcome) => {
			expect(decideWrite(outcome, 'automatic')).toHaveProperty('afterMs');
		});

		it.each([
			'ENOTFOUND',
			'EAI_AGAIN',
			'ECONNREFUSED',
			'EHOSTUNREACH',
			'ENETUNREACH',
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_TLS_CERT_ALTNAME_INVALID',
		])('takes a write for surely not applied after %s', (networkCode) => {
			const outcome: Outcome = { budget: {}, problem: 'unreachable', networkCode };
			expect(mayBeApplied(outcome)).toBe(false);
			expect(decideWrite(outcome, 'whenSurelyNotApplied')).toHaveProperty('afterMs');
		});

		it('takes a write for surely not applied after a 429', () => {
			expect(decideWrite(answer(429), 'whenSurelyNotApplied')).toHaveProperty('afterMs');
		});

		it('takes a write for surely not applied where the endpoint is not implemented', () => {
			expect(mayBeApplied(answer(501))).toBe(false);
		});

		it.each<Outcome>([
			answer(408),
			answer(500),
			answer(503),
			reset,
			{ budget: {}, problem: 'timeout', networkCode: 'ETIMEDOUT' },
			{ budget: {}, problem: 'unreachable' },
		])('gives up where it may be applied and the user wants certainty: %j', (outcome) => {
			expect(mayBeApplied(outcome)).toBe(true);
			expect(decideWrite(outcome, 'whenSurelyNotApplied')).toEqual({ toldMs: undefined });
		});

		it('never tries again where the user says so, and still tells when it could', () => {
			expect(decideWrite(refused, 'never')).not.toHaveProperty('afterMs');
			expect(decideWrite(answer(429, { 'retry-after': '7' }), 'never')).toEqual({ toldMs: 7_000 });
		});

		it('lets reads be repeated all the same', () => {
			const never: RetryPolicy = { ...policy, retryWrites: 'never' };
			const tried = { isWrite: false, attempts: 1, waitedMs: 0 };
			expect(decideRetry(answer(503), tried, never, nowMs, 0)).toHaveProperty('afterMs');
		});
	});

	it.each([
		['redirect', false],
		['error-body', false],
		['too-large', true],
		['not-json', true],
		['broken-json', true],
	] as const)(
		'after an answer of the kind %s says whether a write may be applied: %s',
		(problem, may) => {
			expect(mayBeApplied(unusable(problem))).toBe(may);
		},
	);

	it.each([
		[400, false],
		[407, false],
		[408, true],
		[409, false],
		[429, false],
		[499, false],
		[500, true],
		[599, true],
	])('after %d says whether a write may be applied: %s', (status, may) => {
		expect(mayBeApplied(answer(status))).toBe(may);
	});

	it('reckons the end of a spent day by the platform’s clock, where it tells it', () => {
		const spent = { 'x-ratelimit-remaining-day': '0', date: 'Sun, 01 Mar 2026 23:00:00 GMT' };
		expect(decide(answer(429, spent))).toMatchObject({ toldMs: 3_600_000 });
		expect(decide(answer(429, { ...spent, 'retry-after': '7200' }))).toMatchObject({
			toldMs: 7_200_000,
		});
	});
});

describe('backoff', () => {
	it('grows exponentially with full jitter up to the cap', () => {
		expect([1, 2, 3, 4].map((attempt) => backoff(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
		expect([5, 6, 7].map((attempt) => backoff(attempt, 1))).toEqual([8_000, 16_000, 20_000]);
		expect(backoff(40, 1)).toBe(BACKOFF_CAP_MS);
		expect(backoff(5, 0)).toBe(0);
		expect(backoff(1, 0.5)).toBe(250);
		expect(backoff(1, 0.001)).toBe(1);
	});
});
