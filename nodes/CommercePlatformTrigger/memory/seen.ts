import { FINGERPRINT_LENGTH, FINGERPRINTS } from './fingerprint';

/** Times are kept in steps of this length. ms. */
export const STEP_MS = 10 * 60 * 1000;

/** Past the last retry, 26.6 h after the first attempt (API document, "Retry policy"). ms. */
export const RETENTION_MS = 27 * 60 * 60 * 1000;

/** Fingerprints remembered at most: 10,000 deliveries of two each, 160 kB of text. */
export const MAX_FINGERPRINTS = 20_000;

/**
 * Fingerprints written down at most, the newest: 4,000 deliveries, 64 kB. n8n loads a workflow's static data
 * three times for each delivery, so what is kept there costs every one of them.
 */
export const MAX_WRITTEN = 8_000;

/** How memory is written down: step number → fingerprints in a row. */
export type SeenText = Record<string, string>;

/** Read in pieces of this many characters to find where two texts part. A multiple of a fingerprint. */
const PIECE = 1024;

/**
 * The fingerprints of accepted deliveries, bounded in number and time. A fingerprint belongs to the latest
 * step in which it was seen, so memories merge in any order, any number of times, to the same set. When
 * there are too many, those of the oldest step go first, within a step those that were learned first.
 */
export class Seen {
	/** fingerprint → the step it was last seen in. */
	private readonly stepOf = new Map<string, number>();
	/** step → fingerprints in a row, in the order learned; sorted once the step is over. */
	private readonly texts = new Map<number, string>();
	private readonly sorted = new Set<number>();
	private characters = 0;

	constructor(private readonly maxFingerprints: number = MAX_FINGERPRINTS) {}

	/** Fingerprints remembered. */
	get size(): number {
		return this.stepOf.size;
	}

	/** @param nowMs Unix ms */
	has(fingerprint: string, nowMs: number): boolean {
		const step = this.stepOf.get(fingerprint);
		return step !== undefined && !isOver(step, nowMs);
	}

	/** @param nowMs Unix ms at which the delivery was accepted */
	add(fingerprint: string, nowMs: number): void {
		this.put(fingerprint, stepAt(nowMs));
		this.shrink(nowMs);
	}

	/**
	 * Takes in what another memory wrote down. Anything that is not such a text is passed over.
	 *
	 * @param written from {@link write}, of this process or another
	 * @param nowMs Unix ms
	 */
	learn(written: unknown, nowMs: number): void {
		if (typeof written !== 'object' || written === null) return;
		for (const [key, text] of Object.entries(written)) {
			const step = Number(key);
			if (!/^\d{1,9}$/.test(key) || isOver(step, nowMs) || step > stepAt(nowMs + RETENTION_MS)) {
				continue;
			}
			if (typeof text === 'string' && text !== this.texts.get(step)) this.learnStep(step, text);
		}
		this.shrink(nowMs);
	}

	/**
	 * The newest of what is remembered, to be kept somewhere.
	 *
	 * @param nowMs Unix ms
	 * @param more fingerprints that the text holds besides, as if seen now
	 */
	write(nowMs: number, more: readonly string[] = []): SeenText {
		const current = stepAt(nowMs);
		const written: SeenText = {};
		const fresh = more.filter((fingerprint) => this.stepOf.get(fingerprint) !== current).join('');
		let room = MAX_WRITTEN * FINGERPRINT_LENGTH - fresh.length;
		for (const step of [...this.texts.keys()].sort((a, b) => b - a)) {
			if (room <= 0 || isOver(step, nowMs)) break;
			if (step < current) this.sort(step);
			const text = this.texts.get(step) ?? '';
			written[step] = text.slice(-room);
			room -= text.length;
		}
		if (fresh !== '') written[current] = (written[current] ?? '') + fresh;
		return written;
	}

	private learnStep(step: number, text: string): void {
		const known = this.texts.get(step) ?? '';
		// Fingerprints stand at multiples of their length: a match between two of them is chance.
		if (known.indexOf(text) % FINGERPRINT_LENGTH === 0) return;
		let at = 0;
		while (
			at + PIECE <= known.length &&
			known.slice(at, at + PIECE) === text.slice(at, at + PIECE)
		) {
			at += PIECE;
		}
		const rest = text.slice(at);
		if (!FINGERPRINTS.test(rest)) return;
		for (let i = 0; i < rest.length; i += FINGERPRINT_LENGTH) {
			this.put(rest.slice(i, i + FINGERPRINT_LENGTH), step);
		}
	}

	private put(fingerprint: string, step: number): void {
		const known = this.stepOf.get(fingerprint);
		if (known !== undefined && known >= step) return;
		this.stepOf.set(fingerprint, step);
		this.texts.set(step, (this.texts.get(step) ?? '') + fingerprint);
		this.sorted.delete(step);
		this.characters += FINGERPRINT_LENGTH;
	}

	/** Equal sets become equal texts, which {@link learn} passes over at no cost. */
	private sort(step: number): void {
		if (this.sorted.has(step)) return;
		this.texts.set(
			step,
			split(this.texts.get(step) ?? '')
				.sort()
				.join(''),
		);
		this.sorted.add(step);
	}

	private shrink(nowMs: number): void {
		const maxCharacters = this.maxFingerprints * FINGERPRINT_LENGTH;
		let oldest = this.oldestStep();
		while (oldest !== undefined && (this.characters > maxCharacters || isOver(oldest, nowMs))) {
			const surplus = isOver(oldest, nowMs) ? Infinity : this.characters - maxCharacters;
			this.drop(oldest, surplus);
			oldest = this.oldestStep();
		}
	}

	private oldestStep(): number | undefined {
		let oldest: number | undefined;
		for (const step of this.texts.keys()) if (oldest === undefined || step < oldest) oldest = step;
		return oldest;
	}

	/** Forgets the first fingerprints of a step. */
	private drop(step: number, characters: number): void {
		const text = this.texts.get(step) ?? '';
		const end = Math.min(text.length, characters);
		for (const fingerprint of split(text.slice(0, end))) {
			if (this.stepOf.get(fingerprint) === step) this.stepOf.delete(fingerprint);
		}
		this.characters -= end;
		if (end < text.length) {
			this.texts.set(step, text.slice(end));
			return;
		}
		this.texts.delete(step);
		this.sorted.delete(step);
	}
}

function stepAt(timeMs: number): number {
	return Math.floor(timeMs / STEP_MS);
}

function isOver(step: number, nowMs: number): boolean {
	return (step + 1) * STEP_MS + RETENTION_MS <= nowMs;
}

function split(text: string): string[] {
	const parts: string[] = [];
	for (let i = 0; i < text.length; i += FINGERPRINT_LENGTH) {
		parts.push(text.slice(i, i + FINGERPRINT_LENGTH));
	}
	return parts;
}
