import fc from 'fast-check';

import { firstStrategy, nextStrategy } from '../../../../nodes/CommercePlatform/bulk/find';

const PAGE_SIZE = 250;

/** Requests that it takes to look up `wanted` records, of which `known` are in a list of `size`, evenly spread. */
function requests(wanted: number, known: number, size: number): number {
	if (firstStrategy(wanted) === 'single') return wanted;
	const pages = Math.max(1, Math.ceil(size / PAGE_SIZE));
	for (let read = 1; read <= pages; read++) {
		if (read === pages) return read;
		const missing = wanted - Math.floor((known * read) / pages);
		if (nextStrategy(read, missing) === 'single') return read + missing;
	}
	return pages;
}

it('gets few records one by one', () => {
	expect(requests(1, 1, 100_000)).toBe(1);
	expect(requests(4, 4, 100_000)).toBe(4);
});

it('walks the list once for many', () => {
	expect(requests(10_000, 10_000, 10_000)).toBe(40);
	expect(requests(10_000, 0, 100_000)).toBe(400);
	expect(requests(5, 5, 100)).toBe(1);
});

it('stops walking once everything is found', () => {
	expect(nextStrategy(1, 0)).toBe('single');
});

it('never costs more than twice the cheaper way', () => {
	const numbers = fc.integer({ min: 1, max: 20_000 });
	fc.assert(
		fc.property(numbers, fc.nat(), fc.nat({ max: 500_000 }), (wanted, someKnown, size) => {
			const known = Math.min(wanted, size, someKnown % (wanted + 1));
			const cheaper = Math.min(wanted, Math.max(1, Math.ceil(size / PAGE_SIZE)));
			expect(requests(wanted, known, size)).toBeLessThanOrEqual(2 * cheaper + 4);
		}),
	);
});
