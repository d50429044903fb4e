import type { IDataObject } from 'n8n-workflow';

import type { WebhookHandling } from '../shared/n8n';
import type { Clock } from '../shared/rest/clock';

/**
 * The platform's last retry comes 26.6 hours after the first attempt (API document, "Retry policy"). After this time, a
 * delivery that n8n has not answered is given up, and the secret of a replaced endpoint is no longer accepted. ms.
 */
export const RETRIED_FOR_MS = 27 * 3_600_000;

/** Pause between two looks at the answers; the first look has none before it. n8n takes 10 ms or more to answer. ms. */
const LOOK_EVERY_MS = 3;

/** The same pause while many deliveries are pending: a look goes through all of them, and n8n is slow. ms. */
const LOOK_SLOWLY_EVERY_MS = 20;
const MANY = 100;

/** How long after the last item n8n is asked for a save: by then it has begun to create the execution. ms. */
const ASKED_FOR_MS = 60_000;

/** Under constant load, static data is saved at least this often. ms. */
const SAVE_EVERY_MS = 400;

/**
 * A delivery from its arrival until n8n has answered it. The platform waits for 10 s and then sends it again, and n8n
 * may take minutes, so it may end long after its sender has gone. Until its end, a repeat is busy.
 */
export interface PendingDelivery {
	readonly fingerprints: readonly string[];
	readonly handling: WebhookHandling;
	/** ms of {@link Clock.monotonic} */
	readonly arrivedMs: number;
	/**
	 * Whether its request loaded the endpoint that this process knows. If not, the node was renamed, and is just being
	 * published under its new name: what is saved for this request could overwrite the new endpoint.
	 */
	readonly isUpToDate: boolean;
	/**
	 * - `arrived`: this node reads the record of its event.
	 * - `handed over`: `webhook()` has returned its item, and n8n creates the execution. If it cannot, it saves nothing.
	 * - `saved`: n8n has saved static data, so the execution exists. The delivery is remembered from now on.
	 *
	 * In whichever stage, it ends with n8n's answer: after a 2xx it is remembered, after any other it is new again.
	 */
	stage: 'arrived' | 'handed over' | 'saved';
}

/** What is asked of the memory of an endpoint while deliveries are pending. */
interface PendingMemory {
	/** Whether a save for this delivery overwrites no endpoint. */
	mayBeSaved(delivery: PendingDelivery): boolean;
	/** The deliveries that were executed. */
	readonly seen: { add(fingerprints: readonly string[]): void };
	/** What static data is to hold. */
	serialize(): IDataObject;
}

/**
 * The deliveries of one endpoint that n8n has not answered. What happens to one of them:
 *
 * 1. It arrives: `add`.
 * 2. `handOver`, right before `webhook()` returns its item. From then on, one loop for all deliveries asks n8n for saves.
 * 3. n8n creates the execution, and forgets that it was asked. So the loop asks again, every few ms.
 * 4. n8n saves static data: its `JSON.stringify` calls `contentToSave`. The delivery counts as executed.
 * 5. n8n answers. Nothing tells that at once: `endAnswered` finds it out, before anything looks at the deliveries.
 *
 * n8n before 2.8 answers first, then saves, and creates the execution last. A delivery that is declined after it has
 * arrived goes from 1 to 5, ended by the answer alone.
 *
 * A save writes the static data of the whole workflow, and holds all that is remembered at that moment. If many
 * deliveries come at once, each save would write nearly the same. So only the latest delivery, which n8n saves last,
 * asks for a save, and under constant load the earliest one now and then.
 */
export class PendingDeliveries {
	/** The deliveries in the order of their arrival. */
	private readonly pending = new Set<PendingDelivery>();
	private isAsking = false;
	/** When n8n was given an item, and when it saved static data, the last time. ms of {@link Clock.monotonic} */
	private handedOverMs = -Infinity;
	private savedMs = -Infinity;

	/** @param memory of the endpoint */
	constructor(
		private readonly memory: PendingMemory,
		private readonly clock: Clock,
	) {}

	/** Whether a pending delivery has one of these fingerprints. */
	has(fingerprints: readonly string[]): boolean {
		this.endAnswered();
		const isSame = (fingerprint: string) => fingerprints.includes(fingerprint);
		return [...this.pending].some((delivery) => delivery.fingerprints.some(isSame));
	}

	/** Notes a delivery that has arrived. The answer to its request ends it, whoever gives that answer. */
	add(
		fingerprints: readonly string[],
		handling: WebhookHandling,
		isUpToDate: boolean,
	): PendingDelivery {
		const arrivedMs = this.clock.monotonic();
		const stage = 'arrived';
		const delivery: PendingDelivery = { fingerprints, handling, arrivedMs, isUpToDate, stage };
		this.pending.add(delivery);
		return delivery;
	}

	/**
	 * Notes that n8n is given the item, and asks for saves.
	 *
	 * @returns when nothing more is asked for; at once if an earlier call is asking
	 */
	async handOver(delivery: PendingDelivery): Promise<void> {
		delivery.stage = 'handed over';
		this.handedOverMs = this.clock.monotonic();
		delivery.handling.whenSaved(() => this.contentToSave(delivery));
		// n8n before 2.8 saves only what has been changed by now. Later versions save only what is changed later.
		if (this.memory.mayBeSaved(delivery)) delivery.handling.askForSave('seen');
		if (this.isAsking) return;
		this.isAsking = true;
		try {
			let pauseMs = 0;
			while (this.isN8nCreating()) {
				await this.clock.sleep(pauseMs);
				this.endAnswered();
				this.askForSaves();
				pauseMs = this.pending.size >= MANY ? LOOK_SLOWLY_EVERY_MS : LOOK_EVERY_MS;
			}
		} finally {
			this.isAsking = false;
		}
	}

	/** Whether n8n may still be about to create an execution. */
	private isN8nCreating(): boolean {
		const isRecent = this.clock.monotonic() - this.handedOverMs < ASKED_FOR_MS;
		return isRecent && [...this.pending].some(({ stage }) => stage !== 'arrived');
	}

	/** Asks for a save of the latest delivery that is not saved; now and then of the earliest one, too. */
	private askForSaves(): void {
		const unsaved = [...this.pending].filter(
			(delivery) => delivery.stage === 'handed over' && this.memory.mayBeSaved(delivery),
		);
		const isDue = this.clock.monotonic() - this.savedMs >= SAVE_EVERY_MS;
		const asking = isDue ? [unsaved.at(0), unsaved.at(-1)] : [unsaved.at(-1)];
		for (const delivery of asking) delivery?.handling.askForSave('seen');
	}

	/** What n8n saves for a delivery, called at that moment: what is remembered, and this delivery with it. */
	private contentToSave(delivery: PendingDelivery): IDataObject {
		this.endAnswered();
		if (this.pending.has(delivery)) this.memory.seen.add(delivery.fingerprints);
		delivery.stage = 'saved';
		this.savedMs = this.clock.monotonic();
		this.askForSaves();
		return this.memory.serialize();
	}

	/** Ends the deliveries that n8n has answered, and those that it never will. */
	endAnswered(): void {
		const nowMs = this.clock.monotonic();
		for (const delivery of this.pending) {
			const { status } = delivery.handling;
			// n8n never answers a delivery whose execution a person deletes while it waits for its turn.
			if (status === undefined && nowMs - delivery.arrivedMs < RETRIED_FOR_MS) continue;
			this.pending.delete(delivery);
			if (status !== undefined && status >= 200 && status < 300)
				this.memory.seen.add(delivery.fingerprints);
		}
	}
}
