import type { NewKey as Key } from '../api/keys';
import type { Budgets } from '../api/rateLimit';
import type { Plan } from '../plans';

export type JsonRecord = Record<string, unknown>;

export type RecordKind =
	'products' | 'orders' | 'customers' | 'inventory' | 'categories' | 'events' | 'jobs';

export interface DeliveryAttempt {
	/** ISO 8601. */
	at: string;
	/** Status of the receiver's answer, if there was one. */
	status?: number;
	/** Why there was no answer: `timeout`, `ECONNREFUSED`, … */
	error?: string;
	durationMs: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export interface DeliveryRecord {
	/** `del_…`, the same over all attempts. */
	id: string;
	event: string;
	endpointId: string;
	url: string;
	state: DeliveryState;
	attempts: DeliveryAttempt[];
	/** ISO 8601 time of the next attempt while one is planned. */
	nextAttemptAt: string | null;
	/** The exact text that is signed and sent. */
	body: string;
	/** Headers of the last attempt, names in lower case. Empty before the first. */
	headers: Record<string, string>;
}

export interface DeliveryFilter {
	event?: string;
	endpointId?: string;
	state?: DeliveryState;
	/** Only the newest so many; at least 1. */
	limit?: number;
}

export interface StockLevel {
	sku: string;
	location_id: string;
	quantity: number;
}

export interface RouteCount {
	method: string;
	/** Path of openapi.yaml, e.g. `/products/{id}`; `(unmatched)` for anything else. */
	route: string;
	/** 0 = the connection ended without an answer. */
	status: number;
	count: number;
}

export interface Counters {
	/** Requests that arrived at the API since the start or the last `resetCounters`. */
	total: number;
	byRoute: RouteCount[];
	inFlight: number;
	maxInFlight: number;
	/** How often a write under this Idempotency-Key was applied (1 unless something is broken). */
	writesByIdempotencyKey: Record<string, number>;
	/** Writes answered from the memory of an earlier one. */
	replays: number;
	/** Responses of the platform itself that strayed from openapi.yaml, since the start: no reset forgets them. */
	contractViolations: number;
	/** What strayed, the last fifty. */
	violations: string[];
	/** Requests that were answered 400 or that no endpoint is for, with the reason: the last fifty since the start. Faults do not count. */
	refusedRequests: string[];
}

export interface RecordedRequest {
	/** ISO 8601. */
	at: string;
	method: string;
	/** The request target exactly as it stood on the wire, query included. */
	target: string;
	/** Names in lower case, without `authorization`. */
	headers: Record<string, string | string[]>;
	/** Raw text of the body. */
	body?: string;
	/** 0 = the connection ended without an answer. */
	status: number;
}

export type NewKey = Omit<Key, 'secret'>;

/** What a key has left of its windows. */
export interface KeyBudget extends Budgets {
	id: string;
	name: string;
	/** Its last characters only. */
	key: string;
	plan: Plan;
}

export interface ListFilter {
	kind: 'orders' | 'products' | 'customers' | 'inventory';
	/** 25 if absent, 500 at most. */
	limit?: number;
	/** Only records in this state. */
	status?: string;
	/** Only records that hold this text. */
	q?: string;
}

export interface ListedRecords {
	records: JsonRecord[];
	/** There are more than `limit` asked for. */
	hasMore: boolean;
	/** There are more than a filter looks at. */
	isPartial: boolean;
}
