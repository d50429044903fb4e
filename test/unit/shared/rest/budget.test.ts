import { readBudget } from '../../../../nodes/shared/rest/limiter';

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

	it.each<[string, number | undefined]>([
		['0', 0],
		['17.5', 17.5],
		['17.55', 17.55],
		[' 17 ', 17],
		...'17.|-1|1e3|0x10|17 left|about 17||Infinity'
			.split('|')
			.map((text): [string, undefined] => [text, undefined]),
	])('are read as numbers alone: %j is %p requests', (text, count) => {
		const names = ['limit', 'remaining', 'reset', 'limit-day', 'remaining-day'];
		const headers = Object.fromEntries(names.map((name) => [`x-ratelimit-${name}`, text]));
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
	const YEAR_MS = 31_622_400_000;
	const NO_TIMES = '2026-03-01T12:00:05Z|March 2|12:05|soon|-3||7 seconds|in 7';

	it.each<[number | undefined, string[]]>([
		[0, ['0', 'Sun, 01 Mar 2026 11:00:00 GMT', 'Sun, 01 Mar 2026 12:00:00 GMT']],
		[1_000, ['Sun, 01 Mar 2026 12:00:01 GMT']],
		[5_000, ['Sunday, 01-Mar-26 12:00:05 GMT']],
		[YEAR_MS, ['31622400', '31622401', '9'.repeat(64), 'Sun, 01 Mar 2099 12:00:01 GMT']],
		[undefined, [...NO_TIMES.split('|'), '9'.repeat(65)]],
		[undefined, ['Sun, 01 Mar 2026 1:05 GMT', 'Sun, 01 Mar 2026 12:5 GMT']],
	])('is %j ms, no more than a year, of each of %j', (ms, values) => {
		for (const value of values) expect([value, readRetryAfter(value)]).toEqual([value, ms]);
	});

	it('with a date counts by the platform’s own clock, if the answer has it', () => {
		const headers = { 'retry-after': 'Sun, 01 Mar 2026 13:00:09 GMT' };
		expect(readBudget(429, headers, nowMs).retryAfterMs).toBe(3_609_000);
		const date = 'Sun, 01 Mar 2026 13:00:00 GMT';
		expect(readBudget(429, { ...headers, date }, nowMs).retryAfterMs).toBe(9_000);
	});

	it('is the end of the day if a 429 says that the day is spent', () => {
		const spent = { 'x-ratelimit-remaining-day': '0', date: 'Sun, 01 Mar 2026 23:00:00 GMT' };
		expect(readBudget(429, spent, nowMs).retryAfterMs).toBe(3_600_000);
		const longer = { ...spent, 'retry-after': '7200' };
		expect(readBudget(429, longer, nowMs).retryAfterMs).toBe(7_200_000);
		expect(readBudget(200, spent, nowMs).retryAfterMs).toBeUndefined();
		const midnight = { ...spent, date: 'Mon, 02 Mar 2026 00:00:00 GMT' };
		expect(readBudget(429, midnight, nowMs).retryAfterMs).toBe(86_400_000);
	});
});
