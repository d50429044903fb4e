import { nextUtcDay, readBudget, readRetryAfter } from '../../../../nodes/shared/api/answer';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

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

	it.each([
		['0', 0],
		['17.5', 17.5],
		['17.55', 17.55],
		['17.', undefined],
		[' 17 ', 17],
		['-1', undefined],
		['1e3', undefined],
		['0x10', undefined],
		['17 left', undefined],
		['about 17', undefined],
		['', undefined],
		['Infinity', undefined],
	])('reads %j as %p requests', (text, count) => {
		const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
		const dayNames = ['x-ratelimit-limit-day', 'x-ratelimit-remaining-day'];
		const headers = Object.fromEntries([...names, ...dayNames].map((name) => [name, text]));
		expect(readBudget(headers, nowMs)).toEqual({
			limit: count,
			remaining: count,
			resetAtMs: count === undefined ? undefined : count * 1000,
			dayLimit: count,
			dayRemaining: count,
			serverTimeMs: undefined,
			retryAfterMs: undefined,
		});
	});

	it('tells the headers apart', () => {
		const headers = {
			'x-ratelimit-limit': '1',
			'x-ratelimit-remaining': '2',
			'x-ratelimit-reset': '3',
			'x-ratelimit-limit-day': '4',
			'x-ratelimit-remaining-day': '5',
			'retry-after': '6',
			date: 'Thu, 01 Jan 1970 00:00:07 GMT',
		};
		expect(readBudget(headers, nowMs)).toEqual({
			limit: 1,
			remaining: 2,
			resetAtMs: 3_000,
			dayLimit: 4,
			dayRemaining: 5,
			retryAfterMs: 6_000,
			serverTimeMs: 7_000,
		});
	});

	it.each([
		[' 7 ', 7_000],
		['0.0001', 1],
		['Sun, 01 Mar 2026 12:00:00 GMT', 0],
		['Sun, 01 Mar 2026 12:00:01 GMT', 1_000],
		['Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
		['2026-03-01T12:00:05Z', undefined],
		['March 2', undefined],
		['12:05', undefined],
		['Sun, 01 Mar 2026 1:05 GMT', undefined],
		['Sun, 01 Mar 2026 12:5 GMT', undefined],
		['7 seconds', undefined],
		['in 7', undefined],
		['31622400', 31_622_400_000],
		['31622401', 31_622_400_000],
		[`${'9'.repeat(64)}`, 31_622_400_000],
		[`${'9'.repeat(65)}`, undefined],
		['Sun, 01 Mar 2099 12:00:01 GMT', 31_622_400_000],
	])('reads Retry-After %j as %j ms, but no more than a year', (value, ms) => {
		expect(readRetryAfter(value, nowMs)).toBe(ms);
	});

	it('reckons a Retry-After with a date by the platform’s own clock, where it tells it', () => {
		const headers = { 'retry-after': 'Sun, 01 Mar 2026 13:00:09 GMT' };
		expect(readBudget(headers, nowMs).retryAfterMs).toBe(3_609_000);
		const date = 'Sun, 01 Mar 2026 13:00:00 GMT';
		expect(readBudget({ ...headers, date }, nowMs).retryAfterMs).toBe(9_000);
	});

	it('spends no time on a Retry-After of 15,000 letters', () => {
		const startedMs = performance.now();
		expect(readRetryAfter('abc'.repeat(5_000), nowMs)).toBeUndefined();
		expect(readRetryAfter(`${'1'.repeat(15_000)}x`, nowMs)).toBeUndefined();
		expect(performance.now() - startedMs).toBeLessThan(100);
	});

	it('knows when the UTC day ends', () => {
		expect(nextUtcDay(nowMs)).toBe(Date.parse('2026-03-02T00:00:00Z'));
		expect(nextUtcDay(Date.parse('2026-03-02T00:00:00Z'))).toBe(Date.parse('2026-03-03T00:00:00Z'));
	});
});
