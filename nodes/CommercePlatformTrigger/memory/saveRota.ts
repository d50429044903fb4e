import { sleep, type IDataObject } from 'n8n-workflow';

import type { Underway } from './underway';

/** What of an Express response is needed to see an answer go out. */
export interface OutgoingAnswer {
	statusCode: number;
	headersSent: boolean;
	/** The connection is gone. */
	destroyed: boolean;
	once(event: 'finish', listener: () => void): unknown;
}

/** An accepted delivery whose answer is still out. */
export interface Answering {
	/** The node's static data as this request loaded it. */
	data: IDataObject;
	mark: Underway;
	answer: OutgoingAnswer;
}

/** What the rota needs of the process's memory. */
export interface RotaMemory {
	/** Remembers an accepted delivery, forgets another. */
	settle(mark: Underway, accepted: boolean): void;
	/** n8n has an execution for a delivery that is not answered yet. */
	noteExecution(mark: Underway): void;
	/** All that static data is to hold, as of now. */
	snapshot(): IDataObject;
}

/** Time as the rota sees it. */
export interface RotaClock {
	/** Unix ms. */
	now(): number;
	/** Resolves after so many ms; after 0, on one of the next turns of the event loop. */
	sleep(ms: number): Promise<void>;
}

const SYSTEM: RotaClock = { now: () => Date.now(), sleep: async (ms) => await sleep(ms) };

/** Looks at once after an arrival, and at every further turn of this length: answers take 10 ms and more. */
const LATER_TURN_MS = 3;

/** Under constant load static data is saved at least this often. ms. */
export const SAVE_EVERY_MS = 250;

/**
 * The sender hears no answer that comes later than this after the delivery's arrival. ms.
 *
 * It leaves after 10 s (API document, "Receiver requirements"), and its 10 s began before n8n called us.
 */
export const HEARD_MS = 8_000;

/**
 * Sees accepted deliveries of one address through to their answers, and has what this process remembers saved on
 * the way.
 *
 * A delivery is accepted when its sender heard a 2xx. What nobody heard counts for nothing, since the sender will
 * send again, and since a late 200 is in doubt: when n8n's check of the workflow's credentials fails (its
 * database or Redis was away for a while, and the first commands afterwards fail), n8n answers 200 although the
 * execution has failed without ever holding the delivery.
 *
 * n8n saves static data once more between creating the execution and answering, if it was changed after
 * `webhook()` returned; what is changed earlier is overlooked. So it is touched on the turns of the event loop
 * until then. If the execution cannot be created nothing is saved, and the platform's retry is executed.
 *
 * A save writes the workflow's whole static data. Of many deliveries at once each would write nearly the
 * same, so they take turns: one is due, its save speaks for all, and then names the next. The last delivery of
 * a burst is always due, so nothing is left out.
 */
export class SaveRota {
	/** In the order of arrival. */
	private readonly open = new Set<Answering>();
	private readonly due = new Set<Answering>();
	private readonly saved = new WeakSet<Answering>();
	private assignedMs = 0;
	private turning = false;
	private arrived = false;

	constructor(
		private readonly memory: RotaMemory,
		private readonly clock: RotaClock = SYSTEM,
	) {}

	/** Resolves when no answer is out any more; never rejects unless memory does. */
	async watch(one: Answering): Promise<void> {
		this.open.add(one);
		this.arrived = true;
		one.answer.once('finish', () => this.finish(one));
		this.keepLive(one);
		if (this.turning) return;
		this.turning = true;
		try {
			while (this.open.size > 0) {
				const waitMs = this.arrived ? 0 : LATER_TURN_MS;
				this.arrived = false;
				await this.clock.sleep(waitMs);
				this.look();
			}
		} finally {
			this.turning = false;
		}
	}

	private look(): void {
		const nowMs = this.clock.now();
		this.finishAnswered();
		for (const one of this.open) if (one.mark.untilMs <= nowMs) this.giveUp(one);
		this.assign(nowMs);
		for (const one of this.due) this.touch(one);
	}

	/** Where the sender hung up no `finish` comes. */
	private finishAnswered(): void {
		for (const one of this.open) if (one.answer.headersSent) this.finish(one);
	}

	private finish(one: Answering): void {
		const { headersSent, statusCode } = one.answer;
		const ok = headersSent && statusCode >= 200 && statusCode < 300;
		this.drop(one);
		this.memory.settle(one.mark, ok && this.isHeard(one));
	}

	/** Whether the sender is there for an answer that goes out now. */
	private isHeard({ mark, answer }: Answering): boolean {
		return !answer.destroyed && this.clock.now() - mark.sinceMs <= HEARD_MS;
	}

	private giveUp(one: Answering): void {
		this.drop(one);
		this.memory.settle(one.mark, false);
	}

	private drop(one: Answering): void {
		this.open.delete(one);
		this.due.delete(one);
	}

	/** The latest arrival speaks for all before it; when that takes long, the earliest speaks as well. */
	private assign(nowMs: number): void {
		const candidates = [...this.open].filter((one) => !this.saved.has(one) && !this.due.has(one));
		if (candidates.length === 0) return;
		const next =
			this.due.size === 0
				? candidates.at(-1)
				: nowMs - this.assignedMs >= SAVE_EVERY_MS
					? candidates[0]
					: undefined;
		if (next === undefined) return;
		this.due.add(next);
		this.assignedMs = nowMs;
	}

	/** Static data counts as changed when any of its properties is set, to whatever value. */
	private touch({ data }: Answering): void {
		const seen = data.seen ?? {};
		data.seen = seen;
	}

	/**
	 * Makes static data turn into text as of the moment of saving: all that this process remembers by then,
	 * this delivery too (it is being saved, so its execution exists), and the newest endpoint, so that a slow
	 * request never writes an old secret over a new one. To anyone who copies it, it stays plain data.
	 */
	private keepLive(one: Answering): void {
		const live = () => {
			this.finishAnswered();
			if (this.open.has(one) && this.isHeard(one)) this.memory.noteExecution(one.mark);
			this.passOn(one);
			return { ...one.data, ...this.memory.snapshot() };
		};
		Object.defineProperty(one.data, 'toJSON', {
			value: live,
			enumerable: false,
			configurable: true,
		});
	}

	private passOn(one: Answering): void {
		this.saved.add(one);
		this.due.delete(one);
		this.assign(this.clock.now());
		for (const next of this.due) this.touch(next);
	}
}
