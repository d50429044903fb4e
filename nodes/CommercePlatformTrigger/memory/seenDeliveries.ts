/**
 * Characters of a fingerprint: 6 bytes in base64url. A new fingerprint equals one of 20,000 others once in 10^10 times.
 */
const FINGERPRINT_LENGTH = 8;

/** A text of any number of fingerprints, one after the other. */
const FINGERPRINTS = /^(?:[A-Za-z0-9_-]{8})*$/;

/** The short text under which a digest is remembered. */
export const fingerprintOf = (digest: Buffer): string =>
	digest.toString('base64url').slice(0, FINGERPRINT_LENGTH);

/** How a delivery is recognised. */
export interface Recognisable {
	/** The fingerprints that are remembered: of its body, and of its id if one was sent. */
	fingerprints: readonly string[];
	/** The delivery is a repeat if one of these is remembered. */
	recognisedBy: readonly string[];
}

/** How much time one bucket of fingerprints covers. ms. */
const BUCKET_MS = 10 * 60 * 1000;

/** How many fingerprints are remembered: those of 10,000 deliveries with two each, 160 kB of text. */
const MAX_FINGERPRINTS = 20_000;

/**
 * How many fingerprints are serialized, the newest first: those of 4,000 deliveries, 64 kB. n8n loads a workflow's
 * static data three times for each delivery, so every delivery pays for their number.
 */
const MAX_SERIALIZED = 8_000;

/** How many characters are compared at once: those of 64 fingerprints. */
const COMPARED = 64 * FINGERPRINT_LENGTH;

/** The serialized form: bucket number → fingerprints, one after the other without a separator. */
type SerializedDeliveries = Record<string, string>;

interface Bucket {
	fingerprints: Set<string>;
	/** The same fingerprints, packed: in alphabetical order if `sorted`, otherwise in the order in which they came. */
	text: string;
	sorted: boolean;
}

/**
 * How long a delivery, and the secret of a replaced endpoint, is remembered. The platform's last retry comes 26.6 hours
 * after the first attempt (API document, "Retry policy"). ms.
 */
export const RETENTION_MS = 27 * 3_600_000;

/**
 * The fingerprints of accepted deliveries, bounded in number and time. They are kept in buckets, each with the packed
 * text that is saved. Memories can be merged in any order and any number of times, with the same result. If there are
 * too many, the oldest bucket loses its first fingerprints.
 */
export class SeenDeliveries {
	private readonly buckets = new Map<number, Bucket>();
	/** fingerprint → Unix ms until which merges ignore it */
	private readonly unconfirmed = new Map<string, number>();

	/** @param retentionMs how long a delivery is remembered */
	constructor(
		private readonly retentionMs: number = RETENTION_MS,
		private readonly maxFingerprints: number = MAX_FINGERPRINTS,
	) {}

	/** How many fingerprints are remembered. */
	get size(): number {
		return [...this.buckets.values()].reduce((sum, { fingerprints }) => sum + fingerprints.size, 0);
	}

	/** @param nowMs Unix ms */
	has(fingerprint: string, nowMs: number): boolean {
		for (const [bucket, { fingerprints }] of this.buckets)
			if (fingerprints.has(fingerprint) && !this.isExpired(bucket, nowMs)) return true;
		return false;
	}

	/** @param nowMs Unix ms at which the delivery was accepted */
	add(fingerprint: string, nowMs: number): void {
		this.unconfirmed.delete(fingerprint);
		this.put(fingerprint, bucketAt(nowMs));
		this.shrink(nowMs);
	}

	/**
	 * From now on merges ignore this fingerprint; only {@link add} makes it known. Static data holds its delivery
	 * already, but nobody knows yet whether the sender receives the answer.
	 *
	 * @param nowMs Unix ms
	 */
	markUnconfirmed(fingerprint: string, nowMs: number): void {
		this.unconfirmed.set(fingerprint, nowMs + this.retentionMs);
		for (const [oldest, untilMs] of this.unconfirmed) {
			if (untilMs > nowMs && this.unconfirmed.size <= this.maxFingerprints) return;
			this.unconfirmed.delete(oldest);
		}
	}

