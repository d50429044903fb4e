import type { IDataObject } from 'n8n-workflow';

import type { Clock } from '../../shared/rest/clock';
import { fillWhenSaved, markAsChanged } from '../../shared/n8n';
import type { SeenDeliveries } from './seenDeliveries';

/** A delivery that has no answer after this time is given up. ms. */
const PENDING_MS = 30 * 1000;

/** Pause between two checks for answers; the first check has none before it. n8n takes 10 ms or more to answer. ms. */
const LOOK_EVERY_MS = 3;

/** The same pause if more than a few deliveries are pending, because n8n then takes longer for each. ms. */
const LOOK_AT_MANY_EVERY_MS = 20;
const MANY = 10;

/** Under constant load, static data is saved at least this often. ms. */
const SAVE_EVERY_MS = 400;

/**
 * How long after the delivery's arrival its sender still receives an answer. The sender waits 10 s (API document,
 * "Receiver requirements"), and starts to wait before n8n calls this node. ms.
 */
const SENDER_WAITS_MS = 8_000;

/** The part of an Express response that shows whether the answer went out. */
export interface OutgoingAnswer {
	statusCode: number;
	/** The answer was given, whether or not the sender received it. */
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
	/** The answer that n8n is to give; set when `webhook()` is about to return. */
	answer?: OutgoingAnswer;
	/** The node's static data as this request loaded it. */
	staticData: IDataObject;
	/**
	 * Whether `staticData` held the endpoint that this process knows. If not, the node was renamed, and is just being
	 * published under its new name.
	 */
	readonly hasCurrentEndpoint: boolean;
	/** Whether `staticData` is marked as changed, so that n8n saves it, and whether n8n has saved it. */
	saving: 'not yet' | 'chosen' | 'done';
	/** When it was chosen. ms of {@link Clock.monotonic} */
	chosenMs?: number;
	/** True if n8n saved it while its sender was waiting: its execution exists. */
	hasExecution?: true;
}

/**
 * The deliveries of one endpoint that n8n has not answered yet. This class waits for the answers, and gets the
 * endpoint's memory saved in the meantime.
 *
 * A delivery is accepted once its sender has received a 2xx. Otherwise the sender sends it again, and the repeat must
 * be executed. A late 200 is not reliable either: if n8n cannot check the workflow's credentials (because its database
 * or Redis was away), it answers 200 although the execution failed and does not hold the delivery.
 *
 * **Warning: this file depends on how n8n saves static data.** n8n gives a webhook no way to save at a moment of its
 * choice. What n8n does:
 *
 * - Before 2.8 (seen in 1.123, 2.0, 2.4, 2.6 and 2.7), n8n answers 200 as soon as `webhook()` has returned, saves
 *   static data if it was changed by then, and creates the execution last.
 * - From 2.8 on, n8n creates the execution, then saves static data if it was changed since, then answers. If it cannot
 *   create the execution, it saves nothing. So this class changes static data again and again from the end of
 *   `webhook()` until the answer goes out ({@link SAVE_EVERY_MS} and {@link LOOK_EVERY_MS} say how often).
 * - n8n turns static data into JSON when it saves. At that moment `toJSON` puts in everything that this process
 *   remembers then, not what it remembered when the request came in.
 *
 * A save writes the static data of the whole workflow. If many deliveries come at once, each save would write nearly
 * the same. So only one delivery at a time is chosen to be saved. Its save includes all others, and after it the next
 * one is chosen. The last delivery of a burst is always chosen, so nothing is left out.
 */
export class PendingDeliveries {
	/** The deliveries in the order of their arrival. */
	private readonly pending = new Set<PendingDelivery>();
	/** Whether the loop of a `watch` call is running. */
	private isWatching = false;
	/** Whether a delivery has come since the last check. */
	private hasArrival = false;

