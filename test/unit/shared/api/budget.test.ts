import { readBudget } from '../../../../nodes/shared/api/rateLimit';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const readRetryAfter = (value: string) =>
	readBudget(200, { 'retry-after': value }, nowMs).retryAfterMs;

describe('budget headers', () => {
	it('are told apart', () => {
		const headers = {
			'x-ratelimit-limit': '1',
			'x-ratelimit-remaining': '2',
			'x-ratelimit-reset': '3',
			'x-ratelimit-limit-day': '4',
			'x-ratelimit-remaining-day': '5',
			'retry-after': '6',
			date: 'Thu, 01 Jan 1970 00:00:07 GMT',
		};
		expect(readBudget(200, headers, nowMs)).toEqual({
			limit: 1,
			remaining: 2,
			resetAtMs: 3_000,
			dayLimit: 4,
			dayRemaining: 5,
			retryAfterMs: 6_000,
			serverTimeMs: 7_000,
			verdict: 'accepted',
		});
	});

	it.each([
		[200, 'accepted'],
		[404, 'accepted'],
		[429, 'refused'],
		[500, undefined],
	])('come with the verdict of a %d: %s', (status, verdict) => {
		expect(readBudget(status, {}, nowMs)).toEqual({ verdict });
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
	])('are read as numbers alone: %j is %p requests', (text, count) => {
		const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
		const dayNames = ['x-ratelimit-limit-day', 'x-ratelimit-remaining-day'];
		const headers = Object.fromEntries([...names, ...dayNames].map((name) => [name, text]));
		expect(readBudget(500, headers, nowMs)).toEqual({
			limit: count,
			remaining: count,
			resetAtMs: count === undefined ? undefined : count * 1000,
			dayLimit: count,
			dayRemaining: count,
		});
	});
});

describe('Retry-After', () => {
	it.each([
		['0', 0],
		['1.5', 1_500],
		[' 7 ', 7_000],
		['0.0001', 1],
		['Sun, 01 Mar 2026 11:00:00 GMT', 0],
		['Sun, 01 Mar 2026 12:00:00 GMT', 0],
		['Sun, 01 Mar 2026 12:00:01 GMT', 1_000],
		['Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
		['2026-03-01T12:00:05Z', undefined],
		['March 2', undefined],
		['12:05', undefined],
		['Sun, 01 Mar 2026 1:05 GMT', undefined],
		['Sun, 01 Mar 2026 12:5 GMT', undefined],
		['soon', undefined],
		['-3', undefined],
		['', undefined],
		['7 seconds', undefined],
		['in 7', undefined],
		['31622400', 31_622_400_000],
		['31622401', 31_622_400_000],
		[`${'9'.repeat(64)}`, 31_622_400_000],
		[`${'9'.repeat(65)}`, undefined],
		['Sun, 01 Mar 2099 12:00:01 GMT', 31_622_400_000],
	])('of %j is %j ms, no more than a year', (value, ms) => {
		expect(readRetryAfter(value)).toBe(ms);
	});

	it('with a date counts by the platform’s own clock, where it tells it', () => {
		const headers = { 'retry-after': 'Sun, 01 Mar 2026 13:00:09 GMT' };
		expect(readBudget(429, headers, nowMs).retryAfterMs).toBe(3_609_000);
		const date = 'Sun, 01 Mar 2026 13:00:00 GMT';
		expect(readBudget(429, { ...headers, date }, nowMs).retryAfterMs).toBe(9_000);
	});

	it('is the end of the day where a 429 tells that the day is spent', () => {
		const spent = { 'x-ratelimit-remaining-day': '0', date: 'Sun, 01 Mar 2026 23:00:00 GMT' };
		expect(readBudget(429, spent, nowMs).retryAfterMs).toBe(3_600_000);
		const longer = { ...spent, 'retry-after': '7200' };
		expect(readBudget(429, longer, nowMs).retryAfterMs).toBe(7_200_000);
		expect(readBudget(200, spent, nowMs).retryAfterMs).toBeUndefined();
		const midnight = { ...spent, date: 'Mon, 02 Mar 2026 00:00:00 GMT' };
		expect(readBudget(429, midnight, nowMs).retryAfterMs).toBe(86_400_000);
	});
});
