import { FINGERPRINT_LENGTH } from './verifyDelivery';

/** A text of any number of fingerprints, one after the other. */
const FINGERPRINTS = /^(?:[A-Za-z0-9_-]{8})*$/;

/** How many fingerprints a process remembers: those of 10,000 deliveries with two each, 160 kB of text. */
const MAX_FINGERPRINTS = 20_000;

/**
 * How many fingerprints are saved, the newest: those of 4,000 deliveries, 64 kB. n8n loads a workflow's static data
 * three times for each delivery, so every delivery pays for their number.
 */
const MAX_SAVED = 8_000;

/**
 * The fingerprints of deliveries that have been executed. Only their number is bounded, so a quiet shop's are never
 * forgotten: somebody who captured a delivery may send it again after years.
 */
export class SeenDeliveries {
	/** All fingerprints, one after the other, in the order in which this process learned them. */
	private text = '';
	private readonly known = new Set<string>();

	constructor(private readonly maxFingerprints: number = MAX_FINGERPRINTS) {}

	/** How many fingerprints are remembered. */
	get size(): number {
		return this.known.size;
	}

	has(fingerprint: string): boolean {
		return this.known.has(fingerprint);
	}

	/** Remembers fingerprints. The oldest ones are forgotten if there are too many. */
	add(fingerprints: readonly string[]): void {
		for (const fingerprint of fingerprints) {
			if (this.known.has(fingerprint)) continue;
			this.known.add(fingerprint);
			this.text += fingerprint;
		}
		const surplus = (this.known.size - this.maxFingerprints) * FINGERPRINT_LENGTH;
		if (surplus <= 0) return;
		for (const dropped of split(this.text.slice(0, surplus))) this.known.delete(dropped);
		this.text = this.text.slice(surplus);
	}

	/**
	 * Adds the fingerprints that this process or another has saved. Anything in another form is ignored.
	 *
	 * @param saved a text from {@link saved}
	 */
	merge(saved: unknown): void {
		if (typeof saved !== 'string' || !FINGERPRINTS.test(saved) || this.holds(saved)) return;
		this.add(split(saved));
	}

	/** The newest fingerprints, oldest first, without anything between them. */
	get saved(): string {
		return this.text.slice(-MAX_SAVED * FINGERPRINT_LENGTH);
	}

	/** Whether all of a text is known in this order, as it nearly always is: this process has saved it itself. */
	private holds(text: string): boolean {
		const start = this.text.indexOf(text.slice(0, FINGERPRINT_LENGTH));
		return start % FINGERPRINT_LENGTH === 0 && this.text.slice(start, start + text.length) === text;
	}
}

const split = (text: string): string[] => text.match(/.{8}/g) ?? [];
