import { setTimeout as pause } from 'node:timers/promises';
import { RateLimiter } from '../api/rateLimit';
import { Keys } from '../api/keys';
import { changeSettings, DEFAULT_SETTINGS } from '../settings';
import { PLANS, type Plan } from '../plans';
import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform();
beforeEach(async () => await platform.control.reset());

/** Longer than any test, so that none meets the end of a window. */
const HOUR_MS = 3_600_000;

describe('the budgets', () => {
	it.each(Object.keys(PLANS) as Plan[])(
		'of the plan %s are those of the document',
		async (plan) => {
			const { apiKey } = await platform.control.createKey({ plan });
			const { headers } = await api.send('/account', { apiKey });
			expect(headers).toMatchObject({
				'x-ratelimit-limit': String(PLANS[plan].minuteBudget),
				'x-ratelimit-limit-day': String(PLANS[plan].dayBudget),
				'x-ratelimit-remaining': String(PLANS[plan].minuteBudget - 1),
				'x-ratelimit-remaining-day': String(PLANS[plan].dayBudget - 1),
			});
			const reset = Number(headers['x-ratelimit-reset']);
			expect(reset % 60).toBe(0);
			expect(reset - Date.now() / 1_000).toBeGreaterThan(-1);
			expect(reset - Date.now() / 1_000).toBeLessThanOrEqual(60);
		},
	);

	it('are counted for each key alone', async () => {
		await platform.control.configure({ minuteBudget: 2, minuteWindowMs: HOUR_MS });
		const { apiKey } = await platform.control.createKey();
		await api.send('/account');
		await api.send('/account');
		expect(await api.refusal('/account')).toBe('429 RATE_LIMITED');
		expect((await api.send('/account', { apiKey })).status).toBe(200);
	});

	it('stand in the account as in the headers', async () => {
		const { json, headers } = await api.send('/account');
		expect(json).toMatchObject({
			data: {
				rate_limits: {
					minute: {
						limit: 1_200,
						remaining: Number(headers['x-ratelimit-remaining']),
						reset: Number(headers['x-ratelimit-reset']),
					},
					day: { limit: 1_000_000 },
				},
			},
		});
	});

	it('are spent by refusals and errors, but not by 429s', async () => {
		await platform.control.configure({ minuteBudget: 3, minuteWindowMs: HOUR_MS });
		await api.send('/products/none');
		await api.send('/products?limit=0');
		const last = await api.send('/account');
		expect(last.headers['x-ratelimit-remaining']).toBe('0');
		const over = await api.send('/account');
		expect(over.status).toBe(429);
		expect(over.headers['x-ratelimit-remaining-day']).toBe(
			last.headers['x-ratelimit-remaining-day'],
		);
	});
});

describe('a spent window', () => {
	it('is answered 429 with Retry-After, and opens again when it resets', async () => {
		await platform.control.configure({ minuteBudget: 2, minuteWindowMs: 2_000 });
		await pause(2_000 - (Date.now() % 2_000));
		await Promise.all([api.send('/account'), api.send('/account')]);
		const over = await api.send('/account');
		expect(over.status).toBe(429);
		const seconds = Number(over.headers['retry-after']);
		expect(seconds).toBeGreaterThanOrEqual(1);
		expect(seconds).toBeLessThanOrEqual(2);
		const reset = Number(over.headers['x-ratelimit-reset']) * 1_000;
		expect(reset % 2_000).toBe(0);
		await pause(reset - Date.now() + 5);
		expect((await api.send('/account')).status).toBe(200);
	});

	it('of the day is told by Retry-After until its end', async () => {
		await platform.control.configure({ dayBudget: 1 });
		await api.send('/account');
		const over = await api.send('/account');
		expect(over.status).toBe(429);
		expect(over.headers['x-ratelimit-remaining-day']).toBe('0');
		const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
		expect(Math.abs(Number(over.headers['retry-after']) - untilMidnight)).toBeLessThanOrEqual(1);
	});
});

describe('windows', () => {
	const key = new Keys().create();

	it('are fixed: the budget is whole again exactly at the boundary', () => {
		const limiter = new RateLimiter();
		const settings = changeSettings(DEFAULT_SETTINGS, { minuteBudget: 1, minuteWindowMs: 5_000 });
		expect(limiter.take(key, settings, 14_999).spent).toBeUndefined();
		expect(limiter.take(key, settings, 14_999).spent).toBe('minute');
		const next = limiter.take(key, settings, 15_000);
		expect(next.spent).toBeUndefined();
		expect(next.minute).toEqual({ limit: 1, remaining: 0, resetAt: 20_000 });
	});

	it.each([0, -1_000, 1_500, Number.NaN])('cannot be %d ms long', (minuteWindowMs) => {
		expect(() => changeSettings(DEFAULT_SETTINGS, { minuteWindowMs })).toThrow(RangeError);
	});
});
