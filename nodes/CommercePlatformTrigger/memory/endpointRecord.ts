import type { IDataObject } from 'n8n-workflow';

import type { Seal } from './seal';

/** Secrets of earlier endpoints kept at most, the latest first. Each can cost one hash per delivery. */
const MAX_PREVIOUS = 8;

/** Endpoints that could not be removed, remembered at most. */
const MAX_STRANDED = 20;

/** The endpoint that deliveries come from now. */
export interface HeldEndpoint {
	id: string;
	/** Sealed; see `seal.ts`. */
	secret: string;
	events: string[];
	/** As the platform said at creation; its values are not shown in the API document. */
	status: string | null;
}

/** An endpoint that could not be removed. It is never used again, so it is safe to remove. */
export interface StrandedEndpoint {
	id: string;
	address: string;
}

/** What is remembered of one webhook address, in static data and in the process. */
export interface EndpointRecord {
	address: string;
	workflowId: string;
	/** Grows with every change. Of two records of one address, the one with the higher revision counts. */
	revision: number;
	/** True for "Listen for test event". */
	test: boolean;
	endpoint: HeldEndpoint | null;
	/** Sealed secrets of earlier endpoints. Times in Unix ms. */
	previous: Array<{ secret: string; untilMs: number }>;
	stranded: StrandedEndpoint[];
}

/** The record of an address of which nothing is known yet. */
export function emptyRecord(address: string, workflowId: string): EndpointRecord {
	return {
		address,
		workflowId,
		revision: 0,
		test: false,
		endpoint: null,
		previous: [],
		stranded: [],
	};
}

/**
 * Reads a record out of static data. State that belongs to another address or workflow is not trusted: a
 * duplicated, imported or restored workflow inherits it.
 *
 * @returns undefined if there is none that can be trusted
 */
export function trustedRecord(
	stored: unknown,
	address: string,
	workflowId: string,
): EndpointRecord | undefined {
	if (typeof stored !== 'object' || stored === null) return undefined;
	const record = { ...emptyRecord(address, workflowId), ...stored } as EndpointRecord;
	const fits = record.address === address && record.workflowId === workflowId;
	return fits && isComplete(record) ? record : undefined;
}

function isComplete({ revision, endpoint, previous, stranded }: EndpointRecord): boolean {
	const lists = Array.isArray(previous) && Array.isArray(stranded);
	const held = endpoint === null || typeof endpoint.secret === 'string';
	return Number.isInteger(revision) && lists && held;
}

/** Endpoints that static data of whatever origin calls stranded: safe to remove wherever they are found. */
export function strandedIn(stored: unknown): StrandedEndpoint[] {
	const list = (stored as Partial<EndpointRecord> | null | undefined)?.stranded;
	if (!Array.isArray(list)) return [];
	return list
		.filter((entry) => typeof entry?.id === 'string' && typeof entry.address === 'string')
		.map(({ id, address }) => ({ id, address }));
}

/** The newer of two records of one address. */
export function newerRecord(
	a: EndpointRecord | undefined,
	b: EndpointRecord | undefined,
): EndpointRecord | undefined {
	if (a === undefined || b === undefined) return a ?? b;
	return b.revision > a.revision ? b : a;
}

/**
 * The record after the endpoint was removed, or was given up.
 *
 * @param nowMs Unix ms
 * @param keepSecretMs how long its secret is accepted from then on; 0 if the user wants a replaced secret to be
 *   refused at once
 */
export function withoutEndpoint(
	record: EndpointRecord,
	nowMs: number,
	keepSecretMs: number,
): EndpointRecord {
	const ended = record.endpoint === null ? [] : [record.endpoint.secret];
	const latest = ended.map((secret) => ({ secret, untilMs: nowMs + keepSecretMs }));
	const valid = [...latest, ...record.previous].filter(({ untilMs }) => untilMs > nowMs);
	return {
		...record,
		revision: record.revision + 1,
		endpoint: null,
		previous: keepSecretMs > 0 ? valid.slice(0, MAX_PREVIOUS) : [],
	};
}

/** The record with endpoints added that could not be removed, each once, the latest kept. */
export function withStranded(
	record: EndpointRecord,
	more: readonly StrandedEndpoint[],
): EndpointRecord {
	const byKey = new Map(
		[...record.stranded, ...more].map((one) => [`${one.id} ${one.address}`, one]),
	);
	return { ...record, stranded: [...byKey.values()].slice(-MAX_STRANDED) };
}

/**
 * The secrets that a delivery may be signed with, the current one first.
 *
 * @param nowMs Unix ms
 * @param acceptPrevious whether secrets of earlier endpoints count
 */
export function secretsOf(
	record: EndpointRecord | undefined,
	seal: Seal,
	nowMs: number,
	acceptPrevious: boolean,
): string[] {
	if (record === undefined) return [];
	const previous = record.previous.filter(({ untilMs }) => acceptPrevious && untilMs > nowMs);
	return [record.endpoint, ...previous].flatMap((one) => {
		const secret = one === null ? undefined : seal.unseal(one.secret);
		return secret ? [secret] : [];
	});
}

/** The record as static data keeps it. */
export function asData(record: EndpointRecord): IDataObject {
	return { ...record } as unknown as IDataObject;
}
