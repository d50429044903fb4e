import fc from 'fast-check';

import { SeenDeliveries } from '../../../../nodes/CommercePlatformTrigger/memory/seenDeliveries';

const FINGERPRINT_LENGTH = 8;
const BUCKET_MS = 600_000;

const RETENTION_MS = 27 * 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

const fingerprint = (number: number) => number.toString(36).padStart(FINGERPRINT_LENGTH, '0');
const bucketAt = (ms: number) => Math.floor(ms / BUCKET_MS);
const BUCKET = bucketAt(NOW_MS);

/** The same memory in the simplest form: a list of everything learned. */
class PlainMemory {
	private known: Array<{ one: string; bucket: number }> = [];
	private readonly unconfirmed = new Map<string, number>();

	constructor(
		public retentionMs: number,
		private readonly max: number,
	) {}

	get size() {
		return this.known.length;
	}

	has(one: string, nowMs: number) {
		return this.current(nowMs).some((known) => known.one === one);
	}

	add(one: string, nowMs: number) {
		this.unconfirmed.delete(one);
		this.learn([{ one, bucket: bucketAt(nowMs) }], nowMs);
	}

	markUnconfirmed(one: string, nowMs: number) {
		this.unconfirmed.set(one, nowMs + this.retentionMs);
		const oldest = () => [...this.unconfirmed][0];
		while (oldest()[1] <= nowMs || this.unconfirmed.size > this.max)
			this.unconfirmed.delete(oldest()[0]);
	}

	merge(serialized: Record<string, string>, nowMs: number) {
		const entries = Object.entries(serialized).flatMap(([bucket, text]) =>
			(text.match(/.{8}/g) ?? []).map((one) => ({ one, bucket: Number(bucket) })),
		);
		const latest = bucketAt(nowMs + this.retentionMs);
		const certain = entries.filter(
			({ one, bucket }) => !this.unconfirmed.has(one) && bucket <= latest,
		);
		this.learn(certain, nowMs);
	}

	/** The current bucket is in the order of arrival, followed by `more`; earlier ones are in alphabetical order. */
	serialize(nowMs: number, more: string[]) {
		const now = bucketAt(nowMs);
		const byName = (a: string, b: string) => (a < b ? -1 : 1);
		const order = [...this.current(nowMs)].sort(
			(a, b) => a.bucket - b.bucket || (a.bucket < now ? byName(a.one, b.one) : 0),
		);
		this.known = [...this.known.filter((one) => !order.includes(one)), ...order];
		const isNew = (one: string) =>
			!order.some((known) => known.one === one && known.bucket === now);
		const added = [...new Set(more)].filter(isNew).map((one) => ({ one, bucket: now }));
		const texts: Record<string, string> = {};
		for (const { one, bucket } of [...order, ...added]) texts[bucket] = (texts[bucket] ?? '') + one;
		return texts;
	}

	private learn(entries: typeof this.known, nowMs: number) {
		for (const entry of entries) {
			const isSame = ({ one, bucket }: typeof entry) =>
				one === entry.one && bucket === entry.bucket;
			if (!this.known.some(isSame)) this.known.push(entry);
		}
		// Array.prototype.sort keeps the order of equal entries.
		this.known = this.current(nowMs).sort((a, b) => a.bucket - b.bucket);
		this.known.splice(0, this.known.length - this.max);
	}

	private current(nowMs: number) {
		return this.known.filter(({ bucket }) => (bucket + 1) * BUCKET_MS + this.retentionMs > nowMs);
	}
}

/** Written one after the other, they overlap. */
const NAMES = ['aaaaaaaa', 'aaaaaaab', 'aaaaaaba', 'aaaaabaa', 'baaaaaaa', 'bbbbbbbb'];
const name = fc.constantFrom(...NAMES);
const names = fc.array(name, { maxLength: 4 });
/** Retentions and times, from zero to three buckets, and close to the ends of buckets. */
const ms = fc
	.tuple(fc.nat(3), fc.integer({ min: -1, max: 1 }), fc.nat(BUCKET_MS))
	.map(([buckets, beside, part]) => Math.max(1, buckets * BUCKET_MS + (part % 2 ? part : beside)));

