import type { IDataObject } from 'n8n-workflow';

import type { Clock } from '../../shared/api/clock';
import {
	asData,
	emptyRecord,
	newerRecord,
	secretsOf,
	trustedRecord,
	type EndpointRecord,
} from './endpointRecord';
import { listOf, type Fingerprints } from './fingerprint';
import { PendingDeliveries, type PendingDelivery } from './pendingDeliveries';
import { Refusals } from './refusals';
import { remembering, sealFor, type Seal, type SealPlace } from './seal';
import { SeenDeliveries } from './seenDeliveries';
import { markAsChanged, StaticDataSaver, type UnansweredDelivery } from './staticDataSaver';

/** What becomes of a genuine delivery. */
export type Admission =
	/** It was accepted before. */
	| { kind: 'repeat' }
	/** The same delivery is not answered yet. */
	| { kind: 'busy'; duplicate: PendingDelivery }
	/** It is new. Its caller passes it to {@link EndpointMemory.watch}. */
	| { kind: 'new'; pending: PendingDelivery };

/**
 * Everything that this process remembers of one webhook address: the record of its endpoint, the secrets in
 * it, the deliveries that were seen, and those that are not answered yet. All its requests and hooks share it.
 */
export class EndpointMemory {
	private knownRecord?: EndpointRecord;
	private readonly seal: Seal;
	private readonly seen = new SeenDeliveries();
	private readonly pending = new PendingDeliveries();
	/** Deliveries that n8n has executions for, but has not answered yet. */
	private readonly executed = new Set<PendingDelivery>();
	private readonly saver: StaticDataSaver;
	/** Deliveries that were refused. */
	readonly refusals = new Refusals();

	constructor(
		readonly place: SealPlace,
		private readonly clock: Pick<Clock, 'now' | 'sleep'>,
	) {
		// Making a seal costs more than everything else that a delivery costs here, so it is made once.
		this.seal = remembering(sealFor(place));
		this.saver = new StaticDataSaver(
			{
				settle: (pending, accepted) => this.settle(pending, accepted),
				noteExecution: (pending) => this.noteExecution(pending),
				serialize: () => this.serialize(),
			},
			clock,
		);
	}

	/** The newest record of the endpoint that this process knows; an empty one if it knows none. */
	get record(): EndpointRecord {
		return this.knownRecord ?? emptyRecord(this.place.address, this.place.workflowId);
	}

	/** Replaces the record. */
	replaceRecord(record: EndpointRecord): void {
		this.knownRecord = record;
	}

	/** A signing secret, as a record may hold it. */
	sealSecret(secret: string): string {
		return this.seal.seal(secret);
	}

	/** Whether the secret of the current endpoint is known and can be opened. */
	holdsSecret(): boolean {
		const { endpoint } = this.record;
		return endpoint !== null && this.seal.unseal(endpoint.secret) !== undefined;
	}

	/**
	 * The secrets that a delivery may be signed with, the current one first.
	 *
	 * @param acceptPrevious whether secrets of earlier endpoints count
	 */
	secrets(acceptPrevious: boolean): string[] {
		return secretsOf(this.record, this.seal, this.clock.now(), acceptPrevious);
	}

	/** How long deliveries are remembered from now on. ms. */
	set retentionMs(ms: number) {
		this.seen.retentionMs = ms;
	}

	get retentionMs(): number {
		return this.seen.retentionMs;
	}

	/** Adds what static data knows, unless it is of another address or workflow. */
	merge(staticData: IDataObject): void {
		const { address, workflowId } = this.place;
		const stored = trustedRecord(staticData.record, address, workflowId);
		if (stored === undefined) return;
		this.knownRecord = newerRecord(stored, this.knownRecord);
		this.seen.merge(staticData.seen, this.clock.now());
	}

	/** Tells a repeat from a new delivery. A new one is pending from now on. */
	admit(fingerprints: Fingerprints): Admission {
		const nowMs = this.clock.now();
		const list = listOf(fingerprints);
		const duplicate = this.pending.find(list, nowMs);
		if (duplicate !== undefined) return { kind: 'busy', duplicate };
		if (list.some((fingerprint) => this.seen.has(fingerprint, nowMs))) return { kind: 'repeat' };
		return { kind: 'new', pending: this.pending.add(list, nowMs) };
	}

	/**
	 * Sees a new delivery through to its answer, which decides whether it is remembered. To be called right
	 * before `webhook()` returns.
	 */
	async watch(delivery: UnansweredDelivery): Promise<void> {
		const watched = this.saver.watch(delivery);
		// n8n before 2.8 saves now what has been changed by now; later versions do not look at it.
		markAsChanged(delivery.staticData);
		await watched;
	}

	/** What static data is to hold: the record, what was accepted, and what n8n has executions for. */
	serialize(): IDataObject {
		const nowMs = this.clock.now();
		for (const one of this.executed) if (one.expiresMs <= nowMs) this.executed.delete(one);
		const executed = [...this.executed].flatMap(({ fingerprints }) => fingerprints);
		const seen = this.seen.serialize(nowMs, executed);
		return this.knownRecord === undefined ? { seen } : { record: asData(this.knownRecord), seen };
	}

	private noteExecution(pending: PendingDelivery): void {
		this.executed.add(pending);
		const nowMs = this.clock.now();
		for (const fingerprint of pending.fingerprints) this.seen.doubt(fingerprint, nowMs);
	}

	private settle(pending: PendingDelivery, accepted: boolean): void {
		this.executed.delete(pending);
		const nowMs = this.clock.now();
		if (accepted) for (const one of pending.fingerprints) this.seen.add(one, nowMs);
		pending.settle(accepted);
	}
}
