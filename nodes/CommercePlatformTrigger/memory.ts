import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { WebhookHandling, type WebhookAnswer } from '../shared/n8n';
import type { Clock } from '../shared/rest/clock';
import { CREDENTIAL } from '../shared/rest/request';
import { isObject } from '../shared/values/json';
import { keepLatest } from '../shared/values/maps';
import { PendingDeliveries, type PendingDelivery, RETRIED_FOR_MS } from './pending';
import { type Scope, Seals } from './seals';
import { SeenDeliveries } from './seen';
import type { Delivery } from './verifyDelivery';

/** The record of one webhook address, in static data and in this process. */
export interface EndpointRecord extends Scope {
	/**
	 * Grows with every change, and is never below the time of the change (Unix ms). Of two records of one address, the
	 * one with the higher revision counts. That holds even if one of them began anew, as it does after the node was
	 * renamed.
	 */
	revision: number;
	/** True for "Listen for test event". */
	test: boolean;
	/** The endpoint that deliveries come from now. */
	endpoint: {
		id: string;
		/** Sealed; see {@link Seals}. */
		secret: string;
		events: string[];
		/** The status that the platform gave at creation. The API document does not show its values. */
		status: string | null;
	} | null;
	/** Sealed secrets of earlier endpoints. Times in Unix ms. */
	previous: Array<{ secret: string; untilMs: number }>;
}

/** The record of an address that has had no endpoint yet. */
const emptyRecord = (scope: Scope): EndpointRecord => ({
	...scope,
	revision: 0,
	test: false,
	endpoint: null,
	previous: [],
});

/**
 * Reads a record from static data. A record of another address or workflow is not trusted: a workflow that was
 * duplicated, imported or restored inherits it.
 *
 * @returns undefined if there is none to trust
 */
function trustedRecord(stored: unknown, scope: Scope): EndpointRecord | undefined {
	if (!isObject(stored)) return undefined;
	const record = { ...emptyRecord(scope), ...stored } as EndpointRecord;
	const { address, workflowId, revision, endpoint, previous } = record;
	const isOfAddress = address === scope.address && workflowId === scope.workflowId;
	const isEndpointUsable = endpoint === null || typeof endpoint.secret === 'string';
	return isOfAddress && Number.isInteger(revision) && Array.isArray(previous) && isEndpointUsable
		? record
		: undefined;
}

/** How many secrets of earlier endpoints are kept, the latest first. Each can cost one hash per delivery. */
const MAX_PREVIOUS = 8;

/** The credential is read again after this time, so that a changed one seals anew what this process knows. ms. */
const READ_KEYS_EVERY_MS = 60_000;

/** Endpoints remembered at most, far more than one n8n runs. The one that was used longest ago is forgotten first. */
const MAX_MEMORIES = 10_000;

/** The memories by {@link memoryKey}, in the order of their last use. */
const endpointMemories = new Map<string, EndpointMemory>();

const memoryKey = (address: string, workflowId: string): string =>
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
	clock: Clock,
): EndpointMemory {
	const workflowId = String(context.getWorkflow().id ?? '');
	const scope = { workflowId, address };
	const key = memoryKey(address, workflowId);
	const memory = endpointMemories.get(key) ?? new EndpointMemory(scope, clock);
	memory.merge(context.getWorkflowStaticData('node'));
	return keepLatest(endpointMemories, key, memory, MAX_MEMORIES);
}

/** This process's memory of a workflow's webhook address; undefined if it has none. */
export function existingMemory(address: string, workflowId: string): EndpointMemory | undefined {
	return endpointMemories.get(memoryKey(address, workflowId));
}

/** Forgets what this process remembers of an address, for all workflows. */
export function forgetAddress(address: string): void {
	for (const [key, memory] of endpointMemories)
		if (memory.scope.address === address) endpointMemories.delete(key);
}

/**
 * Everything that this process remembers of one webhook address: the record of its endpoint with the secrets, the
 * deliveries that were seen, and those that are not answered yet. All requests and hooks of the address share it.
 */
export class EndpointMemory {
	/** The newest record of the endpoint that this process knows. */
	record: EndpointRecord;
	readonly seals: Seals;
	/** When the credential was last read. ms of {@link Clock.monotonic} */
	private keysReadMs = -Infinity;
	readonly seen = new SeenDeliveries();
	readonly pending: PendingDeliveries;
	/** How many deliveries were refused within a minute, and when that minute began, Unix ms. */
	readonly refused = { sinceMs: 0, count: 0 };

	constructor(
		readonly scope: Scope,
		private readonly clock: Clock,
	) {
		this.record = emptyRecord(scope);
		this.seals = new Seals(scope);
		this.pending = new PendingDeliveries(this, clock);
	}