const step = fc.oneof(
	fc.record({ do: fc.constantFrom('add' as const, 'markUnconfirmed' as const), one: name }),
	fc.record({ do: fc.constant('pass' as const), ms }),
	fc.record({ do: fc.constant('save' as const), names }),
	fc.record({
		do: fc.constant('merge' as const),
		saved: fc.dictionary(fc.integer({ min: -5, max: 5 }).map(String), names),
	}),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A full memory forgets one, and the next merge brings it back. */
const FORGOTTEN_THEN_MERGED: Step[] = [
	{ do: 'merge', saved: { '0': [NAMES[1]], '1': [NAMES[0]], '2': [NAMES[0]] } },
	{ do: 'add', one: NAMES[0] },
	{ do: 'merge', saved: { '0': [NAMES[1]] } },
];

/** The time of an unconfirmed one ends exactly when another becomes unconfirmed; then a merge makes it known. */
const NO_LONGER_UNCONFIRMED: Step[] = [
	{ do: 'markUnconfirmed', one: NAMES[0] },
	{ do: 'pass', ms: 3 * BUCKET_MS },
	{ do: 'markUnconfirmed', one: NAMES[1] },
	{ do: 'merge', saved: { '0': [NAMES[0]] } },
];

describe('a memory', () => {
	it('knows, forgets and saves the same as a simple list, step by step', () => {
		fc.assert(
			fc.property(
				fc.array(step, { maxLength: 40 }),
				fc.integer({ min: 1, max: 6 }),
				(steps, max) => {
					const both = [SeenDeliveries, PlainMemory].map((one) => new one(3 * BUCKET_MS, max));
					const told = (ask: (memory: (typeof both)[number]) => unknown) => {
						const [real, plain] = both.map(ask);
						expect(real).toEqual(plain);
					};
					let nowMs = NOW_MS;
					for (const one of steps) {
						if (one.do === 'pass') nowMs += one.ms;
						else if (one.do === 'save') told((memory) => memory.serialize(nowMs, one.names));
						else if (one.do === 'merge') {
							const at = ([offset, text]: [string, string[]]) =>
								[bucketAt(nowMs) + Number(offset), text.join('')] as const;
							const saved = Object.fromEntries(Object.entries(one.saved).map(at));
							for (const memory of both) memory.merge(saved, nowMs);
						} else for (const memory of both) memory[one.do](one.one, nowMs);
						told(({ size }) => size);
						told((memory) => NAMES.filter((known) => memory.has(known, nowMs)));
					}
				},
			),
			{
				numRuns: 1_000,
				examples: [
					[FORGOTTEN_THEN_MERGED, 3],
					[NO_LONGER_UNCONFIRMED, 3],
				],
			},
		);
	});
});

it('deliveries that another process saved after hundreds of known ones are learned', () => {
	const known = Array.from({ length: 300 }, (_, n) => fingerprint(n));
	fc.assert(
		fc.property(fc.nat(300), fc.nat(300), fc.nat(7), (from, to, broken) => {
			const seen = new SeenDeliveries(RETENTION_MS);
			for (const one of known) seen.add(one, NOW_MS);
			const text =
				known.slice(from, to).join('') + 'new'.padStart(FINGERPRINT_LENGTH - broken, '_');
			seen.merge({ [BUCKET]: text + known.slice(to).join('') }, NOW_MS);
			expect(seen.size).toBe(broken === 0 ? 301 : 300);
		}),
	);
});

it('deliveries are learned even if their fingerprints stand across the borders of known ones', () => {
	const seen = new SeenDeliveries(RETENTION_MS);
	const known = Array.from({ length: 100 }, (_, n) => `new_${fingerprint(n).slice(4)}`);
	for (const one of known) seen.add(one, NOW_MS);
	const across = known.slice(0, 64).map((one, n) => one.slice(4) + known[n + 1].slice(0, 4));
	seen.merge({ [BUCKET]: across.join('') }, NOW_MS);
	expect(across.every((one) => seen.has(one, NOW_MS))).toBe(true);
});

describe('bounds', () => {
	it('once exactly as many are serialized as there may be, no older ones follow', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		seen.add(fingerprint(0), NOW_MS - BUCKET_MS);
		for (let n = 1; n <= 8_000; n++) seen.add(fingerprint(n), NOW_MS);
		expect(Object.keys(seen.serialize(NOW_MS))).toEqual([String(BUCKET)]);
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

	it('a full memory accepts new ones, and drops the oldest', () => {
		const seen = new SeenDeliveries(RETENTION_MS);
		for (let n = 0; n < 25_000; n++) seen.add(fingerprint(n), NOW_MS);
		expect(seen.size).toBe(20_000);
		const known = [4_999, 5_000, 24_999].map((n) => seen.has(fingerprint(n), NOW_MS));
		expect(known).toEqual([false, true, true]);
		const newest = Array.from({ length: 8_000 }, (_, n) => fingerprint(17_000 + n)).join('');
		expect(seen.serialize(NOW_MS)).toEqual({ [BUCKET]: newest });
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
