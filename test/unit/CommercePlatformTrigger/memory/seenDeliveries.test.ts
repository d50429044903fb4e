import fc from 'fast-check';

import {
	FINGERPRINT_LENGTH,
	BUCKET_MS,
	MAX_SERIALIZED,
	SeenDeliveries,
	type SerializedDeliveries,
} from '../../../../nodes/CommercePlatformTrigger/memory/seenDeliveries';

const RETENTION_MS = 27 * 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const LAST_RETRY_MS = (1 + 5 + 30 + 120 + 1440) * 60_000;

const fingerprint = (number: number) =>
	number.toString(36).padStart(FINGERPRINT_LENGTH, '0').slice(-FINGERPRINT_LENGTH);

/** What a memory holds, without the order in which it was learned. */
const contents = (seen: SeenDeliveries, nowMs = NOW_MS) => sorted(seen.serialize(nowMs));

function sorted(serialized: SerializedDeliveries) {
	return Object.fromEntries(
		Object.entries(serialized).map(([bucket, text]) => [
			bucket,
			(text.match(new RegExp(`.{${FINGERPRINT_LENGTH}}`, 'g')) ?? []).sort(),
		]),
	);
}

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

function merged(...parts: SeenDeliveries[]): SeenDeliveries {
	const seen = new SeenDeliveries(RETENTION_MS);
	for (const part of parts) seen.merge(part.serialize(NOW_MS), NOW_MS);
	return seen;
}

describe('what was added', () => {
	it('is known past the last retry, and forgotten after', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.add(fingerprint(1), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(true);
		expect(seen.has(fingerprint(1), NOW_MS + LAST_RETRY_MS + 5 * 60_000)).toBe(true);
		expect(seen.has(fingerprint(1), NOW_MS + RETENTION_MS + BUCKET_MS)).toBe(false);
		expect(seen.has(fingerprint(2), NOW_MS)).toBe(false);
	});

	it('is not kept in the process either, once its time is over', () => {
		const seen = memoryOf(
			Array.from({ length: 500 }, (_, i) => ({ fingerprint: fingerprint(i), ageMs: 0 })),
		);
		seen.add(fingerprint(9999), NOW_MS + RETENTION_MS + 2 * BUCKET_MS);
		expect(seen.size).toBe(1);
		expect(contents(seen, NOW_MS + RETENTION_MS + 2 * BUCKET_MS)).toEqual({
			[Math.floor((NOW_MS + RETENTION_MS + 2 * BUCKET_MS) / BUCKET_MS)]: [fingerprint(9999)],
		});
	});

	it('counts from when it was seen last', () => {
		const seen = memoryOf([{ fingerprint: fingerprint(1), ageMs: RETENTION_MS - BUCKET_MS }]);
		seen.add(fingerprint(1), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS + RETENTION_MS)).toBe(true);
	});
});

describe('the moment of forgetting', () => {
	const bucketEndMs = (Math.floor(NOW_MS / BUCKET_MS) + 1) * BUCKET_MS;

	it('is the retention after the end of the bucket, to the millisecond', () => {
		const seen = memoryOf([{ fingerprint: fingerprint(1), ageMs: 0 }]);
		expect(seen.has(fingerprint(1), bucketEndMs + RETENTION_MS - 1)).toBe(true);
		expect(seen.has(fingerprint(1), bucketEndMs + RETENTION_MS)).toBe(false);
	});

	it('follows the retention that the user sets, from then on', () => {
		const seen = memoryOf([{ fingerprint: fingerprint(1), ageMs: 0 }]);
		seen.retentionMs = 2 * RETENTION_MS;
		expect(seen.has(fingerprint(1), bucketEndMs + RETENTION_MS)).toBe(true);
		seen.retentionMs = BUCKET_MS;
		expect(seen.has(fingerprint(1), bucketEndMs + BUCKET_MS)).toBe(false);
		expect(new SeenDeliveries(BUCKET_MS).retentionMs).toBe(BUCKET_MS);
	});

	it('comes for saved buckets, too: neither old ones nor ones of the far future are taken in', () => {
		const oldest = Math.floor((NOW_MS - RETENTION_MS) / BUCKET_MS);
		const latest = Math.floor((NOW_MS + RETENTION_MS) / BUCKET_MS);
		const taken = (bucket: number) => {
			const seen = new SeenDeliveries(RETENTION_MS);
			seen.merge({ [bucket]: fingerprint(1) }, NOW_MS);
			return seen.size === 1;
		};
		expect([oldest - 1, oldest, latest, latest + 1].map(taken)).toEqual([false, true, true, false]);
	});

	it('is not mistaken in what is saved: nothing old is in it', () => {
		const seen = memoryOf([{ fingerprint: fingerprint(1), ageMs: 0 }]);
		expect(seen.serialize(bucketEndMs + RETENTION_MS)).toEqual({});
	});
});

