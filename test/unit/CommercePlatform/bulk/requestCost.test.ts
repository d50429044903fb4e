import fc from 'fast-check';

import { costText, requestCost } from '../../../../nodes/CommercePlatform/bulk/requestCost';

const BUSINESS = { limit: 300, remaining: 300, dayLimit: 100_000, dayRemaining: 100_000 };

it('reckons time by whole minutes of the rate limit, and the share of the day', () => {
	expect(requestCost(10_000, BUSINESS)).toEqual({
		requests: 10_000,
		minutes: 33,
		percentOfDay: 10,
		fitsToday: true,
		assumesStarterPlan: false,
	});
});

it('needs no minute for what is left of this one', () => {
	expect(requestCost(300, BUSINESS).minutes).toBe(0);
	expect(requestCost(301, BUSINESS).minutes).toBe(1);
	expect(requestCost(100, { ...BUSINESS, remaining: 40 }).minutes).toBe(1);
});

it('says when it is more than what is left of the day', () => {
	const cost = requestCost(500, { ...BUSINESS, dayRemaining: 400 });
	expect(cost.fitsToday).toBe(false);
	expect(costText(cost)).toContain('more than what is left of today');
});

it('takes the Starter plan until the key’s limits are known, and says so', () => {
	const cost = requestCost(10_000, {});
	expect(cost).toMatchObject({ minutes: 99, percentOfDay: 50, assumesStarterPlan: true });
	expect(costText(cost)).toBe(
		'10,000 requests, about 99 minutes at the present limits and 50 % of a day’s requests (with the limits of the Starter plan, as this key’s own are not known yet).',
	);
});

it('speaks of one request as of one', () => {
	expect(costText(requestCost(1, BUSINESS))).toBe(
		'1 request, less than a minute at the present limits and 0 % of a day’s requests.',
	);
});

it('never reckons with less time for more requests', () => {
	const counts = fc.nat({ max: 1_000_000 });
	const budget = fc.record({
		limit: fc.option(fc.nat({ max: 2_000 }), { nil: undefined }),
		remaining: fc.option(fc.nat({ max: 2_000 }), { nil: undefined }),
		dayLimit: fc.option(fc.nat(), { nil: undefined }),
	});
	fc.assert(
		fc.property(counts, counts, budget, (a, b, known) => {
			const [less, more] = [Math.min(a, b), Math.max(a, b)].map((n) => requestCost(n, known));
			expect(less.minutes).toBeLessThanOrEqual(more.minutes);
			expect(less.percentOfDay).toBeLessThanOrEqual(more.percentOfDay);
			expect(Number.isFinite(more.minutes)).toBe(true);
		}),
	);
});
