import { nextStamp } from '../../../nodes/CommercePlatform/resources/inventory/conflict';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const FUTURE_MS = Date.parse('2099-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

it('gives every write to a level a later time, and each level its own', () => {
	const times = [0, 0, 5, 5].map((aheadMs) => nextStamp('a level', NOW_MS + aheadMs));
	expect(times).toEqual([0, 1, 5, 6].map((aheadMs) => iso(NOW_MS + aheadMs)));
	expect(nextStamp('the level of another merchant', NOW_MS)).toBe(iso(NOW_MS));
});

it('goes beyond a time of the future that the platform has, and keeps none of it', () => {
	expect(nextStamp('b', NOW_MS, FUTURE_MS)).toBe(iso(FUTURE_MS + 1));
	expect(nextStamp('b', NOW_MS)).toBe(iso(NOW_MS + 1));
	expect(nextStamp('b', NOW_MS + 9, FUTURE_MS)).toBe(iso(FUTURE_MS + 1));
});

it('follows a clock that was set back', () => {
	nextStamp('c', FUTURE_MS);
	expect(nextStamp('c', NOW_MS)).toBe(iso(NOW_MS));
});
