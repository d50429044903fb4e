/** A pending delivery that got no answer by this time is given up. ms. */
export const PENDING_MS = 30 * 1000;

/** One delivery between its arrival and its answer. */
export interface PendingDelivery {
	readonly fingerprints: readonly string[];
	/** Unix ms. */
	readonly arrivedMs: number;
	/** Unix ms after which it is given up. */
	readonly expiresMs: number;
	/** Resolves once with whether the delivery was accepted. */
	readonly outcome: Promise<boolean>;
	settle(accepted: boolean): void;
}

/** The deliveries that are not answered yet, by fingerprint. */
export class PendingDeliveries {
	private readonly byFingerprint = new Map<string, PendingDelivery>();

	/**
	 * A pending delivery that has one of these fingerprints. Those that have expired are removed.
	 *
	 * @param nowMs Unix ms
	 */
	find(fingerprints: readonly string[], nowMs: number): PendingDelivery | undefined {
		for (const pending of this.byFingerprint.values()) {
			if (pending.expiresMs <= nowMs) this.remove(pending);
		}
		return fingerprints
			.map((fingerprint) => this.byFingerprint.get(fingerprint))
			.find((pending) => pending !== undefined);
	}

	/** @param nowMs Unix ms of its arrival */
	add(fingerprints: readonly string[], nowMs: number): PendingDelivery {
		let resolve: (accepted: boolean) => void = () => undefined;
		const outcome = new Promise<boolean>((done) => {
			resolve = done;
		});
		const pending: PendingDelivery = {
			fingerprints,
			arrivedMs: nowMs,
			expiresMs: nowMs + PENDING_MS,
			outcome,
			settle: (accepted) => {
				this.remove(pending);
				resolve(accepted);
			},
		};
		for (const fingerprint of fingerprints) this.byFingerprint.set(fingerprint, pending);
		return pending;
	}

	/** An expired delivery that arrived again has given its fingerprints to the new one. */
	private remove(pending: PendingDelivery): void {
		for (const fingerprint of pending.fingerprints) {
			if (this.byFingerprint.get(fingerprint) === pending) this.byFingerprint.delete(fingerprint);
		}
	}
}
