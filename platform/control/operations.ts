import { setTimeout as pause } from 'node:timers/promises';
import {
	budgetsOfKeys,
	countRecords,
	findRecord,
	listRecords,
	type ListFilter,
	type RecordKind,
} from './view';
import { POINT_NAMES, pointOf } from '../dialects/table';
import { iso } from '../shop/clock';
import { touch, writeRecord, type DatedKind, type DatedWrite } from '../shop/history';
import { payOrder, placeOrder } from '../shop/orderStates';
import { notFound } from '../shop/refusal';
import { setLevel } from '../shop/stock';
import type { Fields } from '../shop/writing';
import type { DeliveryFilter } from '../deliveries/delivery';
import type { FaultRule } from '../faults/types';
import type { Level } from '../shop/inventory';
import type { NewKey } from '../api/keys';
import type { Running } from '../running';
import type { SettingsChange } from '../settings';
import type { ShopSize } from '../options';

const DEFAULT_SETTLE_MS = 10_000;
const SETTLE_STEP_MS = 2;

/**
 * The shop's side of the platform: what merchants, customers and operators do.
 *
 * @param apiUrl gives the API's address once it listens
 */
export const operations = (running: Running, apiUrl: () => string) => ({
	/** The API's address and the present settings, without the dialect. */
	platform: () => ({
		baseUrl: apiUrl(),
		settings: { ...running.world.settings, dialect: undefined },
	}),
	/** Pays this order; without an id the oldest unpaid one, or a new one if none is left. */
	payOrder: (orderId?: string) => payOrder(running.world.shop, orderId),
	/** A new, unpaid order (emits `order.created`). */
	createOrder: (fields?: Fields) => placeOrder(running.world.shop, fields),
	/** Changes stock as the shop does (emits `inventory.changed`). */
	setStock: (level: Pick<Level, 'sku' | 'location_id' | 'quantity'>) => {
		const { shop } = running.world;
		return setLevel(shop, { ...level, updated_at: iso(shop.clock.now()) });
	},
	/** Writes a record with any `updated_at` and emits nothing. Without an id it makes a new record. */
	writeRecord: (kind: DatedKind, write?: DatedWrite) =>
		writeRecord(running.world.shop, kind, write),
	/** Sets the same `updated_at` on the first `count` records of a kind (all, if absent); emits nothing. */
	touch: (kind: DatedKind, options?: { count?: number; updatedAt?: string }) =>
		touch(running.world.shop, kind, options),
	/** Sends an event to the endpoints that subscribe to it, and adds it to the event stream. */
	emit: (event: string, payload: Fields = {}) => ({
		deliveryIds: running.world.shop.emit(event, payload),
	}),
	/** Oldest first. */
	deliveries: (filter?: DeliveryFilter) => running.world.dispatcher.list(filter),
	/**
	 * Sends a delivery again and waits for the outcome. The id stays, the timestamp header is new. With `freshHeaders`
	 * the delivery id is new as well: the signature covers the body alone.
	 */
	replay: (deliveryId: string, { freshHeaders }: { freshHeaders?: boolean } = {}) =>
		running.world.dispatcher.replay(deliveryId, freshHeaders),
	/** Resolves when no delivery is waiting or under way, or after `timeoutMs` (10,000). */
	settled: async (timeoutMs = DEFAULT_SETTLE_MS) => {
		const end = Date.now() + timeoutMs;
		while (running.world.dispatcher.pending > 0 && Date.now() < end) await pause(SETTLE_STEP_MS);
		return { pending: running.world.dispatcher.pending };
	},
	endpoints: () => running.world.endpoints.all(),
	/** Works for deleted endpoints too. */
	endpointSecret: (endpointId: string) => running.world.endpoints.secretOf(endpointId),
	/** A `disabled` endpoint gets no deliveries. */
	setEndpointStatus: (endpointId: string, status: 'enabled' | 'disabled'): void => {
		running.world.endpoints.update(endpointId, { status });
	},
	createKey: (options?: Omit<NewKey, 'secret'>) => {
		const { secret, id } = running.keys.create(options);
		return { apiKey: secret, id };
	},
	revokeKey: (apiKey: string) => {
		if (!running.keys.revoke(apiKey)) throw notFound('such key');
	},
	counters: () => running.journal.counters(),
	/** Resets the counts, the in-flight maximum and the journal of requests. Violations stay. */
	resetCounters: () => running.journal.reset(),
	/** The last `limit` requests (10,000 at most), oldest first, with `maxBodyCharacters` of each body. */
	requests: (limit?: number, maxBodyCharacters?: number) =>
		running.journal.requests(limit, maxBodyCharacters),
	/** What remains of every key's budget; looking does not count as a request. */
	budgets: () => budgetsOfKeys(running),
	configure: (change: SettingsChange) => running.configure(change),
	/** The present dialect. */
	dialect: () => running.world.settings.dialect,
	/** Every switch of a dialect, with the open sentence and its readings. */
	openPoints: () => POINT_NAMES.map((name) => ({ name, ...pointOf(name), forms: undefined })),
	/** The fault rules as they were set. */
	faults: () => running.faults.rules,
	/** Replaces all fault rules; `[]` ends them. */
	setFaults: (faults: readonly FaultRule[]) => running.faults.set(faults),
	/**
	 * Sets the shop, endpoints, deliveries, counters, faults, windows and settings back to the start (or to another
	 * size). Keys, ports and violations of openapi.yaml stay.
	 */
	reset: (size?: ShopSize) => running.reset(size),
	/** The newest records of a kind (stock: in the order of the products), as the shop stores them. */
	list: (filter: ListFilter) => listRecords(running.world, filter),
	records: (kind: RecordKind) => countRecords(running.world, kind),
	/** One record, or `null`. Inventory: `"<sku>@<location_id>"`. */
	record: (kind: RecordKind, id: string) => findRecord(running.world, kind, id),
});

export type Operations = ReturnType<typeof operations>;

/** The shop's side of a platform in this process. An operation that fails throws an error with the reason. */
export type Control = {
	[Name in keyof Operations]: (
		...args: Parameters<Operations[Name]>
	) => Promise<Awaited<ReturnType<Operations[Name]>>>;
};

const copyOf = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** The operations for callers in this process. Arguments and results are copied, as they are over HTTP. */
export const controlOf = (platformOperations: Operations): Control =>
	Object.fromEntries(
		Object.entries(platformOperations).map(([name, operation]) => {
			const run = operation as (...args: unknown[]) => unknown;
			return [name, async (...args: unknown[]) => copyOf(await run(...args.map(copyOf)))];
		}),
	) as Control;

/** Names of the arguments over HTTP. An operation gets these in order, and then the whole object that holds them. */
export const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
	payOrder: ['orderId'],
	createOrder: ['fields'],
	writeRecord: ['kind'],
	touch: ['kind'],
	emit: ['event', 'payload'],
	replay: ['deliveryId'],
	settled: ['timeoutMs'],
	endpointSecret: ['endpointId'],
	setEndpointStatus: ['endpointId', 'status'],
	revokeKey: ['apiKey'],
	requests: ['limit', 'maxBodyCharacters'],
	setFaults: ['faults'],
	records: ['kind'],
	record: ['kind', 'id'],
} satisfies Partial<Record<keyof Operations, string[]>>;

/**
 * Operations that change nothing and need no arguments. All others take POST alone, which no image or link can send.
 */
export const READ_BY_GET: ReadonlySet<string> = new Set<keyof Operations>([
	'platform',
	'deliveries',
	'endpoints',
	'counters',
	'requests',
	'budgets',
	'dialect',
	'openPoints',
	'faults',
]);
