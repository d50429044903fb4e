import fc from 'fast-check';

import { SeenDeliveries } from '../../../../nodes/CommercePlatformTrigger/memory/seenDeliveries';

const FINGERPRINT_LENGTH = 8;
const BUCKET_MS = 600_000;
const MAX_SERIALIZED = 8_000;

const RETENTION_MS = 27 * 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const LAST_RETRY_MS = (1 + 5 + 30 + 120 + 1440) * 60_000;

const fingerprint = (number: number) =>
	number.toString(36).padStart(FINGERPRINT_LENGTH, '0').slice(-FINGERPRINT_LENGTH);

/** What a memory holds, by bucket, without the order in which it was learned. */
const contents = (seen: SeenDeliveries, nowMs = NOW_MS) =>
	Object.fromEntries(
		Object.entries(seen.serialize(nowMs)).map(([bucket, text]) => [
			bucket,
			(text.match(/.{8}/g) ?? []).sort(),
		]),
	);

const entry = fc.record({
	fingerprint: fc.nat(60).map(fingerprint),
	ageMs: fc.integer({ min: 0, max: RETENTION_MS - BUCKET_MS }),
});
const entries = fc.array(entry, { maxLength: 80 });

function memoryOf(
	list: Array<{ fingerprint: string; ageMs: number }>,
	max?: number,
): SeenDeliveries {
	const seen = new SeenDeliveries(RETENTION_MS, max);
	for (const one of list) seen.add(one.fingerprint, NOW_MS - one.ageMs);
	return seen;
}

/** So many fingerprints, all of now. */
const numbered = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ fingerprint: fingerprint(i), ageMs: 0 }));

function merged(...parts: SeenDeliveries[]): SeenDeliveries {
	const seen = new SeenDeliveries(RETENTION_MS);
	for (const part of parts) seen.merge(part.serialize(NOW_MS), NOW_MS);
	return seen;
}

const BUCKET = Math.floor(NOW_MS / BUCKET_MS);
const BUCKET_END_MS = (BUCKET + 1) * BUCKET_MS;

describe('a fingerprint', () => {
	it.each([
		['is known at once', [0], NOW_MS, true],
		['is known after the last retry', [0], NOW_MS + LAST_RETRY_MS + 300_000, true],
		['is known to the millisecond', [0], BUCKET_END_MS + RETENTION_MS - 1, true],
		['is forgotten then', [0], BUCKET_END_MS + RETENTION_MS, false],
		['is not known before it was added', [], NOW_MS, false],
		[
			'counts from when it was added last',
			[RETENTION_MS - BUCKET_MS, 0],
			NOW_MS + RETENTION_MS,
			true,
		],
	])('%s', (_what, agesMs, atMs, known) => {
		const seen = memoryOf(agesMs.map((ageMs) => ({ fingerprint: fingerprint(1), ageMs })));
		expect(seen.has(fingerprint(1), atMs)).toBe(known);
		if (atMs >= BUCKET_END_MS + RETENTION_MS) expect(seen.serialize(atMs)).toEqual({});
	});

	it('is not kept in the process either, once its time is over', () => {
		const seen = memoryOf(numbered(500));
		const laterMs = NOW_MS + RETENTION_MS + 2 * BUCKET_MS;
		seen.add(fingerprint(9999), laterMs);
		expect(seen.size).toBe(1);
		expect(contents(seen, laterMs)).toEqual({
			[Math.floor(laterMs / BUCKET_MS)]: [fingerprint(9999)],
		});
	});

	it('is forgotten by the retention that the user sets, from then on', () => {
		const seen = memoryOf(numbered(1));
		seen.retentionMs = 2 * RETENTION_MS;
		expect(seen.has(fingerprint(0), BUCKET_END_MS + RETENTION_MS)).toBe(true);
		seen.retentionMs = BUCKET_MS;
		expect(seen.has(fingerprint(0), BUCKET_END_MS + BUCKET_MS)).toBe(false);
	});

	it('is taken in of no saved bucket that is old or of the far future', () => {
		const oldest = Math.floor((NOW_MS - RETENTION_MS) / BUCKET_MS);
		const latest = Math.floor((NOW_MS + RETENTION_MS) / BUCKET_MS);
		const taken = (bucket: number) => {
			const seen = new SeenDeliveries(RETENTION_MS);
			seen.merge({ [bucket]: fingerprint(1) }, NOW_MS);
			return seen.size === 1;
		};
		expect([oldest - 1, oldest, latest, latest + 1].map(taken)).toEqual([false, true, true, false]);
	});
});