	/**
	 * Adds the fingerprints that another memory has serialized. Anything in another form is ignored.
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
	 * The newest fingerprints, in a form that JSON can hold.
	 *
	 * @param nowMs Unix ms
	 * @param executed fingerprints that are included as if they were seen now
	 */
	serialize(nowMs: number, executed: readonly string[] = []): SerializedDeliveries {
		const current = bucketAt(nowMs);
		const currentFingerprints = this.buckets.get(current)?.fingerprints;
		const added = [...new Set(executed)]
			.filter((fingerprint) => currentFingerprints?.has(fingerprint) !== true)
			.join('');
		const serialized: SerializedDeliveries = {};
		let room = MAX_SERIALIZED * FINGERPRINT_LENGTH - added.length;
		for (const [number, bucket] of [...this.buckets].sort(([a], [b]) => b - a)) {
			if (room <= 0 || this.isExpired(number, nowMs)) break;
			if (number < current) sort(bucket);
			serialized[number] = bucket.text.slice(-room);
			room -= bucket.text.length;
		}
		if (added !== '') serialized[current] = (serialized[current] ?? '') + added;
		return serialized;
	}

	private mergeBucket(number: number, text: string): void {
		// Nearly always this process has just serialized the text itself, and knows most of it in the same order.
		const rest = text.slice(knownLength(this.buckets.get(number)?.text ?? '', text));
		if (!FINGERPRINTS.test(rest)) return;
		for (const fingerprint of split(rest))
			if (!this.unconfirmed.has(fingerprint)) this.put(fingerprint, number);
	}

	private put(fingerprint: string, number: number): void {
		const bucket = this.buckets.get(number) ?? { fingerprints: new Set(), text: '', sorted: true };
		if (bucket.fingerprints.has(fingerprint)) return;
		bucket.fingerprints.add(fingerprint);
		bucket.text += fingerprint;
		bucket.sorted = false;
		this.buckets.set(number, bucket);
	}

	private shrink(nowMs: number): void {
		for (const number of this.buckets.keys())
			if (this.isExpired(number, nowMs)) this.buckets.delete(number);
		for (let surplus = this.size - this.maxFingerprints; surplus > 0;) {
			const oldest = Math.min(...this.buckets.keys());
			const bucket = this.buckets.get(oldest)!;
			const dropped = split(bucket.text.slice(0, surplus * FINGERPRINT_LENGTH));
			for (const fingerprint of dropped) bucket.fingerprints.delete(fingerprint);
			bucket.text = bucket.text.slice(surplus * FINGERPRINT_LENGTH);
			if (bucket.text === '') this.buckets.delete(oldest);
			surplus -= dropped.length;
		}
	}

	private isExpired(bucket: number, nowMs: number): boolean {
		return (bucket + 1) * BUCKET_MS + this.retentionMs <= nowMs;
	}
}

const bucketAt = (timeMs: number): number => Math.floor(timeMs / BUCKET_MS);

/** Sorts a bucket's text, so that it is the same in every process. A merge of the same text costs next to nothing. */
function sort(bucket: Bucket): void {
	if (bucket.sorted) return;
	bucket.text = split(bucket.text).sort().join('');
	bucket.sorted = true;
}

/** How many characters at the beginning of a text also stand in the bucket's text, one after the other. */
function knownLength(bucketText: string, text: string): number {
	const start = bucketText.indexOf(text.slice(0, FINGERPRINT_LENGTH));
	if (start % FINGERPRINT_LENGTH !== 0) return 0;
	let length = 0;
	// Comparing slices takes a fortieth of the time that startsWith takes.
	const part = (of: string, from: number) => of.slice(from, from + COMPARED);
	while (length < text.length && part(text, length) === part(bucketText, start + length))
		length += COMPARED;
	return length;
}

const split = (text: string): string[] => text.match(/.{8}/g) ?? [];
