import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { isObject } from '../../shared/values/json';

/** How many secrets of earlier endpoints are kept, the latest first. Each can cost one hash per delivery. */
const MAX_PREVIOUS = 8;

/** How many endpoints are remembered that could not be removed. */
const MAX_STRANDED = 20;

/** An endpoint that could not be removed. It is never used again, so it is safe to remove. */
export interface StrandedEndpoint {
	id: string;
	address: string;
}

/** The record of one webhook address, in static data and in this process. */
export interface EndpointRecord {
	address: string;
	workflowId: string;
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
		/** Sealed; see {@link Seal}. */
		secret: string;
		events: string[];
		/** The status that the platform gave at creation. The API document does not show its values. */
		status: string | null;
	} | null;
	/** Sealed secrets of earlier endpoints. Times in Unix ms. */
	previous: Array<{ secret: string; untilMs: number }>;
	stranded: StrandedEndpoint[];
}

/** The record of an address that has had no endpoint yet. */
export function emptyRecord({
	address,
	workflowId,
}: Omit<SealScope, 'instanceId'>): EndpointRecord {
	const unknown = { revision: 0, test: false, endpoint: null, previous: [], stranded: [] };
	return { address, workflowId, ...unknown };
}

/**
 * Reads a record from static data. A record of another address or workflow is not trusted: a workflow that was
 * duplicated, imported or restored inherits it.
 *
 * @returns undefined if there is none to trust
 */
export function trustedRecord(
	stored: unknown,
	{ address, workflowId }: Omit<SealScope, 'instanceId'>,
): EndpointRecord | undefined {
	if (!isObject(stored)) return undefined;
	const record = { ...emptyRecord({ address, workflowId }), ...stored } as EndpointRecord;
	const { revision, endpoint, previous, stranded } = record;
	const isOfAddress = record.address === address && record.workflowId === workflowId;
	const hasLists = Array.isArray(previous) && Array.isArray(stranded);
	const isEndpointUsable = endpoint === null || typeof endpoint.secret === 'string';
	return isOfAddress && Number.isInteger(revision) && hasLists && isEndpointUsable
		? record
		: undefined;
}

/** The endpoints that static data calls stranded, whatever its origin: they are safe to remove anywhere. */
export function strandedIn(stored: unknown): StrandedEndpoint[] {
	const list = (stored as Partial<EndpointRecord> | null | undefined)?.stranded;
	if (!Array.isArray(list)) return [];
	return list
		.filter((entry) => typeof entry?.id === 'string' && typeof entry.address === 'string')
		.map(({ id, address }) => ({ id, address }));
}

/** The record after a change. */
export function changed(
	record: EndpointRecord,
	nowMs: number,
	change: Partial<EndpointRecord>,
): EndpointRecord {
	return { ...record, ...change, revision: Math.max(record.revision + 1, nowMs) };
}

/**
 * The record after its endpoint was removed, or given up.
 *
 * @param nowMs Unix ms
 * @param keepSecretMs how long its secret is accepted from then on; 0 if the user wants a replaced secret to be refused
 *   at once
 */
export function withoutEndpoint(
	record: EndpointRecord,
	nowMs: number,
	keepSecretMs: number,
): EndpointRecord {
	const ended = record.endpoint === null ? [] : [record.endpoint.secret];
	const latest = ended.map((secret) => ({ secret, untilMs: nowMs + keepSecretMs }));
	const valid = [...latest, ...record.previous].filter(({ untilMs }) => untilMs > nowMs);
	return changed(record, nowMs, {
		endpoint: null,
		previous: keepSecretMs > 0 ? valid.slice(0, MAX_PREVIOUS) : [],
	});
}

/**
 * The record with further endpoints that could not be removed. Each is kept once, the latest if there are too many.
 */
export function withStranded(
	record: EndpointRecord,
	stranded: readonly StrandedEndpoint[],
): EndpointRecord {
	const endpoints = [...record.stranded, ...stranded];
	const byKey = new Map(
		endpoints.map((endpoint) => [`${endpoint.id} ${endpoint.address}`, endpoint]),
	);
	return { ...record, stranded: [...byKey.values()].slice(-MAX_STRANDED) };
}

/** The only n8n, workflow and address that can read a sealed text. */
export interface SealScope {
	/** n8n's id of the instance, the same in all its processes. */
	instanceId: string;
	workflowId: string;
	address: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How many opened secrets a seal keeps. An address never has so many. */
const MAX_OPENED = 32;

/**
 * Encrypts secrets (AES-256-GCM) for one n8n instance, workflow and webhook address. n8n copies static data with a
 * workflow: into exports, duplicates and imports. There nobody reads a sealed secret at a glance, and no trigger can
 * use it. A seal does not protect from someone who has the database and the instance's id.
 */
export class Seal {
	private readonly key: Buffer;
	private readonly scope: Buffer;
	/**
	 * Secrets that were opened, by their sealed text. Every delivery needs the same ones, and opening costs more than all
	 * else.
	 */
	private readonly opened = new Map<string, string>();

	constructor({ instanceId, workflowId, address }: SealScope) {
		const label = 'n8n-nodes-commerce-platform endpoint secret';
		this.key = Buffer.from(hkdfSync('sha256', instanceId, workflowId, label, 32));
		this.scope = Buffer.from(JSON.stringify([workflowId, address]));
	}

	seal(text: string): string {
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(this.scope);
		const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
		return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
	}

	/** @returns undefined if the text was sealed for another scope, or is not sealed */
	unseal(sealed: string): string | undefined {
		const openedBefore = this.opened.get(sealed);
		if (openedBefore !== undefined) return openedBefore;
		const bytes = Buffer.from(sealed, 'base64');
		const nonce = bytes.subarray(0, NONCE_BYTES);
		const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
		const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
		try {
			const options = { authTagLength: TAG_BYTES };
			const decipher = createDecipheriv('aes-256-gcm', this.key, nonce, options);
			decipher.setAAD(this.scope).setAuthTag(tag);
			const text = Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
			if (this.opened.size >= MAX_OPENED) this.opened.clear();
			this.opened.set(sealed, text);
			return text;
		} catch {
			return undefined;
		}
	}
}
