import fc from 'fast-check';

import { SeenDeliveries } from '../../../nodes/CommercePlatformTrigger/seen';

const fingerprint = (number: number) => number.toString(36).padStart(8, '0');
const numbered = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, n) => fingerprint(from + n));

/** Written one after the other, they overlap. */
const NAMES = ['aaaaaaaa', 'aaaaaaab', 'aaaaaaba', 'aaaaabaa', 'baaaaaaa', 'bbbbbbbb'];
const names = fc.array(fc.constantFrom(...NAMES), { maxLength: 5 });
const step = fc.record({ do: fc.constantFrom('add' as const, 'merge' as const), names });

it('a memory knows, forgets and saves the same as a simple list, step by step', () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (steps, max) => {
			const seen = new SeenDeliveries(max);
			let list: string[] = [];
			for (const { do: what, names } of steps) {
				if (what === 'add') seen.add(names);
				else seen.merge(names.join(''));
				list = [...new Set([...list, ...names])].slice(-max);
				expect(NAMES.filter((one) => seen.has(one)).sort()).toEqual([...list].sort());
				expect([seen.saved, seen.size]).toEqual([list.join(''), list.length]);
			}
		}),
		{ numRuns: 1_000 },
	);
});

it('deliveries that another process saved among known ones are learned', () => {
	fc.assert(
		fc.property(fc.nat(300), fc.nat(300), fc.nat(7), (from, to, broken) => {
			const seen = new SeenDeliveries();
			seen.add(numbered(0, 300));
			const added = 'new'.padStart(8 - broken, '_');
			seen.merge([...numbered(from, to), added, ...numbered(to, 300)].join(''));
			expect(seen.size).toBe(broken === 0 ? 301 : 300);
		}),
	);
});

it('deliveries are learned even if their fingerprints stand across the borders of known ones', () => {
	const seen = new SeenDeliveries();
	const known = numbered(0, 100).map((one) => `new_${one.slice(4)}`);
	seen.add(known);
	const across = known.slice(0, 64).map((one, n) => one.slice(4) + known[n + 1].slice(0, 4));
	seen.merge(across.join(''));
	expect(across.every((one) => seen.has(one))).toBe(true);
});

it('10,000 deliveries are remembered, and the newest 4,000 are saved in less than 80 kB', () => {
	const seen = new SeenDeliveries();
	seen.add(numbered(0, 25_000));
	expect(seen.size).toBe(20_000);
	expect([4_999, 5_000, 24_999].map((n) => seen.has(fingerprint(n)))).toEqual([false, true, true]);
	expect(seen.saved).toBe(numbered(17_000, 25_000).join(''));
	expect(seen.saved.length).toBeLessThan(80_000);
});

it('anything else is passed over without harm, and never breaks a bound', () => {
	for (const saved of [
		undefined,
		null,
		7,
		[[]],
		{ a: 7 },
		[{ toString: false }],
		'seven77',
		'eight 88',
		{},
	]) {
		const seen = new SeenDeliveries();
		seen.merge(saved);
		expect(seen.size).toBe(0);
	}
	fc.assert(
		fc.property(fc.jsonValue(), (saved) => {
			const seen = new SeenDeliveries(5);
			seen.merge(saved);
			expect(seen.size).toBeLessThanOrEqual(5);
		}),
	);
});
