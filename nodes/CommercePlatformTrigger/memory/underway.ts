/** A mark "in progress" is worth nothing after this time. ms. */
export const UNDERWAY_MS = 30 * 1000;

/** One delivery between its arrival and its answer. */
export interface Underway {
	readonly fingerprints: readonly string[];
	/** Unix ms of its arrival. */
	readonly sinceMs: number;
	/** Unix ms after which the mark is dead. */
	readonly untilMs: number;
	/** Resolves once with whether the delivery was accepted. */
	readonly outcome: Promise<boolean>;
	settle(accepted: boolean): void;
}

/** The deliveries whose answers are still out, by fingerprint. */
export class UnderwayMarks {
	private readonly marks = new Map<string, Underway>();

	/** @param nowMs Unix ms */
	find(fingerprints: readonly string[], nowMs: number): Underway | undefined {
		for (const fingerprint of fingerprints) {
			const mark = this.marks.get(fingerprint);
			if (mark !== undefined && mark.untilMs > nowMs) return mark;
		}
		return undefined;
	}

	/** @param nowMs Unix ms */
	begin(fingerprints: readonly string[], nowMs: number): Underway {
		let resolve: (accepted: boolean) => void = () => undefined;
		const outcome = new Promise<boolean>((done) => {
			resolve = done;
		});
		const mark: Underway = {
			fingerprints,
			sinceMs: nowMs,
			untilMs: nowMs + UNDERWAY_MS,
			outcome,
			settle: (accepted) => {
				this.remove(mark);
				resolve(accepted);
			},
		};
		for (const fingerprint of fingerprints) this.marks.set(fingerprint, mark);
		return mark;
	}

	/** Marks that never got an outcome must not pile up. */
	sweep(nowMs: number): void {
		for (const mark of new Set(this.marks.values())) {
			if (mark.untilMs <= nowMs) this.remove(mark);
		}
	}

	private remove(mark: Underway): void {
		for (const fingerprint of mark.fingerprints) {
			if (this.marks.get(fingerprint) === mark) this.marks.delete(fingerprint);
		}
	}
}
