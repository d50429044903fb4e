import fc from 'fast-check';

import type { Outcome } from '../../../../nodes/shared/api/attempt';
import { backoff, BACKOFF_CAP_MS } from '../../../../nodes/shared/api/backoff';
import { nextUtcDay, readBudget, readRetryAfter } from '../../../../nodes/shared/api/budget';
import {
	decideRetry,
	RETRY_AFTER_JITTER_MS,
	type RetryPolicy,
} from '../../../../nodes/shared/api/retry';

const policy: RetryPolicy = { maxAttempts: 5, maxWaitMs: 120_000, retryWrites: 'automatic' };
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const answer = (status: number, headers: Record<string, string> = {}): Outcome => ({
	kind: 'answered',
	response: { status, headers, body: {} },
	budget: readBudget(headers, nowMs),
});
const decide = (outcome: Outcome, random = 0) =>
	decideRetry(outcome, { isWrite: false, attempts: 1, waitedMs: 0 }, policy, nowMs, random);

describe('decideRetry', () => {
	it.each([200, 201, 204, 207, 304])('is done with %d', (status) => {
		expect(decide(answer(status))).toEqual({ kind: 'done' });
	});

	it.each([400, 401, 403, 404, 409, 410, 412, 422, 501, 505])(
		'gives up at once on %d',
		(status) => {
			expect(decide(answer(status))).toEqual({
				kind: 'give-up',
				reason: 'final',
			});
		},
	);

	it.each([408, 429, 500, 502, 503, 504])('tries %d again', (status) => {
		expect(decide(answer(status), 0.5)).toEqual({
			kind: 'retry',
			afterMs: 250,
		});
	});

	it('tries again when no answer came, or a broken one', () => {
		expect(
			decide({ kind: 'unanswered', problem: 'unreachable', networkCode: 'ECONNRESET' }, 1),
		).toMatchObject({
			kind: 'retry',
		});
		expect(
			decide(
				{
					kind: 'unusable',
					problem: 'broken-json',
					response: { status: 200, headers: {}, body: undefined },
					budget: {},
				},
				1,
			),
		).toMatchObject({
			kind: 'retry',
		});
	});

	it('takes a spent day for what it is, whatever Retry-After says', () => {
		const spentDay = { 'x-ratelimit-limit-day': '1000', 'x-ratelimit-remaining-day': '0' };
		for (const headers of [spentDay, { ...spentDay, 'retry-after': '5' }]) {
			expect(decide(answer(429, headers))).toMatchObject({
				kind: 'give-up',
				retryAfterMs: 12 * 3_600_000,
			});
		}
		// The last request of a day may well fail in passing; the next then learns that the day is spent.
		expect(decide(answer(503, spentDay))).toMatchObject({ kind: 'retry' });
	});

	it('waits as long as Retry-After says, and a little longer', () => {
		const outcome = answer(429, { 'retry-after': '7' });
		expect(decide(outcome)).toEqual({ kind: 'retry', afterMs: 7_000 });
		expect(decide(outcome, 1)).toEqual({
			kind: 'retry',
			afterMs: 7_000 + RETRY_AFTER_JITTER_MS,
		});
		const date = answer(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' });
		expect(decide(date)).toEqual({ kind: 'retry', afterMs: 9_000 });
	});

	it('gives up at once when Retry-After is beyond the bound, and says for how long', () => {
		expect(decide(answer(429, { 'retry-after': '3600' }))).toEqual({
			kind: 'give-up',
			reason: 'wait-too-long',
			retryAfterMs: 3_600_000,
		});
	});

	it('never waits longer than the bound, never tries more often, and always ends', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.oneof(
						fc.constant<Outcome>({ kind: 'unanswered', problem: 'timeout' }),
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
						if (decision.kind !== 'retry') break;
						waitedMs += decision.afterMs;
					}
					expect(attempts).toBeLessThanOrEqual(maxAttempts);
					expect(waitedMs).toBeLessThanOrEqual(maxWaitMs + RETRY_AFTER_JITTER_MS);
				},
			),
		);
	});
});

it('backs off exponentially with full jitter up to the cap', () => {
	expect([1, 2, 3, 4].map((attempt) => backoff(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
	expect(backoff(40, 1)).toBe(BACKOFF_CAP_MS);
	expect(backoff(5, 0)).toBe(0);
});

describe('budget headers', () => {
	it('reads what is there and leaves out what is not a number', () => {
		expect(
			readBudget(
				{
					'x-ratelimit-limit': '100',
					'x-ratelimit-remaining': '0',
					'x-ratelimit-reset': '1800000060',
					'x-ratelimit-limit-day': 'many',
					date: 'Sun, 01 Mar 2026 12:00:09 GMT',
				},
				nowMs,
			),
		).toEqual({
			limit: 100,
			remaining: 0,
			resetAtMs: 1_800_000_060_000,
			dayLimit: undefined,
			dayRemaining: undefined,
			serverTimeMs: Date.parse('2026-03-01T12:00:09Z'),
			retryAfterMs: undefined,
		});
	});

	it.each([
		['0', 0],
		['1.5', 1_500],
		['Sun, 01 Mar 2026 11:00:00 GMT', 0],
		['soon', undefined],
		['-3', undefined],
		['', undefined],
		[undefined, undefined],
	])('reads Retry-After %j as %j ms', (value, ms) => {
		expect(readRetryAfter(value, nowMs)).toBe(ms);
	});

	it('knows when the UTC day ends', () => {
		expect(nextUtcDay(nowMs)).toBe(Date.parse('2026-03-02T00:00:00Z'));
		expect(nextUtcDay(Date.parse('2026-03-02T00:00:00Z'))).toBe(Date.parse('2026-03-03T00:00:00Z'));
	});
});
