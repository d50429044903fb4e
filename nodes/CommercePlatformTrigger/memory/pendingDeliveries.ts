import type { IDataObject } from 'n8n-workflow';

import type { Clock } from '../../shared/api/clock';
import { fillWhenSaved, markAsChanged } from '../../shared/n8n';
import type { SeenDeliveries } from './seenDeliveries';

/** A pending delivery that got no answer by this time is given up. ms. */
const PENDING_MS = 30 * 1000;

/** Pause between two looks at the answers, after the first look. ms. n8n takes 10 ms or more to answer. */
const LOOK_EVERY_MS = 3;

/** The same while more than a few are pending, and n8n takes longer for each. ms. */
const LOOK_AT_MANY_EVERY_MS = 20;
const MANY = 10;

/** Under constant load static data is saved at least this often. ms. */
const SAVE_EVERY_MS = 400;

/**
 * The sender does not hear an answer that goes out later than this after the delivery's arrival. ms.
 *
 * It waits 10 s (API document, "Receiver requirements"), and starts to wait before n8n calls this node.
 */
const HEARD_MS = 8_000;

/** The part of an Express response that shows whether the answer went out. */
export interface OutgoingAnswer {
	statusCode: number;
	/** It was given, whether or not the sender was there to hear it. */
	writableEnded: boolean;
	/** The connection is gone. */
	destroyed: boolean;
	once(event: 'finish', listener: () => void): unknown;
}

/** One delivery between its arrival and its answer. */
export interface PendingDelivery {
	readonly fingerprints: readonly string[];
	/** When n8n called this node, by a clock that nobody sets. ms. */
	readonly arrivedMs: number;
	/** n8n's answer, from the moment at which `webhook()` returns. */
	answer?: OutgoingAnswer;
	/** The node's static data as this request loaded it. */
	staticData: IDataObject;
	/**
	 * Whether it held the endpoint that this process knows. If not, the node has just got another name, and is being
	 * published under it.
	 */
	readonly isCurrent: boolean;
	/** Whether its static data is changed for n8n to save it, and whether n8n has saved it. */
	saving: 'not yet' | 'chosen' | 'done';
	/** When it was chosen. ms of {@link Clock.monotonic} */
	chosenMs?: number;
	/** It was saved while its sender was there, so its execution exists. */
	hasExecution?: true;
}

/**
 * The deliveries of one endpoint that n8n has not answered yet. Waits for the answers, and gets the endpoint's memory
 * saved in the meantime.
 *
 * A delivery counts as accepted when its sender heard a 2xx. If the sender did not hear it, the sender sends the
 * delivery again, and that one must be executed. A late 200 is not reliable either: if n8n cannot check the
 * workflow's credentials (because its database or Redis was away), it answers 200 although the execution failed
 * and does not hold the delivery.
 *
 * **Warning: this file depends on how n8n saves static data.** n8n offers a webhook no way to save at a moment
 * of its choice. What n8n does:
 *
 * - Before 2.8 (seen in 1.123, 2.0, 2.4, 2.6 and 2.7), n8n answers 200 as soon as `webhook()` has returned, saves
 *   static data if it was changed by then, and creates the execution last.
 * - From 2.8 on, n8n saves static data after it has created the execution and before it answers, if static data
 *   was changed since the execution was created. If creating it fails, n8n saves nothing. So static data is
 *   changed again and again from the end of `webhook()` until the answer goes out ({@link SAVE_EVERY_MS} and
 *   {@link LOOK_EVERY_MS} say how often).
 * - n8n turns static data into JSON when it saves. At that moment `toJSON` puts in everything that this process
 *   remembers, not what it remembered when the request came in.
 *
 * A save writes the static data of the whole workflow. Of many deliveries at once, each would write nearly the
 * same. So only one delivery at a time is chosen to be saved; its save includes all others, and after it the
 * next one is chosen. The last delivery of a burst is always chosen, so nothing is left out.
 */
export class PendingDeliveries {
	/** In the order of arrival. */
	private readonly pending = new Set<PendingDelivery>();
	private looking = false;
	private arrivedSinceLook = false;

	/**
	 * @param serialize gives everything that static data is to hold at this moment
	 * @param isRegistered whether an endpoint is known. Where none is, another process is about to register one,
	 *   and a save of here could overwrite it: the last writer wins
	 */
	constructor(
		private readonly seen: Pick<SeenDeliveries, 'add' | 'doubt'>,
		private readonly serialize: () => IDataObject,
		private readonly isRegistered: () => boolean,
		private readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>,
	) {}

	/** Whether a pending delivery has one of these fingerprints. */
	has(fingerprints: readonly string[]): boolean {
		this.giveUpExpired();
		const isSame = (fingerprint: string) => fingerprints.includes(fingerprint);
		return [...this.pending].some((delivery) => delivery.fingerprints.some(isSame));
	}

	/**
	 * Notes a delivery.
	 *
	 * @param staticData the node's static data as this request loaded it
	 * @param isCurrent whether it holds the endpoint that this process knows
	 * @param arrivedMs when it came, which is earlier where it has waited for another. ms of {@link Clock.monotonic}
	 */
	add(
		fingerprints: readonly string[],
		staticData: IDataObject,
		isCurrent: boolean,
		arrivedMs = this.clock.monotonic(),
	): PendingDelivery {
		const loaded = { staticData, isCurrent };
		const delivery: PendingDelivery = { fingerprints, arrivedMs, ...loaded, saving: 'not yet' };
		this.pending.add(delivery);
		return delivery;
	}