describe('what is in doubt', () => {
	/** Of these, which are known once they were saved and merged. */
	const known = (seen: SeenDeliveries, numbers: number[], bucket = BUCKET) => {
		seen.merge({ [bucket]: numbers.map(fingerprint).join('') }, NOW_MS);
		return numbers.filter((number) => seen.has(fingerprint(number), NOW_MS));
	};

	it('is not learned from what was saved, until its delivery is accepted; others are', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.doubt(fingerprint(1), NOW_MS);
		expect(known(seen, [1, 2])).toEqual([2]);
		seen.add(fingerprint(1), NOW_MS);
		expect(known(seen, [1, 2])).toEqual([1, 2]);
	});

	it('is believed again after it was accepted once', () => {
		const seen = new SeenDeliveries(RETENTION_MS, 1);
		seen.doubt(fingerprint(1), NOW_MS);
		seen.add(fingerprint(1), NOW_MS);
		seen.add(fingerprint(2), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(false);
		expect(known(seen, [1], BUCKET + 1)).toEqual([1]);
	});

	it('is kept for as long as deliveries are remembered', () => {
		const seen = new SeenDeliveries(10 * BUCKET_MS);
		seen.doubt(fingerprint(1), NOW_MS - 10 * BUCKET_MS + 1);
		seen.doubt(fingerprint(2), NOW_MS);
		expect(known(seen, [1])).toEqual([]);
		seen.doubt(fingerprint(3), NOW_MS + 1);
		expect(known(seen, [1])).toEqual([1]);
	});

	it('is no more than what a memory holds; the oldest doubt goes first', () => {
		const seen = new SeenDeliveries(RETENTION_MS, 2);
		for (const number of [1, 2, 3]) seen.doubt(fingerprint(number), NOW_MS);
		expect(known(seen, [1, 2, 3])).toEqual([1]);
	});
});

describe('the serialized form', () => {
	const [a, b, c] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];
	const holding = (...added: string[]) => {
		const seen = new SeenDeliveries(RETENTION_MS, 2);
		for (const one of added) seen.add(one, NOW_MS);
		return seen;
	};

	it('ends where the newest fill it, and holds nothing of what is older', () => {
		const seen = memoryOf(numbered(3).map((one) => ({ ...one, ageMs: BUCKET_MS })));
		for (let n = 0; n < MAX_SERIALIZED; n++) seen.add(fingerprint(10 + n), NOW_MS);
		const serialized = seen.serialize(NOW_MS);
		expect(Object.keys(serialized)).toEqual([String(BUCKET)]);
		expect(serialized[BUCKET]).toHaveLength(MAX_SERIALIZED * FINGERPRINT_LENGTH);
	});

	it('has the current bucket in the order of arrival, and earlier ones in alphabetical order', () => {
		const seen = holding(c, a);
		expect(seen.serialize(NOW_MS)).toEqual({ [BUCKET]: c + a });
		expect(seen.serialize(NOW_MS + BUCKET_MS)).toEqual({ [BUCKET]: a + c });
	});

	it('is sorted again when an earlier bucket has grown, and when it has shrunk', () => {
		const seen = holding(c, b);
		seen.serialize(NOW_MS + BUCKET_MS);
		seen.merge({ [BUCKET]: a }, NOW_MS + BUCKET_MS);
		expect(seen.serialize(NOW_MS + BUCKET_MS)).toEqual({ [BUCKET]: a + c });
		expect(holding(a, c, b).serialize(NOW_MS + BUCKET_MS)).toEqual({ [BUCKET]: b + c });
	});

	it('holds a fingerprint once in each bucket', () => {
		const seen = holding(a, a);
		seen.merge({ [BUCKET - 1]: a }, NOW_MS);
		expect(seen.serialize(NOW_MS)).toEqual({ [BUCKET]: a, [BUCKET - 1]: a });
	});

	it('includes what is added for the moment, once, behind the rest of the current bucket', () => {
		const seen = holding();
		expect(seen.serialize(NOW_MS, [a])).toEqual({ [BUCKET]: a });
		seen.add(b, NOW_MS);
		expect(seen.serialize(NOW_MS, [b, c, c])).toEqual({ [BUCKET]: b + c });
		expect(seen.has(c, NOW_MS)).toBe(false);
	});

	it('leaves a fingerprint known that was seen again, when its older bucket goes', () => {
		const seen = holding();
		seen.add(a, NOW_MS - BUCKET_MS);
		seen.add(a, NOW_MS);
		seen.add(b, NOW_MS);
		expect([a, b].map((one) => seen.has(one, NOW_MS))).toEqual([true, true]);
		expect(seen.serialize(NOW_MS)).toEqual({ [BUCKET]: a + b });
	});
});

