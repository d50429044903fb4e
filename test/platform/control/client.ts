import type { DatedKind, DatedWrite } from '../shop/history';
import type { FaultRule } from '../faults/types';
import type { SettingsChange } from '../settings';
import type { ShopSize } from '../options';
import type { Operations } from './operations';
import type {
	DeliveryFilter,
	JsonRecord,
	ListFilter,
	NewKey,
	RecordKind,
	StockLevel,
} from './types';

type Result<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;

/**
 * The shop's side of the platform: what merchants, customers and operators do, for tests and the
 * demo. Works over HTTP, from any process.
 *
 * @param controlUrl `http://127.0.0.1:PORT`, as printed by `npm run platform`.
 * Every method throws an Error that names the operation and the platform's reason.
 */
export function createControlClient(controlUrl: string) {
	const call = async <Name extends keyof Operations>(
		operation: Name,
		args: object = {},
	): Promise<Result<Name>> => {
		const response = await fetch(`${controlUrl}/${operation}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(args),
		});
		const answer = (await response.json()) as { result: Result<Name>; error?: string };
		if (!response.ok) {
			throw new Error(`Control operation "${operation}" failed: ${answer.error}`);
		}
		return answer.result;
	};
	return {
		/** The API's address and the present settings, but for the dialect. */
		platform: async () => call('platform'),
		/** Pays this order; without an id the oldest unpaid one, or a new one if none is left. */
		payOrder: async (orderId?: string) => call('payOrder', { orderId }),
		/** A new, unpaid order (emits `order.created`). */
		createOrder: async (fields?: JsonRecord) => call('createOrder', { fields }),
		/** Changes stock as the shop itself does (emits `inventory.changed`). */
		setStock: async (level: StockLevel) => call('setStock', level),
		/**
		 * Writes a record with an `updated_at` of one's own choice and emits nothing. Without an id a new
		 * record is made.
		 */
		writeRecord: async (kind: DatedKind, write?: DatedWrite) =>
			call('writeRecord', { kind, ...write }),
		/** Gives the first `count` records of a kind (all, if absent) the same `updated_at`; emits nothing. */
		touch: async (kind: DatedKind, options?: { count?: number; updatedAt?: string }) =>
			call('touch', { kind, ...options }),
		/** Sends any event to the endpoints that subscribe to it, and adds it to the event stream. */
		emit: async (event: string, payload: JsonRecord) => call('emit', { event, payload }),
		/** Oldest first. */
		deliveries: async (filter?: DeliveryFilter) => call('deliveries', filter),
		/**
		 * Sends a delivery once more and waits for the outcome. The id stays, the timestamp header is
		 * fresh. With `freshHeaders` the delivery id is a new one as well (the signature cannot tell).
		 */
		replay: async (deliveryId: string, options?: { freshHeaders?: boolean }) =>
			call('replay', { deliveryId, ...options }),
		/** Resolves once no delivery is waiting or on its way, or after `timeoutMs` (10,000). */
		settled: async (timeoutMs?: number) => call('settled', { timeoutMs }),
		endpoints: async () => call('endpoints'),
		/** Works for deleted endpoints too. */
		endpointSecret: async (endpointId: string) => call('endpointSecret', { endpointId }),
		/** `disabled` endpoints get no deliveries. */
		setEndpointStatus: async (endpointId: string, status: 'enabled' | 'disabled') =>
			call('setEndpointStatus', { endpointId, status }),
		createKey: async (options?: NewKey) => call('createKey', options),
		revokeKey: async (apiKey: string) => call('revokeKey', { apiKey }),
		counters: async () => call('counters'),
		/** Sets counts, in-flight maximum and the journal of requests back. What strayed stays. */
		resetCounters: async () => call('resetCounters'),
		/** The last `limit` requests (10,000 at most), oldest first; bodies up to so many characters. */
		requests: async (limit?: number, maxBodyCharacters?: number) =>
			call('requests', { limit, maxBodyCharacters }),
		/** What every key has left; looking costs nothing. */
		budgets: async () => call('budgets'),
		configure: async (settings: SettingsChange) => call('configure', settings),
		/** The dialect that is spoken at present. */
		dialect: async () => call('dialect'),
		/** Every switch of a dialect, with the sentence that is open and its readings. */
		openPoints: async () => call('openPoints'),
		/** The fault rules as they were set. */
		faults: async () => call('faults'),
		/** Replaces all fault rules; `[]` ends them. */
		setFaults: async (faults: readonly FaultRule[]) => call('setFaults', { faults }),
		/**
		 * Shop, endpoints, deliveries, counters, faults, windows and settings as they were at the start
		 * (or with another size). Keys and ports stay, and what strayed from openapi.yaml.
		 */
		reset: async (size?: ShopSize) => call('reset', size),
		/** The newest records of a kind (stock: in the order of the products), as the shop keeps them. */
		list: async (filter: ListFilter) => call('list', filter),
		records: async (kind: RecordKind) => call('records', { kind }),
		/** One record, or `null`. Inventory: `"<sku>@<location_id>"`. */
		record: async (kind: RecordKind, id: string) => call('record', { kind, id }),
	};
}

export type ControlClient = ReturnType<typeof createControlClient>;