	/**
	 * Reads the keys of the seals from the credential, if there is something to open, or after a minute.
	 *
	 * @param isForced reads them in any case
	 * @throws Error if n8n cannot read the credential
	 */
	async readSealKeys(context: IHookFunctions | IWebhookFunctions, isForced = false): Promise<void> {
		const nowMs = this.clock.monotonic();
		const isRecent = nowMs - this.keysReadMs < READ_KEYS_EVERY_MS;
		const isEachTried = this.holders().every(({ secret }) => this.seals.hasTried(secret));
		if (isRecent && isEachTried && !isForced) return;
		// What the present keys can open is opened first: the next ones may be others.
		this.openAll();
		const { sealingSecret, apiKey } = await context.getCredentials<IDataObject>(CREDENTIAL);
		this.seals.useKeys([sealingSecret, apiKey]);
		this.openAll();
		this.keysReadMs = nowMs;
	}

	private openAll(): void {
		for (const { secret } of this.holders()) this.seals.unseal(secret);
	}

	/** What holds a sealed secret: the endpoint, then earlier ones. */
	private holders(): Array<{ secret: string; untilMs?: number }> {
		const { endpoint, previous } = this.record;
		return endpoint === null ? previous : [endpoint, ...previous];
	}

	/**
	 * The secrets that a delivery may be signed with, the current one first.
	 *
	 * @param acceptPrevious whether secrets of earlier endpoints count
	 */
	secrets(acceptPrevious: boolean): string[] {
		const nowMs = this.clock.now();
		return this.holders()
			.filter(({ untilMs }) => untilMs === undefined || (acceptPrevious && untilMs > nowMs))
			.flatMap(({ secret }) => this.seals.unseal(secret) || []);
	}

	/** Adds what static data knows, unless it belongs to another address or workflow. */
	merge(staticData: IDataObject): void {
		const stored = trustedRecord(staticData.record, this.scope);
		if (stored === undefined) return;
		if (stored.revision >= this.record.revision) this.record = stored;
		this.seen.merge(staticData.seen);
	}

	/**
	 * Tells a repeat from a new delivery. A new one is pending from now on.
	 *
	 * @param staticData the node's static data as this request loaded it
	 * @param answer the answer to this request
	 * @returns `repeat` if the delivery was executed before, `busy` while the same delivery is not answered yet
	 */
	admit(
		{ fingerprints, recognisedBy }: Pick<Delivery, 'fingerprints' | 'recognisedBy'>,
		staticData: IDataObject,
		answer: WebhookAnswer,
	): PendingDelivery | 'repeat' | 'busy' {
		if (this.pending.has(recognisedBy)) return 'busy';
		// n8n keeps static data by the node's name. After a rename it may hold an older endpoint, or none.
		const loaded = trustedRecord(staticData.record, this.scope);
		const isUpToDate = loaded !== undefined && loaded.endpoint?.id === this.record.endpoint?.id;
		if (recognisedBy.some((fingerprint) => this.seen.has(fingerprint))) {
			// Another process may have saved over what this one knows. A request without an execution saves it again.
			const isLess = String(staticData.seen ?? '').length < this.seen.saved.length;
			if (isLess && this.mayBeSaved({ isUpToDate })) this.save(staticData);
			return 'repeat';
		}
		return this.pending.add(fingerprints, new WebhookHandling(answer, staticData), isUpToDate);
	}

	/**
	 * Whether a save for a delivery overwrites no endpoint: the last writer wins. If none is known, another process is
	 * about to register one.
	 */
	mayBeSaved({ isUpToDate }: Pick<PendingDelivery, 'isUpToDate'>): boolean {
		return isUpToDate && this.record.endpoint !== null;
	}

	/** What static data is to hold: the record, with its secrets under the present key, and the deliveries. */
	serialize(): IDataObject {
		const seen = this.seen.saved;
		const { revision, endpoint, previous } = this.record;
		if (revision === 0) return { seen };
		const renewed = <T extends { secret: string }>(holder: T): T => ({
			...holder,
			secret: this.seals.renewed(holder.secret),
		});
		const record = {
			...this.record,
			endpoint: endpoint === null ? null : renewed(endpoint),
			previous: previous.map(renewed),
		};
		return { record: record as unknown as IDataObject, seen };
	}

	/** Changes the record, also by nothing, so that it counts from now on. A hook then saves everything. */
	change(change: Partial<EndpointRecord>, staticData: IDataObject): void {
		const revision = Math.max(this.record.revision + 1, this.clock.now());
		this.record = { ...this.record, ...change, revision };
		this.save(staticData);
	}

	/**
	 * Notes that the endpoint was removed, or given up.
	 *
	 * @param keepsSecret whether its secret and earlier ones are accepted for a while. If not, they are refused at once
	 */
	endEndpoint(keepsSecret: boolean, staticData: IDataObject): void {
		const { endpoint, previous } = this.record;
		const nowMs = this.clock.now();
		const ended = endpoint === null ? [] : [endpoint.secret];
		const latest = ended.map((secret) => ({ secret, untilMs: nowMs + RETRIED_FOR_MS }));
		const valid = [...latest, ...previous].filter(({ untilMs }) => untilMs > nowMs);
		const kept = keepsSecret ? valid.slice(0, MAX_PREVIOUS) : [];
		this.change({ endpoint: null, previous: kept }, staticData);
	}

	/** Puts everything into static data. n8n saves it after a hook. */
	save(staticData: IDataObject): void {
		this.pending.endAnswered();
		Object.assign(staticData, this.serialize());
	}
}