describe('merging', () => {
	it('forgets nothing, gives the same in any order and grouping, and changes nothing the second time', () => {
		fc.assert(
			fc.property(entries, entries, entries, (a, b, c) => {
				const [x, y, z] = [memoryOf(a), memoryOf(b), memoryOf(c)];
				const all = merged(merged(x, y), z);
				for (const one of [...a, ...b, ...c]) expect(all.has(one.fingerprint, NOW_MS)).toBe(true);
				expect(latest(merged(z, merged(y, x)))).toEqual(latest(all));
				const before = contents(all);
				all.merge(y.serialize(NOW_MS), NOW_MS);
				all.merge(all.serialize(NOW_MS), NOW_MS);
				expect(contents(all)).toEqual(before);
			}),
		);
	});

	it('takes in a fingerprint that stands across two known ones', () => {
		const mine = memoryOf(['00000001', '00000002'].map((one) => ({ fingerprint: one, ageMs: 0 })));
		const theirs = memoryOf([{ fingerprint: '00000010', ageMs: 0 }]);
		mine.merge(theirs.serialize(NOW_MS), NOW_MS);
		expect(mine.has('00000010', NOW_MS)).toBe(true);
	});

	it('finds what is new behind thousands that both sides know', () => {
		const many = numbered(5000);
		const mine = memoryOf(many);
		const theirs = memoryOf([...many, { fingerprint: fingerprint(77777), ageMs: 0 }]);
		mine.merge(theirs.serialize(NOW_MS), NOW_MS);
		expect(mine.has(fingerprint(77777), NOW_MS)).toBe(true);
		expect(mine.size).toBe(5001);
	});

	/** fingerprint → the latest bucket it stands in, which is all that has a meaning. */
	function latest(seen: SeenDeliveries): Record<string, number> {
		const buckets: Record<string, number> = {};
		for (const [bucket, list] of Object.entries(contents(seen))) {
			for (const one of list) buckets[one] = Math.max(buckets[one] ?? 0, Number(bucket));
		}
		return buckets;
	}
});

describe('bounds', () => {
	it('hold whatever is added and merged, and the newest stay', () => {
		fc.assert(
			fc.property(entries, fc.integer({ min: 1, max: 20 }), (list, max) => {
				const seen = new SeenDeliveries(RETENTION_MS, max);
				for (const one of list) seen.merge(memoryOf([one]).serialize(NOW_MS), NOW_MS);
				const serialized = seen.serialize(NOW_MS);
				const characters = Object.values(serialized).join('').length;
				expect(characters).toBeLessThanOrEqual(max * FINGERPRINT_LENGTH);
				expect(seen.size).toBeLessThanOrEqual(max);
				const buckets = Object.keys(serialized).map(Number);
				const dropped = list.filter((one) => !seen.has(one.fingerprint, NOW_MS));
				for (const one of dropped) {
					const bucket = Math.floor((NOW_MS - one.ageMs) / BUCKET_MS);
					expect(bucket).toBeLessThanOrEqual(Math.min(...buckets));
				}
			}),
		);
	});

	it('of 10,000 deliveries the newest 4,000 are serialized, in less than 80 kB', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		const ageMs = (i: number) => (1 - i / 20_000) * 26 * 3_600_000;
		for (let i = 0; i < 20_000; i++) seen.add(fingerprint(i), NOW_MS - ageMs(i));
		expect(seen.size).toBe(20_000);
		const serialized = seen.serialize(NOW_MS, [fingerprint(99_999)]);
		expect(JSON.stringify(serialized).length).toBeLessThan(80_000);
		const other = new SeenDeliveries(RETENTION_MS);
		other.merge(serialized, NOW_MS);
		expect(other.size).toBe(8_000);
		for (const i of [99_999, 19_999, 12_500]) expect(other.has(fingerprint(i), NOW_MS)).toBe(true);
		expect(other.has(fingerprint(100), NOW_MS)).toBe(false);
	});

	it('a memory that is full takes in new ones, and lets the oldest go', () => {
		const seen = memoryOf(numbered(25_000));
		expect(seen.size).toBe(20_000);
		expect(seen.has(fingerprint(24_999), NOW_MS)).toBe(true);
		expect(seen.has(fingerprint(0), NOW_MS)).toBe(false);
	});
});

describe('texts of other origin', () => {
	it.each<unknown>([
		undefined,
		null,
		'text',
		7,
		[[]],
		{ [BUCKET]: 7 },
		{ [BUCKET]: 'seven77' },
		{ [` ${BUCKET}`]: 'aaaaaaaa' },
		{ [`${BUCKET} `]: 'aaaaaaaa' },
		{ [BUCKET]: ['aaaaaaaa'] },
		{ [BUCKET]: 'eight 88' },
		{ later: 'aaaaaaaa' },
		{ '999999999': 'aaaaaaaa' },
		{ '-1': 'aaaaaaaa' },
		{ '1': 'aaaaaaaa' },
	])('are passed over without harm: %j', (serialized) => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.merge(serialized, NOW_MS);
		expect(seen.size).toBe(0);
	});

	it('of any JSON never throw and never break a bound', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (serialized) => {
				const seen = new SeenDeliveries(RETENTION_MS, 5);
				seen.merge(serialized, NOW_MS);
				expect(seen.size).toBeLessThanOrEqual(5);
			}),
		);
	});
});
