import { FINGERPRINT_LENGTH, FINGERPRINTS } from './fingerprint';
import { RETENTION_MS } from './retention';

/** Fingerprints are kept in buckets, one for each ten minutes. ms. */
export const BUCKET_MS = 10 * 60 * 1000;

/** Fingerprints remembered at most: 10,000 deliveries of two each, 160 kB of text. */
export const MAX_FINGERPRINTS = 20_000;

/**
 * Fingerprints serialized at most, the newest: 4,000 deliveries, 64 kB. n8n loads a workflow's static data
 * three times for each delivery, so every delivery pays for what is kept there.
 */
export const MAX_SERIALIZED = 8_000;

/** The serialized form: bucket number → fingerprints, one after the other without a separator. */
export type SerializedDeliveries = Record<string, string>;

interface Bucket {
	/** Fingerprints, one after the other. */
	text: string;
	/** True while they stand in alphabetical order; otherwise they stand in the order learned. */
	sorted: boolean;
}

/**
 * The fingerprints of accepted deliveries, bounded in number and time. A fingerprint belongs to the latest
 * bucket in which it was seen. So memories can be merged in any order and any number of times, with the same
 * result. When there are too many, the oldest bucket loses its first fingerprints.
 */
export class SeenDeliveries {
	private readonly bucketOf = new Map<string, number>();
	private readonly buckets = new Map<number, Bucket>();
	private characters = 0;
	/** fingerprint → Unix ms until which no merge makes it known */
	private readonly doubted = new Map<string, number>();

	/** @param retentionMs how long a delivery is remembered; it may change later */
	constructor(
		public retentionMs: number = RETENTION_MS,
		private readonly maxFingerprints: number = MAX_FINGERPRINTS,
	) {}

	/** Fingerprints remembered. */
	get size(): number {
		return this.bucketOf.size;
	}

	/** @param nowMs Unix ms */
	has(fingerprint: string, nowMs: number): boolean {
		const bucket = this.bucketOf.get(fingerprint);
		return bucket !== undefined && !this.isExpired(bucket, nowMs);
	}

	/** @param nowMs Unix ms at which the delivery was accepted */
	add(fingerprint: string, nowMs: number): void {
		this.doubted.delete(fingerprint);
		this.put(fingerprint, bucketAt(nowMs));
		this.shrink(nowMs);
	}

	/**
	 * From now on only {@link add} makes this fingerprint known, and no merge: it has been saved, but nobody
	 * knows yet whether its delivery counts.
	 *
	 * @param nowMs Unix ms
	 */
	doubt(fingerprint: string, nowMs: number): void {
		this.doubted.set(fingerprint, nowMs + this.retentionMs);
		for (const [oldest, untilMs] of this.doubted) {
			if (untilMs > nowMs && this.doubted.size <= this.maxFingerprints) return;
			this.doubted.delete(oldest);
		}
	}

	/**
	 * Adds what another memory has serialized. Anything that is not in this form is ignored.
	 *
	 * @param serialized from {@link serialize}, of this process or another
	 * @param nowMs Unix ms
	 */
	merge(serialized: unknown, nowMs: number): void {
		if (typeof serialized !== 'object' || serialized === null) return;
		const latest = bucketAt(nowMs + this.retentionMs);
		for (const [key, text] of Object.entries(serialized)) {
			const bucket = Number(key);
			const usable = /^\d{1,9}$/.test(key) && bucket <= latest && !this.isExpired(bucket, nowMs);
			if (usable && typeof text === 'string') this.mergeBucket(bucket, text);
		}
		this.shrink(nowMs);
	}

	/**
	 * The newest of what is remembered, in a form that JSON can hold.
	 *
	 * @param nowMs Unix ms
	 * @param more fingerprints that are included as if they were seen now
	 */
	serialize(nowMs: number, more: readonly string[] = []): SerializedDeliveries {
		const current = bucketAt(nowMs);
		const serialized: SerializedDeliveries = {};
		const added = more.filter((fingerprint) => this.bucketOf.get(fingerprint) !== current).join('');
		let room = MAX_SERIALIZED * FINGERPRINT_LENGTH - added.length;
		for (const [bucket, content] of [...this.buckets].sort(([a], [b]) => b - a)) {
			if (room <= 0 || this.isExpired(bucket, nowMs)) break;
			if (bucket < current) sort(content);
			const { text } = content;
			serialized[bucket] = text.slice(-room);
			room -= text.length;
		}
		if (added !== '') serialized[current] = (serialized[current] ?? '') + added;
		return serialized;
	}

	private textOf(bucket: number): string {
		return this.buckets.get(bucket)?.text ?? '';
	}

	private mergeBucket(bucket: number, text: string): void {
		// Nearly always this process has serialized the text itself a moment ago. Then it is a part of what is
		// known, from the beginning of one fingerprint to the end of another.
		const known = this.textOf(bucket);
		if (known === text || known.indexOf(text) % FINGERPRINT_LENGTH === 0) return;
		if (!FINGERPRINTS.test(text)) return;
		for (const fingerprint of split(text)) {
			if (!this.doubted.has(fingerprint)) this.put(fingerprint, bucket);
		}
	}

	private put(fingerprint: string, bucket: number): void {
		if ((this.bucketOf.get(fingerprint) ?? Number.NEGATIVE_INFINITY) >= bucket) return;
		this.bucketOf.set(fingerprint, bucket);
		this.buckets.set(bucket, { text: this.textOf(bucket) + fingerprint, sorted: false });
		this.characters += FINGERPRINT_LENGTH;
	}

	private shrink(nowMs: number): void {
		for (;;) {
			const surplus = this.characters - this.maxFingerprints * FINGERPRINT_LENGTH;
			const oldest = Math.min(...this.buckets.keys());
			if (this.isExpired(oldest, nowMs)) this.removeFrom(oldest, Infinity);
			else if (surplus > 0) this.removeFrom(oldest, surplus);
			else return;
		}
	}

	/** Removes the first fingerprints of a bucket, and the bucket with its last one. */
	private removeFrom(bucket: number, characters: number): void {
		const text = this.textOf(bucket);
		const removed = text.slice(0, characters);
		// A fingerprint that was seen again later stays, in its later bucket.
		for (const fingerprint of split(removed)) {
			if (this.bucketOf.get(fingerprint) === bucket) this.bucketOf.delete(fingerprint);
		}
		this.characters -= removed.length;
		const left = text.slice(removed.length);
		if (left === '') this.buckets.delete(bucket);
		else this.buckets.set(bucket, { text: left, sorted: false });
	}

	private isExpired(bucket: number, nowMs: number): boolean {
		return (bucket + 1) * BUCKET_MS + this.retentionMs <= nowMs;
	}
}

function bucketAt(timeMs: number): number {
	return Math.floor(timeMs / BUCKET_MS);
}

/** The same fingerprints become the same text in every process, and merging that costs next to nothing. */
function sort(bucket: Bucket): void {
	if (bucket.sorted) return;
	bucket.text = split(bucket.text).sort().join('');
	bucket.sorted = true;
}

function split(text: string): string[] {
	const parts: string[] = [];
	for (let i = 0; i < text.length; i += FINGERPRINT_LENGTH) {
		parts.push(text.slice(i, i + FINGERPRINT_LENGTH));
	}
	return parts;
}