describe('what is in doubt', () => {
	const saved = () => memoryOf([{ fingerprint: fingerprint(1), ageMs: 0 }]).serialize(NOW_MS);

	it('is not learned from what was saved, until its delivery is accepted', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.doubt(fingerprint(1), NOW_MS);
		seen.merge(saved(), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(false);
		seen.add(fingerprint(1), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(true);
	});

	it('is believed again after it was accepted once', () => {
		const seen = new SeenDeliveries(RETENTION_MS, 1);
		seen.doubt(fingerprint(1), NOW_MS);
		seen.add(fingerprint(1), NOW_MS);
		seen.add(fingerprint(2), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(false);
		seen.merge({ [Math.floor(NOW_MS / BUCKET_MS) + 1]: fingerprint(1) }, NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(true);
	});

	it('does not keep others from being learned', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.doubt(fingerprint(2), NOW_MS);
		seen.merge(saved(), NOW_MS);
		expect(seen.has(fingerprint(1), NOW_MS)).toBe(true);
	});

	it('is kept for as long as deliveries are remembered', () => {
		const seen = new SeenDeliveries(10 * BUCKET_MS);
		seen.doubt(fingerprint(1), NOW_MS - 10 * BUCKET_MS + 1);
		seen.doubt(fingerprint(2), NOW_MS);
		seen.merge(saved(), NOW_MS);
		expect(seen.size).toBe(0);
		seen.doubt(fingerprint(3), NOW_MS + 1);
		seen.merge(saved(), NOW_MS + 1);
		expect(seen.size).toBe(1);
	});

	it('is no more than what a memory holds; the oldest doubt goes first', () => {
		const seen = new SeenDeliveries(RETENTION_MS, 2);
		for (const number of [1, 2, 3]) seen.doubt(fingerprint(number), NOW_MS);
		const bucket = Math.floor(NOW_MS / BUCKET_MS);
		seen.merge({ [bucket]: [1, 2, 3].map(fingerprint).join('') }, NOW_MS);
		expect([1, 2, 3].map((number) => seen.has(fingerprint(number), NOW_MS))).toEqual([
			true,
			false,
			false,
		]);
	});
});

describe('the serialized form', () => {
	it('ends where the newest fill it, and holds nothing of what is older', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		for (let n = 0; n < 3; n++) seen.add(fingerprint(n), NOW_MS - BUCKET_MS);
		for (let n = 0; n < MAX_SERIALIZED; n++) seen.add(fingerprint(10 + n), NOW_MS);
		const serialized = seen.serialize(NOW_MS);
		expect(Object.keys(serialized)).toEqual([String(Math.floor(NOW_MS / BUCKET_MS))]);
		const [text] = Object.values(serialized);
		expect(text).toHaveLength(MAX_SERIALIZED * FINGERPRINT_LENGTH);
	});

	const bucket = Math.floor(NOW_MS / BUCKET_MS);
	const [a, b, c] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];

	it('has the current bucket in the order of arrival, and earlier ones in alphabetical order', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		for (const one of [c, a, b]) seen.add(one, NOW_MS);
		expect(seen.serialize(NOW_MS)).toEqual({ [bucket]: c + a + b });
		expect(seen.serialize(NOW_MS + BUCKET_MS)).toEqual({ [bucket]: a + b + c });
	});

	it('is sorted again when an earlier bucket has grown, and when it has shrunk', () => {
		const seen = new SeenDeliveries(RETENTION_MS, 2);
		seen.add(c, NOW_MS);
		seen.add(b, NOW_MS);
		seen.serialize(NOW_MS + BUCKET_MS);
		seen.merge({ [bucket]: a }, NOW_MS + BUCKET_MS);
		expect(seen.serialize(NOW_MS + BUCKET_MS)).toEqual({ [bucket]: a + c });
		const full = new SeenDeliveries(RETENTION_MS, 2);
		for (const one of [a, c, b]) full.add(one, NOW_MS);
		expect(full.serialize(NOW_MS + BUCKET_MS)).toEqual({ [bucket]: b + c });
	});

	it('holds a fingerprint once in each bucket', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.add(a, NOW_MS);
		seen.add(a, NOW_MS);
		seen.merge({ [bucket - 1]: a }, NOW_MS);
		expect(seen.serialize(NOW_MS)).toEqual({ [bucket]: a, [bucket - 1]: a });
	});

	it('includes what is added for the moment, once, behind the rest of the current bucket', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		expect(seen.serialize(NOW_MS, [a])).toEqual({ [bucket]: a });
		seen.add(b, NOW_MS);
		expect(seen.serialize(NOW_MS, [b, c, c])).toEqual({ [bucket]: b + c });
		expect(seen.has(c, NOW_MS)).toBe(false);
	});

	it('leaves a fingerprint known that was seen again, when its older bucket goes', () => {
		const seen = new SeenDeliveries(RETENTION_MS, 2);
		seen.add(a, NOW_MS - BUCKET_MS);
		seen.add(a, NOW_MS);
		seen.add(b, NOW_MS);
		expect([a, b].map((one) => seen.has(one, NOW_MS))).toEqual([true, true]);
		expect(seen.serialize(NOW_MS)).toEqual({ [bucket]: a + b });
	});
});

