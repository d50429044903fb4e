import {
	PENDING_MS,
	PendingDeliveries,
} from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

describe('pending deliveries', () => {
	it('are found by any of their fingerprints', () => {
		const deliveries = new PendingDeliveries();
		const one = deliveries.add(['body', 'id'], NOW_MS);
		expect(deliveries.find(['other', 'id'], NOW_MS)).toBe(one);
		expect(deliveries.find(['body'], NOW_MS)).toBe(one);
		expect(deliveries.find(['other'], NOW_MS)).toBeUndefined();
	});

	it('know when they arrived and when they expire', () => {
		const one = new PendingDeliveries().add(['a'], NOW_MS);
		expect(one).toMatchObject({ arrivedMs: NOW_MS, expiresMs: NOW_MS + PENDING_MS });
		expect(PENDING_MS).toBe(30_000);
	});

	it.each([true, false])('are gone once they are settled, and tell how: %p', async (accepted) => {
		const deliveries = new PendingDeliveries();
		const one = deliveries.add(['body', 'id'], NOW_MS);
		one.settle(accepted);
		expect(deliveries.find(['body', 'id'], NOW_MS)).toBeUndefined();
		expect(await one.outcome).toBe(accepted);
	});

	it('expire', () => {
		const deliveries = new PendingDeliveries();
		deliveries.add(['a'], NOW_MS);
		expect(deliveries.find(['a'], NOW_MS + PENDING_MS - 1)).toBeDefined();
		expect(deliveries.find(['a'], NOW_MS + PENDING_MS)).toBeUndefined();
	});

	it('do not take another one with them when they are settled late', () => {
		const deliveries = new PendingDeliveries();
		const late = deliveries.add(['a', 'b'], NOW_MS);
		const again = deliveries.add(['a'], NOW_MS + PENDING_MS);
		late.settle(true);
		expect(deliveries.find(['a'], NOW_MS + PENDING_MS)).toBe(again);
		expect(deliveries.find(['b'], NOW_MS + PENDING_MS)).toBeUndefined();
	});
});
