import { Refusals } from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const MINUTE_MS = 60_000;

/** Adds so many refusals at once; gives everything that is logged. */
const addMany = (refusals: Refusals, count: number, nowMs: number, reason = 'no signature') =>
	Array.from({ length: count }, () => refusals.add(reason, nowMs)).flat();

describe('refused deliveries', () => {
	it('are logged one by one while they are few', () => {
		const refusals = new Refusals();
		expect(refusals.add('no signature', NOW_MS)).toEqual(['refused a delivery: no signature']);
		expect(addMany(refusals, 9, NOW_MS)).toHaveLength(9);
	});

	it('are only counted after the tenth within a minute', () => {
		const refusals = new Refusals();
		expect(addMany(refusals, 500, NOW_MS)).toHaveLength(10);
		expect(refusals.add('no signature', NOW_MS + MINUTE_MS - 1)).toEqual([]);
	});

	it('are summed up with the first refusal of a later minute, by reason', () => {
		const refusals = new Refusals();
		addMany(refusals, 12, NOW_MS);
		addMany(refusals, 3, NOW_MS + 1, 'no timestamp');
		expect(refusals.add('no signature', NOW_MS + MINUTE_MS)).toEqual([
			'refused 5 more deliveries, counted since 2026-11-21T12:00:00.000Z: no signature (2), no timestamp (3)',
			'refused a delivery: no signature',
		]);
		expect(refusals.add('no signature', NOW_MS + 2 * MINUTE_MS)).toEqual([
			'refused a delivery: no signature',
		]);
	});

	it('are summed up while a flood lasts, ever more rarely', () => {
		const logged = addMany(new Refusals(), 20_010, NOW_MS).slice(10);
		expect(logged).toEqual([
			expect.stringMatching(/^refused 1000 more/),
			expect.stringMatching(/^refused 10000 more/),
		]);
	});
});
