import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Clock } from '../../shared/rest/clock';
import {
	emptyRecord,
	Seal,
	trustedRecord,
	type EndpointRecord,
	type SealScope,
} from './endpointRecord';
import { PendingDeliveries, type PendingDelivery } from './pendingDeliveries';
import { RETENTION_MS, SeenDeliveries, type Recognisable } from './seenDeliveries';

/** Endpoints remembered at most, far more than one n8n runs. The one that was used longest ago is forgotten first. */
const MAX_MEMORIES = 10_000;

/** The memories by {@link keyOf}, in the order of their last use. */
const memories = new Map<string, EndpointMemory>();

const keyOf = (address: string, workflowId: string): string =>
	JSON.stringify([address, workflowId]);

/**
 * Opens this process's memory of a workflow's webhook address, and adds what static data knows. The test address and
 * the production address have one each.
 *
 * @param address the webhook URL
 */
export function openMemory(
	context: IHookFunctions | IWebhookFunctions,
	address: string,
	clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>,
): EndpointMemory {
	const workflowId = String(context.getWorkflow().id ?? '');
	const scope = { instanceId: context.getInstanceId(), workflowId, address };
	const key = keyOf(address, workflowId);
	const memory = memories.get(key) ?? new EndpointMemory(scope, clock);
	memory.merge(context.getWorkflowStaticData('node'));
	memory.lastUsedMs = clock.now();
	memories.delete(key);
	memories.set(key, memory);
	for (const [oldest, { lastUsedMs }] of memories) {
		const isUsed = memory.lastUsedMs - lastUsedMs <= RETENTION_MS;
		if (isUsed && memories.size <= MAX_MEMORIES) break;
		memories.delete(oldest);
	}
	return memory;
}

/** This process's memory of a workflow's webhook address; undefined if it has none. */
export function existingMemory(address: string, workflowId: string): EndpointMemory | undefined {
	return memories.get(keyOf(address, workflowId));
}

/** Forgets what this process remembers of an address, for all workflows. */
export function forgetAddress(address: string): void {
	for (const [key, memory] of memories) if (memory.scope.address === address) memories.delete(key);
}

/**
 * Everything that this process remembers of one webhook address: the record of its endpoint with the secrets, the
 * deliveries that were seen, and those that are not answered yet. All requests and hooks of the address share it.
 */
export class EndpointMemory {
	/** The newest record of the endpoint that this process knows. */
	record: EndpointRecord;
	readonly seal: Seal;
	readonly seen = new SeenDeliveries();
	/** Unix ms. */
	lastUsedMs = 0;
	readonly pending: PendingDeliveries;
	/** How many deliveries were refused within a minute, and when that minute began, Unix ms. */
	readonly refused = { sinceMs: 0, count: 0 };

	constructor(
		readonly scope: SealScope,
		private readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>,
	) {
		this.record = emptyRecord(scope);
		this.seal = new Seal(scope);
		const isRegistered = () => this.record.endpoint !== null;
		this.pending = new PendingDeliveries(this.seen, () => this.serialize(), isRegistered, clock);
	}

	/**
	 * The secrets that a delivery may be signed with, the current one first.
	 *
	 * @param acceptPrevious whether secrets of earlier endpoints count
	 */
	secrets(acceptPrevious: boolean): string[] {
		const nowMs = this.clock.now();
		const { endpoint, previous } = this.record;
		const valid = previous.filter(({ untilMs }) => acceptPrevious && untilMs > nowMs);
		return [endpoint, ...valid].flatMap((holder) => {
			const secret = holder === null ? undefined : this.seal.unseal(holder.secret);
			return secret ? [secret] : [];
		});
	}

	/** Adds what static data knows, unless it belongs to another address or workflow. */
	merge(staticData: IDataObject): void {
		const stored = trustedRecord(staticData.record, this.scope);
		if (stored === undefined) return;
		if (stored.revision >= this.record.revision) this.record = stored;
		this.seen.merge(staticData.seen, this.clock.now());
	}

	/**
	 * Tells a repeat from a new delivery. A new one is pending from now on.
	 *
	 * @param staticData the node's static data as this request loaded it
	 * @param arrivedMs when the delivery came, if not now. ms of {@link Clock.monotonic}
	 * @returns `repeat` if the delivery was accepted before, `busy` while the same delivery is not answered yet
	 */
	admit(
		{ fingerprints, recognisedBy }: Recognisable,
		staticData: IDataObject,
		arrivedMs?: number,
	): PendingDelivery | 'repeat' | 'busy' {
		const nowMs = this.clock.now();
		if (this.pending.has(recognisedBy)) return 'busy';
		if (recognisedBy.some((fingerprint) => this.seen.has(fingerprint, nowMs))) return 'repeat';
		// n8n keeps static data by the node's name. After a rename it may hold an older endpoint, or none.
		const loaded = trustedRecord(staticData.record, this.scope);
		const hasCurrentEndpoint =
			loaded !== undefined && loaded.endpoint?.id === this.record.endpoint?.id;
		return this.pending.add(fingerprints, staticData, hasCurrentEndpoint, arrivedMs);
	}

	/** What static data is to hold: the record, and the deliveries that were accepted or have an execution. */
	serialize(): IDataObject {
		const executed = this.pending.executed();
		const seen = this.seen.serialize(this.clock.now(), executed);
		const { record } = this;
		return record.revision === 0
			? { seen }
			: { record: { ...record } as unknown as IDataObject, seen };
	}

	/** Replaces the record, and puts everything into static data. n8n saves it after a hook. */
	keep(record: EndpointRecord, staticData: IDataObject): void {
		this.record = record;
		Object.assign(staticData, this.serialize());
	}
}
