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
 * @param apiUrl the API's address, once it listens.
 */
export const operations = (running: Running, apiUrl: () => string) => ({
	/** The API's address and the present settings, but for the dialect. */
	platform: () => ({
		baseUrl: apiUrl(),
		settings: { ...running.world.settings, dialect: undefined },
	}),
	/** Pays this order; without an id the oldest unpaid one, or a new one if none is left. */
	payOrder: (orderId?: string) => payOrder(running.world.shop, orderId),
	/** A new, unpaid order (emits `order.created`). */
	createOrder: (fields?: Fields) => placeOrder(running.world.shop, fields),
	/** Changes stock as the shop itself does (emits `inventory.changed`). */
	setStock: (level: Pick<Level, 'sku' | 'location_id' | 'quantity'>) => {
		const { shop } = running.world;
		return setLevel(shop, { ...level, updated_at: iso(shop.clock.now()) });
	},
	/**
	 * Writes a record with an `updated_at` of one's own choice and emits nothing. Without an id a new
	 * record is made.
	 */
	writeRecord: (kind: DatedKind, write?: DatedWrite) =>
		writeRecord(running.world.shop, kind, write),
	/** Gives the first `count` records of a kind (all, if absent) the same `updated_at`; emits nothing. */
	touch: (kind: DatedKind, options?: { count?: number; updatedAt?: string }) =>
		touch(running.world.shop, kind, options),
	/** Sends any event to the endpoints that subscribe to it, and adds it to the event stream. */
	emit: (event: string, payload: Fields = {}) => ({
		deliveryIds: running.world.shop.emit(event, payload),
	}),
	/** Oldest first. */
	deliveries: (filter?: DeliveryFilter) => running.world.dispatcher.list(filter),
	/**
	 * Sends a delivery once more and waits for the outcome. The id stays, the timestamp header is
	 * fresh. With `freshHeaders` the delivery id is a new one as well (the signature cannot tell).
	 */
	replay: (deliveryId: string, { freshHeaders }: { freshHeaders?: boolean } = {}) =>
		running.world.dispatcher.replay(deliveryId, freshHeaders),
	/** Resolves once no delivery is waiting or on its way, or after `timeoutMs` (10,000). */
	settled: async (timeoutMs = DEFAULT_SETTLE_MS) => {
		const end = Date.now() + timeoutMs;
		while (running.world.dispatcher.pending > 0 && Date.now() < end) await pause(SETTLE_STEP_MS);
		return { pending: running.world.dispatcher.pending };
	},
	endpoints: () => running.world.endpoints.all(),
	/** Works for deleted endpoints too. */
	endpointSecret: (endpointId: string) => running.world.endpoints.secretOf(endpointId),
	/** `disabled` endpoints get no deliveries. */
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
	/** Sets counts, in-flight maximum and the journal of requests back. What strayed stays. */
	resetCounters: () => running.journal.reset(),
	/** The last `limit` requests (10,000 at most), oldest first; bodies up to so many characters. */
	requests: (limit?: number, maxBodyCharacters?: number) =>
		running.journal.requests(limit, maxBodyCharacters),
	/** What every key has left; looking costs nothing. */
	budgets: () => budgetsOfKeys(running),
	configure: (change: SettingsChange) => running.configure(change),
	/** The dialect that is spoken at present. */
	dialect: () => running.world.settings.dialect,
	/** Every switch of a dialect, with the sentence that is open and its readings. */
	openPoints: () => POINT_NAMES.map((name) => ({ name, ...pointOf(name), forms: undefined })),
	/** The fault rules as they were set. */
	faults: () => running.faults.rules,
	/** Replaces all fault rules; `[]` ends them. */
	setFaults: (faults: readonly FaultRule[]) => running.faults.set(faults),
	/**
	 * Shop, endpoints, deliveries, counters, faults, windows and settings as they were at the start
	 * (or with another size). Keys and ports stay, and what strayed from openapi.yaml.
	 */
	reset: (size?: ShopSize) => running.reset(size),
	/** The newest records of a kind (stock: in the order of the products), as the shop keeps them. */
	list: (filter: ListFilter) => listRecords(running.world, filter),
	records: (kind: RecordKind) => countRecords(running.world, kind),
	/** One record, or `null`. Inventory: `"<sku>@<location_id>"`. */
	record: (kind: RecordKind, id: string) => findRecord(running.world, kind, id),
});

export type Operations = ReturnType<typeof operations>;

/** The shop's side of a platform in this process; each operation throws what is wrong. */
export type Control = {
	[Name in keyof Operations]: (
		...args: Parameters<Operations[Name]>
	) => Promise<Awaited<ReturnType<Operations[Name]>>>;
};

const copyOf = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** The operations for this process: what they are given and what they give are copies, as over HTTP. */
export const controlOf = (of: Operations): Control =>
	Object.fromEntries(
		Object.entries(of).map(([name, operation]) => {
			const run = operation as (...args: unknown[]) => unknown;
			return [name, async (...args: unknown[]) => copyOf(await run(...args.map(copyOf)))];
		}),
	) as Control;

/**
 * Names of the arguments of operations over HTTP. What else an operation takes is the object that holds them.
 */
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

/** What changes nothing and needs no arguments. All else is POST alone, which no image or link of a page can send. */
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
