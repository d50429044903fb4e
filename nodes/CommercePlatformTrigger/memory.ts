import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { WebhookHandling, type WebhookAnswer } from '../shared/n8n';
import type { Clock } from '../shared/rest/clock';
import { CREDENTIAL } from '../shared/rest/request';
import { isObject } from '../shared/values/json';
import { keepLatest } from '../shared/values/maps';
import { type Delivery, FINGERPRINT_LENGTH } from './verifyDelivery';

/** The workflow and the address that a memory belongs to. Nobody else can read its sealed texts. */
interface Scope {
	workflowId: string;
	address: string;
}

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

/**
 * The platform's last retry comes 26.6 hours after the first attempt (API document, "Retry policy"). After this time, a
 * delivery that n8n has not answered is given up, and the secret of a replaced endpoint is no longer accepted. ms.
 */
const RETRIED_FOR_MS = 27 * 3_600_000;

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
interface PendingDelivery {
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
class PendingDeliveries {
	/** The deliveries in the order of their arrival. */
	private readonly pending = new Set<PendingDelivery>();
	private isAsking = false;
	/** When n8n was given an item, and when it saved static data, the last time. ms of {@link Clock.monotonic} */
	private handedOverMs = -Infinity;
	private savedMs = -Infinity;

	/** @param memory of the endpoint */
	constructor(
		private readonly memory: EndpointMemory,
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

/** A text of any number of fingerprints, one after the other. */
const FINGERPRINTS = /^(?:[A-Za-z0-9_-]{8})*$/;

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

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets (AES-256-GCM) for one workflow and webhook address, with a key of the credential, which n8n itself
 * keeps encrypted. n8n copies static data with a workflow: into exports, duplicates and imports. There nobody can open a
 * sealed secret without the credential.
 */
class Seals {
	/** The keys that open, as base64; the first one seals. None before the credential is read. */
	private keys: string[] = [];
	private readonly scope: Buffer;
	/** What was opened or could not be opened, by its sealed text. Opening costs more than all else of a delivery. */
	private readonly opened = new Map<string, { text: string; key: string } | undefined>();
	/** New seals of what an earlier key had sealed. */
	private readonly renewals = new Map<string, string>();

	constructor(private readonly place: Scope) {
		this.scope = Buffer.from(JSON.stringify([place.workflowId, place.address]));
	}

	/** @param materials texts that only n8n's credential holds; the first that is not empty seals from now on */
	useKeys(materials: unknown[]): void {
		const label = 'n8n-nodes-commerce-platform endpoint secret';
		const { workflowId } = this.place;
		this.keys = materials
			.filter((material) => typeof material === 'string' && material !== '')
			.map((material) =>
				Buffer.from(hkdfSync('sha256', String(material), workflowId, label, 32)).toString('base64'),
			);
		this.renewals.clear();
		for (const [sealed, secret] of this.opened) if (!secret) this.opened.delete(sealed);
	}

	seal(text: string): string {
		const [key] = this.keys;
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
		cipher.setAAD(this.scope);
		const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
		const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
		this.opened.set(sealed, { text, key });
		return sealed;
	}

	/** Whether the present keys were tried on a sealed text. */
	hasTried(sealed: string): boolean {
		return this.opened.has(sealed);
	}

	/** @returns undefined if the text was sealed for another scope or with another key, or is not sealed */
	unseal(sealed: string): string | undefined {
		if (!this.opened.has(sealed)) this.opened.set(sealed, this.open(Buffer.from(sealed, 'base64')));
		return this.opened.get(sealed)?.text;
	}

	/** The same text under the present key, if an earlier key had sealed it and it was opened. */
	renewed(sealed: string): string {
		const secret = this.opened.get(sealed);
		if (secret === undefined || secret.key === this.keys[0]) return sealed;
		const renewal = this.renewals.get(sealed) ?? this.seal(secret.text);
		this.renewals.set(sealed, renewal);
		return renewal;
	}

	private open(bytes: Buffer): { text: string; key: string } | undefined {
		const nonce = bytes.subarray(0, NONCE_BYTES);
		const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
		const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
		const options = { authTagLength: TAG_BYTES };
		for (const key of this.keys) {
			try {
				const secret = Buffer.from(key, 'base64');
				const decipher = createDecipheriv('aes-256-gcm', secret, nonce, options);
				decipher.setAAD(this.scope).setAuthTag(tag);
				return {
					text: `${decipher.update(body, undefined, 'utf8')}${decipher.final('utf8')}`,
					key,
				};
			} catch {
				// Sealed with another key, or not sealed at all.
			}
		}
		return undefined;
	}
}
