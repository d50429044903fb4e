import { keepLatest } from '../../../nodes/shared/values/maps';

it('forgets the entry that was put longest ago, and counts one that is put again as the latest', () => {
	const map = new Map<string, number>();
	keepLatest(map, 'a', 1, 2);
	keepLatest(map, 'b', 2, 2);
	expect(keepLatest(map, 'a', 3, 2)).toBe(3);
	keepLatest(map, 'c', 4, 2);
	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});