	/** Fingerprints of the deliveries that n8n has executions for, but has not answered yet. */
	executed(): string[] {
		this.giveUpExpired();
		const executed = [...this.pending].filter(({ hasExecution }) => hasExecution);
		return executed.flatMap(({ fingerprints }) => fingerprints);
	}

	/**
	 * Sees one delivery through to its answer, which decides whether it is remembered. To be called right before
	 * `webhook()` returns.
	 *
	 * @returns when all deliveries are answered, or given up
	 */
	async watch(delivery: PendingDelivery, answer: OutgoingAnswer): Promise<void> {
		delivery.answer = answer;
		this.arrivedSinceLook = true;
		answer.once('finish', () => this.finish(delivery));
		this.fillWhenSaved(delivery);
		// n8n before 2.8 saves now what has been changed by now; later versions do not look at it.
		if (this.isRegistered() && delivery.isCurrent) markAsChanged(delivery.staticData, 'seen');
		if (this.looking) return;
		this.looking = true;
		try {
			// As long as n8n is to answer one.
			while ([...this.pending].some(({ answer }) => answer !== undefined)) {
				const pauseMs = this.pending.size < MANY ? LOOK_EVERY_MS : LOOK_AT_MANY_EVERY_MS;
				const waitMs = this.arrivedSinceLook ? 0 : pauseMs;
				this.arrivedSinceLook = false;
				await this.clock.sleep(waitMs);
				this.finishAnswered();
				this.giveUpExpired();
				this.chooseNext();
			}
		} finally {
			this.looking = false;
		}
	}

	/** If the sender has hung up, there is no `finish` event. */
	private finishAnswered(): void {
		for (const delivery of this.pending) if (delivery.answer?.writableEnded) this.finish(delivery);
	}

	private giveUpExpired(): void {
		const nowMs = this.clock.monotonic();
		for (const delivery of this.pending)
			if (delivery.arrivedMs + PENDING_MS <= nowMs) this.pending.delete(delivery);
	}

	/** n8n has answered: what the sender heard is remembered, anything else comes again. */
	private finish(delivery: PendingDelivery): void {
		if (!this.pending.delete(delivery)) return;
		const { statusCode = 0 } = delivery.answer ?? {};
		const nowMs = this.clock.now();
		if (statusCode < 200 || statusCode >= 300 || !this.isHeard(delivery)) return;
		for (const fingerprint of delivery.fingerprints) this.seen.add(fingerprint, nowMs);
	}

	/** Whether the sender is there to hear an answer that goes out now. */
	private isHeard({ arrivedMs, answer }: PendingDelivery, nowMs = this.clock.monotonic()): boolean {
		return answer?.destroyed === false && nowMs - arrivedMs <= HEARD_MS;
	}

	/**
	 * Chooses which delivery's static data is changed next: the latest one, since its save happens last and so
	 * includes all earlier deliveries. Where what was chosen is not saved in time, it is no longer waited for, and the
	 * earliest delivery is chosen as well.
	 *
	 * A delivery whose answer nobody hears any more is not saved: that would remember nothing of it, and another
	 * process may have registered a new endpoint since this request loaded static data. The last writer wins.
	 * One that loaded no endpoint, or another one than this process knows, is not saved for the same reason.
	 */
	private chooseNext(): void {
		if (!this.isRegistered()) return;
		const nowMs = this.clock.monotonic();
		const all = [...this.pending].filter(
			(delivery) => delivery.isCurrent && this.isHeard(delivery, nowMs),
		);
		const candidates = all.filter(({ saving }) => saving === 'not yet');
		const chosen = all.filter(({ saving }) => saving === 'chosen');
		const isLate = ({ chosenMs = nowMs }: PendingDelivery) => nowMs - chosenMs >= SAVE_EVERY_MS;
		const next = chosen.every(isLate) ? candidates.at(-1) : undefined;
		if (next !== undefined)
			for (const delivery of chosen.length > 0 ? [candidates[0], next] : [next])
				Object.assign(delivery, { saving: 'chosen', chosenMs: nowMs });
		for (const delivery of all)
			if (delivery.saving === 'chosen') markAsChanged(delivery.staticData, 'seen');
	}

	/**
	 * Static data is saved with what this process remembers then: this delivery too (it is saved, so its execution
	 * exists), and the newest endpoint, so that a slow request never writes an old secret over a new one.
	 */
	private fillWhenSaved(delivery: PendingDelivery): void {
		const { staticData } = delivery;
		fillWhenSaved(staticData, () => {
			this.finishAnswered();
			if (this.pending.has(delivery) && this.isHeard(delivery)) {
				delivery.hasExecution = true;
				const nowMs = this.clock.now();
				for (const fingerprint of delivery.fingerprints) this.seen.doubt(fingerprint, nowMs);
			}
			delivery.saving = 'done';
			this.chooseNext();
			return { ...staticData, ...this.serialize() };
		});
	}
}
