import type { IDataObject } from 'n8n-workflow';

import type { WebhookRequest } from '../shared/n8n';
import type { Clock } from '../shared/rest/clock';

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

/**
 * A delivery that n8n does not answer is given up after this time. The platform's last retry comes 26.6 hours after the
 * first attempt (API document, "Retry policy"). n8n never answers a delivery whose execution a person deletes while it
 * waits for its turn. ms.
 */
const PENDING_MS = 27 * 3_600_000;

/** Pause between two looks at the answers; the first look has none before it. n8n takes 10 ms or more to answer. ms. */
const LOOK_EVERY_MS = 3;

/** The same pause while many deliveries are pending: a look goes through all of them, and n8n is slow. ms. */
const LOOK_SLOWLY_EVERY_MS = 20;
const MANY = 100;

/** Until when n8n has begun to create an execution. A request for a save counts from then on. ms. */
const WATCHED_MS = 60_000;

/** Under constant load, static data is saved at least this often. ms. */
const SAVE_EVERY_MS = 400;

/** One delivery between its arrival and n8n's answer. Times in ms of {@link Clock.monotonic}. */
export interface PendingDelivery {
	readonly fingerprints: readonly string[];
	readonly request: WebhookRequest;
	readonly arrivedMs: number;
	/**
	 * Whether its request loaded the endpoint that this process knows. If not, the node was renamed, and is just being
	 * published under its new name: what is saved for this request could overwrite the new endpoint.
	 */
	readonly isSavable: boolean;
	/** When `webhook()` gave its item to n8n. */
	handedOverMs?: number;
	/** n8n has saved static data for it. */
	isSaved?: true;
}

/**
 * The deliveries of one endpoint that n8n has not answered. n8n may take minutes, for example when it runs no more
 * executions at once, and the platform waits for 10 s and then sends again. So a delivery stays pending, however long
 * n8n takes. It is remembered as soon as n8n has answered 2xx, or has saved static data: then its execution exists.
 * After any other answer it is new again.
 *
 * A save writes the static data of the whole workflow, and holds all that is remembered at that moment. If many
 * deliveries come at once, each save would write nearly the same. So only the latest delivery, which n8n saves last,
 * asks for a save, and under constant load the earliest one now and then.
 */
export class PendingDeliveries {
	/** The deliveries in the order of their arrival. */
	private readonly pending = new Set<PendingDelivery>();
	/** Whether the loop of a `watch` call is running. */
	private isWatching = false;
	private savedMs = -Infinity;

	/**
	 * @param content gives everything that static data is to hold at this moment
	 * @param isRegistered whether an endpoint is known. If not, another process is about to register one, and a save from
	 *   this process could overwrite it: the last writer wins
	 */
	constructor(
		private readonly seen: SeenDeliveries,
		private readonly content: () => IDataObject,
		private readonly isRegistered: () => boolean,
		private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
	) {}

	/** Whether a pending delivery has one of these fingerprints. */
	has(fingerprints: readonly string[]): boolean {
		this.endAnswered();
		const isSame = (fingerprint: string) => fingerprints.includes(fingerprint);
		return [...this.pending].some((delivery) => delivery.fingerprints.some(isSame));
	}

	/** Notes a delivery that has arrived. It is pending until its request is answered, by this node or by n8n. */
	add(
		fingerprints: readonly string[],
		request: WebhookRequest,
		isSavable: boolean,
	): PendingDelivery {
		const arrivedMs = this.clock.monotonic();
		const delivery: PendingDelivery = { fingerprints, request, arrivedMs, isSavable };
		this.pending.add(delivery);
		return delivery;
	}

	/**
	 * Gets a delivery saved with its execution. To be called right before `webhook()` returns its item.
	 *
	 * @returns The first call loops while n8n is about to save any delivery. Calls during that loop return at once
	 */
	async watch(delivery: PendingDelivery): Promise<void> {
		delivery.handedOverMs = this.clock.monotonic();
		delivery.request.whenSaved(() => this.save(delivery));
		// n8n before 2.8 saves only what has been changed by now. Later versions save only what is changed later.
		if (this.isRegistered() && delivery.isSavable) delivery.request.askForSave('seen');
		if (this.isWatching) return;
		this.isWatching = true;
		try {
			await this.clock.sleep(0);
			for (let ms = this.waitedMs(); ms < WATCHED_MS; ms = this.waitedMs()) {
				this.askForSaves();
				const isSlow = this.pending.size >= MANY;
				await this.clock.sleep(isSlow ? LOOK_SLOWLY_EVERY_MS : LOOK_EVERY_MS);
			}
		} finally {
			this.isWatching = false;
		}
	}

	/** How long ago n8n was given the latest delivery that it has not answered; Infinity without any. ms. */
	private waitedMs(): number {
		this.endAnswered();
		const times = [...this.pending].map(({ handedOverMs = -Infinity }) => handedOverMs);
		return this.clock.monotonic() - Math.max(-Infinity, ...times);
	}

	/** Ends the deliveries that are answered. */
	private endAnswered(): void {
		const nowMs = this.clock.monotonic();
		for (const delivery of this.pending) {
			const { status } = delivery.request;
			if (status === undefined && nowMs - delivery.arrivedMs < PENDING_MS) continue;
			this.pending.delete(delivery);
			if (status !== undefined && status >= 200 && status < 300)
				this.seen.add(delivery.fingerprints);
		}
	}

	/** n8n saves static data for a delivery. @returns the content to be saved */
	private save(delivery: PendingDelivery): IDataObject {
		this.endAnswered();
		if (this.pending.has(delivery)) this.seen.add(delivery.fingerprints);
		delivery.isSaved = true;
		this.savedMs = this.clock.monotonic();
		this.askForSaves();
		return this.content();
	}

	private askForSaves(): void {
		if (!this.isRegistered()) return;
		const unsaved = [...this.pending].filter(
			({ handedOverMs, isSavable, isSaved }) =>
				handedOverMs !== undefined && isSavable && isSaved === undefined,
		);
		const isDue = this.clock.monotonic() - this.savedMs >= SAVE_EVERY_MS;
		const asking = isDue ? [unsaved.at(0), unsaved.at(-1)] : [unsaved.at(-1)];
		for (const delivery of asking) delivery?.request.askForSave('seen');
	}
}
