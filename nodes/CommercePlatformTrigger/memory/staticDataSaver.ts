import type { IDataObject } from 'n8n-workflow';

import type { Clock } from '../../shared/api/clock';
import type { PendingDelivery } from './pendingDeliveries';

/** The part of an Express response that shows whether the answer went out. */
export interface OutgoingAnswer {
	statusCode: number;
	/** It was given, whether or not the sender was there to hear it. */
	writableEnded: boolean;
	/** The connection is gone. */
	destroyed: boolean;
	once(event: 'finish', listener: () => void): unknown;
}

/** An accepted delivery that n8n has not answered yet. */
export interface UnansweredDelivery {
	/** The node's static data as this request loaded it. */
	staticData: IDataObject;
	pending: PendingDelivery;
	answer: OutgoingAnswer;
}

/** What the saver needs of the endpoint's memory. */
export interface SavedMemory {
	/** Remembers an accepted delivery, forgets another. */
	settle(pending: PendingDelivery, accepted: boolean): void;
	/** n8n has an execution for a delivery that it has not answered yet. */
	noteExecution(pending: PendingDelivery): void;
	/** Everything that static data is to hold at this moment. */
	serialize(): IDataObject;
}

/** Pause between two looks at the answers, after the first look. ms. n8n takes 10 ms or more to answer. */
const LOOK_EVERY_MS = 3;

/** Under constant load static data is saved at least this often. ms. */
export const SAVE_EVERY_MS = 250;

/**
 * The sender does not hear an answer that goes out later than this after the delivery's arrival. ms.
 *
 * It waits 10 s (API document, "Receiver requirements"), and starts to wait before n8n calls this node.
 */
export const HEARD_MS = 8_000;

/**
 * Waits for n8n's answer to each accepted delivery of one endpoint, and gets the endpoint's memory saved in the
 * meantime.
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
export class StaticDataSaver {
	/** In the order of arrival. */
	private readonly unanswered = new Set<UnansweredDelivery>();
	private readonly chosen = new Set<UnansweredDelivery>();
	private readonly saved = new WeakSet<UnansweredDelivery>();
	private lastChosenMs = 0;
	private looking = false;
	private arrivedSinceLook = false;

	constructor(
		private readonly memory: SavedMemory,
		private readonly clock: Pick<Clock, 'now' | 'sleep'>,
	) {}

	/**
	 * Sees one accepted delivery through to its answer.
	 *
	 * @returns when all deliveries are answered, or given up
	 */
	async watch(one: UnansweredDelivery): Promise<void> {
		this.unanswered.add(one);
		this.arrivedSinceLook = true;
		one.answer.once('finish', () => this.finish(one));
		this.onSerialize(one);
		if (this.looking) return;
		this.looking = true;
		try {
			while (this.unanswered.size > 0) {
				const waitMs = this.arrivedSinceLook ? 0 : LOOK_EVERY_MS;
				this.arrivedSinceLook = false;
				await this.clock.sleep(waitMs);
				this.look();
			}
		} finally {
			this.looking = false;
		}
	}

	private look(): void {
		const nowMs = this.clock.now();
		this.finishAnswered();
		for (const one of this.unanswered) if (one.pending.expiresMs <= nowMs) this.settle(one, false);
		this.choose(nowMs);
		for (const one of this.chosen) markAsChanged(one.staticData);
	}

	/** If the sender has hung up, there is no `finish` event. */
	private finishAnswered(): void {
		for (const one of this.unanswered) if (one.answer.writableEnded) this.finish(one);
	}

	private finish(one: UnansweredDelivery): void {
		const { statusCode } = one.answer;
		const ok = statusCode >= 200 && statusCode < 300;
		this.settle(one, ok && this.isHeard(one));
	}

	/** Whether the sender is there to hear an answer that goes out now. */
	private isHeard({ pending, answer }: UnansweredDelivery): boolean {
		return !answer.destroyed && this.clock.now() - pending.arrivedMs <= HEARD_MS;
	}

	private settle(one: UnansweredDelivery, accepted: boolean): void {
		if (!this.unanswered.delete(one)) return;
		this.chosen.delete(one);
		this.memory.settle(one.pending, accepted);
	}

	/**
	 * Chooses which delivery's static data is changed next: the latest one, since its save happens last and so
	 * includes all earlier deliveries. If that save takes long, the earliest delivery is chosen as well.
	 */
	private choose(nowMs: number): void {
		const candidates = [...this.unanswered].filter(
			(one) => !this.saved.has(one) && !this.chosen.has(one),
		);
		const overdue = nowMs - this.lastChosenMs >= SAVE_EVERY_MS;
		const next = this.chosen.size === 0 ? candidates.at(-1) : overdue ? candidates[0] : undefined;
		if (next === undefined) return;
		this.chosen.add(next);
		this.lastChosenMs = nowMs;
	}

	/**
	 * Makes static data turn into JSON with what this process remembers when it is saved: this delivery too
	 * (it is saved, so its execution exists), and the newest endpoint, so that a slow request never writes an
	 * old secret over a new one. For everyone who copies it, static data stays plain data.
	 */
	private onSerialize(one: UnansweredDelivery): void {
		const toJSON = () => {
			this.finishAnswered();
			if (this.unanswered.has(one) && this.isHeard(one)) this.memory.noteExecution(one.pending);
			this.chooseAfter(one);
			return { ...one.staticData, ...this.memory.serialize() };
		};
		Object.defineProperty(one.staticData, 'toJSON', {
			value: toJSON,
			enumerable: false,
			configurable: true,
		});
	}

	private chooseAfter(one: UnansweredDelivery): void {
		this.saved.add(one);
		this.chosen.delete(one);
		this.choose(this.clock.now());
		for (const next of this.chosen) markAsChanged(next.staticData);
	}
}

/** n8n takes static data for changed when any of its properties is set, to whatever value. */
export function markAsChanged(staticData: IDataObject): void {
	const seen = staticData.seen ?? {};
	staticData.seen = seen;
}