	/**
	 * @param serialize gives everything that static data is to hold at this moment
	 * @param isRegistered whether an endpoint is known. If not, another process is about to register one, and a save from
	 *   this process could overwrite it: the last writer wins
	 */
	constructor(
		private readonly seen: Pick<SeenDeliveries, 'add' | 'markUnconfirmed'>,
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
	 * Notes a delivery that has arrived.
	 *
	 * @param staticData the node's static data as this request loaded it
	 * @param hasCurrentEndpoint whether `staticData` holds the endpoint that this process knows
	 * @param arrivedMs when it came, if not now: it may have waited for the same delivery. ms of {@link Clock.monotonic}
	 */
	add(
		fingerprints: readonly string[],
		staticData: IDataObject,
		hasCurrentEndpoint: boolean,
		arrivedMs = this.clock.monotonic(),
	): PendingDelivery {
		const delivery: PendingDelivery = {
			fingerprints,
			arrivedMs,
			staticData,
			hasCurrentEndpoint,
			saving: 'not yet',
		};
		this.pending.add(delivery);
		return delivery;
	}

	/** The fingerprints of deliveries that have an execution, but no answer yet. */
	executed(): string[] {
		this.giveUpExpired();
		const executed = [...this.pending].filter(({ hasExecution }) => hasExecution);
		return executed.flatMap(({ fingerprints }) => fingerprints);
	}

	/**
	 * Watches one delivery until n8n has answered it. The answer decides whether the delivery is remembered. To be called
	 * right before `webhook()` returns.
	 *
	 * @returns The first call loops until all deliveries are answered or given up. Calls during that loop return at once
	 */
	async watch(delivery: PendingDelivery, answer: OutgoingAnswer): Promise<void> {
		delivery.answer = answer;
		this.hasArrival = true;
		answer.once('finish', () => this.finish(delivery));
		this.fillWhenSaved(delivery);
		// n8n before 2.8 saves only what has been changed by now. Later versions save only what is changed later.
		if (this.isRegistered() && delivery.hasCurrentEndpoint)
			markAsChanged(delivery.staticData, 'seen');
		if (this.isWatching) return;
		this.isWatching = true;
		try {
			// While there is a delivery that n8n is to answer.
			while ([...this.pending].some(({ answer }) => answer !== undefined)) {
				const pauseMs = this.pending.size < MANY ? LOOK_EVERY_MS : LOOK_AT_MANY_EVERY_MS;
				const waitMs = this.hasArrival ? 0 : pauseMs;
				this.hasArrival = false;
				await this.clock.sleep(waitMs);
				this.finishAnswered();
				this.giveUpExpired();
				this.chooseNext();
			}
		} finally {
			this.isWatching = false;
		}
	}

	/** Ends the deliveries that n8n has answered. If the sender has hung up, there is no `finish` event. */
	private finishAnswered(): void {
		for (const delivery of this.pending) if (delivery.answer?.writableEnded) this.finish(delivery);
	}

	private giveUpExpired(): void {
		const nowMs = this.clock.monotonic();
		for (const delivery of this.pending)
			if (delivery.arrivedMs + PENDING_MS <= nowMs) this.pending.delete(delivery);
	}

	/**
	 * Ends a delivery that n8n has answered. It is remembered if the sender received a 2xx; otherwise the sender sends it
	 * again.
	 */
	private finish(delivery: PendingDelivery): void {
		if (!this.pending.delete(delivery)) return;
		const { statusCode = 0 } = delivery.answer ?? {};
		const nowMs = this.clock.now();
		if (statusCode < 200 || statusCode >= 300 || !this.isSenderWaiting(delivery)) return;
		for (const fingerprint of delivery.fingerprints) this.seen.add(fingerprint, nowMs);
	}

	/** Whether the sender still waits, so that it receives an answer that goes out now. */
	private isSenderWaiting(
		{ arrivedMs, answer }: PendingDelivery,
		nowMs = this.clock.monotonic(),
	): boolean {
		return answer?.destroyed === false && nowMs - arrivedMs <= SENDER_WAITS_MS;
	}

	/**
	 * Chooses which delivery's static data is changed next: that of the latest one, because n8n saves it last, and so
	 * with all earlier deliveries. If n8n does not save a chosen delivery in time, the wait for it ends: the earliest
	 * delivery and the latest one are chosen together.
	 *
	 * Two kinds of deliveries are never saved, because another process may have registered a new endpoint since they
	 * loaded static data, and the last writer wins:
	 * - The sender no longer waits: nothing of the delivery would be remembered.
	 * - The request loaded no endpoint, or another one than this process knows.
	 */
	private chooseNext(): void {
		if (!this.isRegistered()) return;
		const nowMs = this.clock.monotonic();
		const savable = [...this.pending].filter(
			(delivery) => delivery.hasCurrentEndpoint && this.isSenderWaiting(delivery, nowMs),
		);
		const unchosen = savable.filter(({ saving }) => saving === 'not yet');
		const chosen = savable.filter(({ saving }) => saving === 'chosen');
		const isLate = ({ chosenMs = nowMs }: PendingDelivery) => nowMs - chosenMs >= SAVE_EVERY_MS;
		const next = chosen.every(isLate) ? unchosen.at(-1) : undefined;
		if (next !== undefined)
			for (const delivery of chosen.length > 0 ? [unchosen[0], next] : [next])
				Object.assign(delivery, { saving: 'chosen', chosenMs: nowMs });
		for (const delivery of savable)
			if (delivery.saving === 'chosen') markAsChanged(delivery.staticData, 'seen');
	}

	/**
	 * Makes n8n save what this process remembers at the moment of saving: with this delivery (if it is saved, its
	 * execution exists), and with the newest endpoint, so that a slow request never writes an old secret over a new one.
	 */
	private fillWhenSaved(delivery: PendingDelivery): void {
		const { staticData } = delivery;
		fillWhenSaved(staticData, () => {
			this.finishAnswered();
			if (this.pending.has(delivery) && this.isSenderWaiting(delivery)) {
				delivery.hasExecution = true;
				const nowMs = this.clock.now();
				for (const fingerprint of delivery.fingerprints)
					this.seen.markUnconfirmed(fingerprint, nowMs);
			}
			delivery.saving = 'done';
			this.chooseNext();
			return { ...staticData, ...this.serialize() };
		});
	}
}
