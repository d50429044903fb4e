import type { NewKey as Key } from '../api/keys';
import type { Budgets } from '../api/rateLimit';
import type { Dialect, PointName } from '../dialects/dialect';
import type { OpenPoint } from '../dialects/table';
import type { Plan } from '../plans';
import type { DatedKind, DatedWrite } from '../shop/history';
import type { FaultRule } from '../faults/types';
import type { Settings, SettingsChange } from '../settings';
import type { ShopSize } from '../options';

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

export interface EndpointRecord {
	id: string;
	url: string;
	events: string[];
	description: string;
	status: string;
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

/**
 * The shop's side of the platform: what merchants, customers and operators do, for tests and the
 * demo. Works over HTTP, from any process.
 */
export interface ControlClient {
	/** The API's address and the present settings, but for the dialect. */
	platform(): Promise<{ baseUrl: string; settings: Omit<Settings, 'dialect'> }>;
	/** Pays this order; without an id the oldest unpaid one, or a new one if none is left. */
	payOrder(orderId?: string): Promise<{ order: JsonRecord; deliveryIds: string[] }>;
	/** A new, unpaid order (emits `order.created`). */
	createOrder(fields?: JsonRecord): Promise<{ order: JsonRecord; deliveryIds: string[] }>;
	/** Changes stock as the shop itself does (emits `inventory.changed`). */
	setStock(level: StockLevel): Promise<{ level: JsonRecord; deliveryIds: string[] }>;
	/**
	 * Writes a record with an `updated_at` of one's own choice and emits nothing. Without an id a new
	 * record is made. With `visibleAfterMs` the write shows in no answer before that time has passed:
	 * a late commit, whose `updated_at` lies before changes that were seen earlier.
	 */
	writeRecord(
		kind: DatedKind,
		write?: DatedWrite & { visibleAfterMs?: number },
	): Promise<{ id: string; updated_at: string }>;
	/** Gives the first `count` records of a kind (all, if absent) the same `updated_at`; emits nothing. */
	touch(
		kind: DatedKind,
		options?: { count?: number; updatedAt?: string },
	): Promise<{ count: number; updated_at: string }>;
	/** Sends any event to the endpoints that subscribe to it, and adds it to the event stream. */
	emit(event: string, payload: JsonRecord): Promise<{ deliveryIds: string[] }>;
	/** Oldest first. */
	deliveries(filter?: DeliveryFilter): Promise<DeliveryRecord[]>;
	/**
	 * Sends a delivery once more and waits for the outcome. The id stays, the timestamp header is
	 * fresh. With `freshHeaders` the delivery id is a new one as well (the signature cannot tell).
	 */
	replay(deliveryId: string, options?: { freshHeaders?: boolean }): Promise<void>;
	/** Resolves once no delivery is waiting or on its way, or after `timeoutMs` (10,000). */
	settled(timeoutMs?: number): Promise<{ pending: number }>;
	endpoints(): Promise<EndpointRecord[]>;
	/** Works for deleted endpoints too. */
	endpointSecret(endpointId: string): Promise<string>;
	/** `disabled` endpoints get no deliveries. */
	setEndpointStatus(endpointId: string, status: 'enabled' | 'disabled'): Promise<void>;
	createKey(options?: NewKey): Promise<{ apiKey: string; id: string }>;
	revokeKey(apiKey: string): Promise<void>;
	counters(): Promise<Counters>;
	/** Sets counts, in-flight maximum and the journal of requests back. What strayed stays. */
	resetCounters(): Promise<void>;
	/** The last `limit` requests (10,000 at most), oldest first; bodies up to so many characters. */
	requests(limit?: number, maxBodyCharacters?: number): Promise<RecordedRequest[]>;
	/** What every key has left; looking costs nothing. */
	budgets(): Promise<KeyBudget[]>;
	configure(settings: SettingsChange): Promise<void>;
	/** The dialect that is spoken at present. */
	dialect(): Promise<Dialect>;
	/** Every switch of a dialect, with the sentence that is open and its readings. */
	openPoints(): Promise<Array<OpenPoint & { name: PointName }>>;
	/** The fault rules as they were set. */
	faults(): Promise<FaultRule[]>;
	/** Replaces all fault rules; `[]` ends them. */
	setFaults(faults: FaultRule[]): Promise<void>;
	/**
	 * Shop, endpoints, deliveries, counters, faults, windows and settings as they were at the start
	 * (or with another size). Keys and ports stay, and what strayed from openapi.yaml.
	 */
	reset(size?: ShopSize): Promise<void>;
	/** The newest records of a kind (stock: in the order of the products), as the shop keeps them. */
	list(filter: ListFilter): Promise<ListedRecords>;
	records(kind: RecordKind): Promise<{ count: number }>;
	/** One record, or `null`. Inventory: `"<sku>@<location_id>"`. */
	record(kind: RecordKind, id: string): Promise<JsonRecord | null>;
}
