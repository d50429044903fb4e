import fc from 'fast-check';

import { requestCost } from '../../../../nodes/CommercePlatform/run/report';

const BUSINESS = { limit: 300, remaining: 300, dayLimit: 100_000, dayRemaining: 100_000 };

it.each<[number, Parameters<typeof requestCost>[1], string]>([
	[10_000, BUSINESS, '10,000 requests, about 33 minutes at the present limits and 10 %'],
	[301, BUSINESS, '301 requests, about 1 minute at the present limits and 0.3 %'],
	[100, { ...BUSINESS, remaining: 40 }, '100 requests, about 1 minute at'],
	// What is left of this minute needs no other.
	[300, BUSINESS, '300 requests, less than a minute at'],
	[1, BUSINESS, '1 request, less than a minute at the present limits and 0 % of a day’s requests.'],
	// The Starter plan's limits, until the key's own are known.
	[
		10_000,
		{},
		'10,000 requests, about 99 minutes at the present limits and 50 % of a day’s requests (with the limits of the Starter plan, as this key’s own are not known yet).',
	],
])('says what %d requests cost in time and in share of the day, of %j', (requests, known, text) => {
	const cost = requestCost(requests, known);
	expect(cost).toMatchObject({ requests, fitsToday: true });
	expect(cost.text.slice(0, text.length)).toBe(text);
});

it('says when it is more than what is left of the day', () => {
	const cost = requestCost(500, { ...BUSINESS, dayRemaining: 400 });
	expect(cost.fitsToday).toBe(false);
	expect(cost.text).toContain('more than what is left of today');
});

it('never reckons with less time for more requests', () => {
	const counts = fc.nat({ max: 1_000_000 });
	const some = fc.nat({ max: 2_000 });
	const known = { limit: some, remaining: some, dayLimit: fc.nat() };
	const budget = fc.record(known, { requiredKeys: [] });
	fc.assert(
		fc.property(counts, counts, budget, (a, b, told) => {
			const [less, more] = [Math.min(a, b), Math.max(a, b)].map((requests) => {
				const { text } = requestCost(requests, told);
				const minutes = /about ([\d,]+) minute/.exec(text)?.[1].replaceAll(',', '') ?? '0';
				return [Number(minutes), Number(/and ([\d.]+) %/.exec(text)?.[1])];
			});
			expect(less[0]).toBeLessThanOrEqual(more[0]);
			expect(less[1]).toBeLessThanOrEqual(more[1]);
			expect(Number.isFinite(more[0] + more[1])).toBe(true);
		}),
	);
});
