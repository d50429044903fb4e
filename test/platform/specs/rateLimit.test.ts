import { setTimeout as pause } from 'node:timers/promises';
import { RateLimiter } from '../api/rateLimit';
import { Keys } from '../api/keys';
import { changeSettings, DEFAULT_SETTINGS } from '../settings';
import { PLANS, type Plan } from '../plans';
import { usePlatform } from './usePlatform';

const { control, api } = usePlatform();
beforeEach(async () => await control.reset());

/** Longer than any test, so that none meets the end of a window. */
const HOUR_MS = 3_600_000;
const left = ({ headers }: { headers: Record<string, string> }) => [
	headers['x-ratelimit-remaining'],
	headers['x-ratelimit-remaining-day'],
];

describe('the budgets', () => {
	it.each(Object.entries(PLANS))(
		'of the plan %s are those of the document, in headers and account',
		async (plan, { minuteBudget, dayBudget }) => {
			const { apiKey } = await control.createKey({ plan: plan as Plan });
			const { headers, json } = await api.send('/account', { apiKey });
			expect(headers).toMatchObject({
				'x-ratelimit-limit': String(minuteBudget),
				'x-ratelimit-limit-day': String(dayBudget),
				'x-ratelimit-remaining': String(minuteBudget - 1),
				'x-ratelimit-remaining-day': String(dayBudget - 1),
			});
			const reset = Number(headers['x-ratelimit-reset']);
			expect(reset % 60).toBe(0);
			expect(Math.abs(reset - 30 - Date.now() / 1_000)).toBeLessThan(32);
			const minute = { limit: minuteBudget, remaining: minuteBudget - 1, reset };
			const rate_limits = { minute, day: { limit: dayBudget } };
			expect(json).toMatchObject({ data: { rate_limits } });
		},
	);

	it('are counted for each key alone, and spent by refusals, but not by 429s', async () => {
		await control.configure({ minuteBudget: 3, minuteWindowMs: HOUR_MS });
		const { apiKey } = await control.createKey();
		await api.send('/products/none');
		await api.send('/products?limit=0');
		const last = left(await api.send('/account'));
		const over = await api.send('/account');
		expect([last[0], over.status, ...left(over)]).toEqual(['0', 429, ...last]);
		expect(left(await api.send('/account', { apiKey }))[0]).toBe('2');
	});

	it('open again when their window resets, which Retry-After tells', async () => {
		await control.configure({ minuteBudget: 2, minuteWindowMs: 2_000 });
		await pause(2_000 - (Date.now() % 2_000));
		await Promise.all([api.send('/account'), api.send('/account')]);
		const { status, headers } = await api.send('/account');
		expect(status).toBe(429);
		expect(['1', '2']).toContain(headers['retry-after']);
		const reset = Number(headers['x-ratelimit-reset']) * 1_000;
		expect(reset % 2_000).toBe(0);
		await pause(reset - Date.now() + 5);
		expect((await api.send('/account')).status).toBe(200);
	});

	it('of the day are told by Retry-After until its end', async () => {
		await control.configure({ dayBudget: 1 });
		await api.send('/account');
		const over = await api.send('/account');
		expect([over.status, left(over)[1]]).toEqual([429, '0']);
		const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
		expect(Math.abs(Number(over.headers['retry-after']) - untilMidnight)).toBeLessThanOrEqual(1);
	});
});

it('windows are fixed: the budget is whole again exactly at the boundary', () => {
	const key = new Keys().create();
	const limiter = new RateLimiter();
	const settings = changeSettings(DEFAULT_SETTINGS, { minuteBudget: 1, minuteWindowMs: 5_000 });
	const spent = [14_999, 14_999, 15_000].map((now) => limiter.take(key, settings, now).spent);
	expect(spent).toEqual([undefined, 'minute', undefined]);
});

it.each([0, -1_000, 1_500, Number.NaN])('no window is %d ms long', (minuteWindowMs) => {
	expect(() => changeSettings(DEFAULT_SETTINGS, { minuteWindowMs })).toThrow(RangeError);
});