describe('merging', () => {
	it('gives the same memory in any order', () => {
		fc.assert(
			fc.property(entries, entries, (a, b) => {
				const [left, right] = [memoryOf(a), memoryOf(b)];
				expect(latest(merged(left, right))).toEqual(latest(merged(right, left)));
			}),
		);
	});

	it('gives the same memory in any grouping', () => {
		fc.assert(
			fc.property(entries, entries, entries, (a, b, c) => {
				const [x, y, z] = [memoryOf(a), memoryOf(b), memoryOf(c)];
				expect(latest(merged(merged(x, y), z))).toEqual(latest(merged(x, merged(y, z))));
			}),
		);
	});

	it('changes nothing the second time', () => {
		fc.assert(
			fc.property(entries, entries, (a, b) => {
				const once = merged(memoryOf(a), memoryOf(b));
				const before = contents(once);
				once.merge(memoryOf(b).serialize(NOW_MS), NOW_MS);
				once.merge(once.serialize(NOW_MS), NOW_MS);
				expect(contents(once)).toEqual(before);
			}),
		);
	});

	it('forgets nothing that either side knew', () => {
		fc.assert(
			fc.property(entries, entries, (a, b) => {
				const both = merged(memoryOf(a), memoryOf(b));
				for (const one of [...a, ...b]) expect(both.has(one.fingerprint, NOW_MS)).toBe(true);
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
		const many = Array.from({ length: 5000 }, (_, i) => ({
			fingerprint: fingerprint(i),
			ageMs: 0,
		}));
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

	it('of a burst the latest are serialized', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		for (let i = 0; i < 12_000; i++) seen.add(fingerprint(i), NOW_MS);
		const other = new SeenDeliveries(RETENTION_MS);
		other.merge(seen.serialize(NOW_MS), NOW_MS);
		expect(other.size).toBe(8_000);
		expect(other.has(fingerprint(11_999), NOW_MS)).toBe(true);
	});

	it('a memory that is full takes in new ones, and lets the oldest go', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		for (let i = 0; i < 25_000; i++) seen.add(fingerprint(i), NOW_MS);
		expect(seen.size).toBe(20_000);
		expect(seen.has(fingerprint(24_999), NOW_MS)).toBe(true);
		expect(seen.has(fingerprint(0), NOW_MS)).toBe(false);
	});
});

describe('texts of other origin', () => {
	it('are passed over without harm', () => {
		const bucket = String(Math.floor(NOW_MS / BUCKET_MS));
		const strange: unknown[] = [
			undefined,
			null,
			'text',
			7,
			[],
			{ [bucket]: 7 },
			{ [bucket]: 'seven77' },
			{ [` ${bucket}`]: 'aaaaaaaa' },
			{ [`${bucket} `]: 'aaaaaaaa' },
			{ [bucket]: ['aaaaaaaa'] },
			{ [bucket]: 'eight 88' },
			{ later: 'aaaaaaaa' },
			{ '999999999': 'aaaaaaaa' },
			{ '-1': 'aaaaaaaa' },
			{ '1': 'aaaaaaaa' },
		];
		for (const serialized of strange) {
			const seen = new SeenDeliveries(RETENTION_MS);
			seen.merge(serialized, NOW_MS);
			expect(seen.size).toBe(0);
		}
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
