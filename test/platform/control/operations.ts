import { setTimeout as pause } from 'node:timers/promises';
import { budgetsOfKeys, countRecords, findRecord, listRecords } from './view';
import { POINT_NAMES, pointOf } from '../dialects/table';
import { iso } from '../shop/clock';
import { touch, writeRecord, type DatedKind, type DatedWrite } from '../shop/history';
import { payOrder, placeOrder } from '../shop/orderStates';
import { notFound } from '../shop/refusal';
import { setLevel } from '../shop/stock';
import type { FaultRule } from '../faults/types';
import type { Running } from '../running';
import type {
	Counters,
	DeliveryFilter,
	JsonRecord,
	ListFilter,
	NewKey,
	RecordKind,
	StockLevel,
} from './types';
import type { SettingsChange } from '../settings';
import type { ShopSize } from '../options';

const DEFAULT_SETTLE_MS = 10_000;
const SETTLE_STEP_MS = 10;

/** The control API: each operation by its name, with its arguments as one object. */
export const operations = (running: Running, apiUrl: () => string) => ({
	platform: () => ({
		baseUrl: apiUrl(),
		settings: { ...running.world.settings, dialect: undefined },
	}),
	payOrder: ({ orderId }: { orderId?: string }) => payOrder(running.world.shop, orderId),
	createOrder: ({ fields }: { fields?: JsonRecord }) => placeOrder(running.world.shop, fields),
	setStock: (level: StockLevel) => {
		const { shop } = running.world;
		return setLevel(shop, { ...level, updated_at: iso(shop.clock.now()) });
	},
	writeRecord: ({ kind, ...write }: { kind: DatedKind } & DatedWrite) =>
		writeRecord(running.world.shop, kind, write),
	touch: ({ kind, ...options }: { kind: DatedKind; count?: number; updatedAt?: string }) =>
		touch(running.world.shop, kind, options),
	emit: ({ event, payload }: { event: string; payload?: JsonRecord }) => ({
		deliveryIds: running.world.shop.emit(event, payload ?? {}),
	}),
	deliveries: (filter: DeliveryFilter) => running.world.dispatcher.list(filter),
	replay: ({ deliveryId, freshHeaders }: { deliveryId: string; freshHeaders?: boolean }) =>
		running.world.dispatcher.replay(deliveryId, freshHeaders),
	settled: async ({ timeoutMs = DEFAULT_SETTLE_MS }: { timeoutMs?: number }) => {
		const end = Date.now() + timeoutMs;
		while (running.world.dispatcher.pending > 0 && Date.now() < end) await pause(SETTLE_STEP_MS);
		return { pending: running.world.dispatcher.pending };
	},
	endpoints: () => running.world.endpoints.all(),
	endpointSecret: ({ endpointId }: { endpointId: string }) =>
		running.world.endpoints.secretOf(endpointId),
	setEndpointStatus: ({ endpointId, status }: { endpointId: string; status: string }): void => {
		running.world.endpoints.update(endpointId, { status });
	},
	createKey: (options: NewKey) => {
		const { secret, id } = running.keys.create(options);
		return { apiKey: secret, id };
	},
	revokeKey: ({ apiKey }: { apiKey: string }) => {
		if (!running.keys.revoke(apiKey)) throw notFound('such key');
	},
	counters: (): Counters => running.journal.counters(),
	resetCounters: () => running.journal.reset(),
	requests: ({ limit, maxBodyCharacters }: { limit?: number; maxBodyCharacters?: number }) =>
		running.journal.requests(limit, maxBodyCharacters),
	budgets: () => budgetsOfKeys(running),
	configure: (change: SettingsChange) => running.configure(change),
	dialect: () => running.world.settings.dialect,
	openPoints: () => POINT_NAMES.map((name) => ({ name, ...pointOf(name) })),
	faults: () => running.faults,
	setFaults: ({ faults }: { faults: FaultRule[] }) => running.setFaults(faults),
	reset: (size: ShopSize) => running.reset(size),
	list: (filter: ListFilter) => listRecords(running.world.shop, filter),
	records: ({ kind }: { kind: RecordKind }) => countRecords(running.world, kind),
	record: ({ kind, id }: { kind: RecordKind; id: string }) => findRecord(running.world, kind, id),
});

export type Operations = ReturnType<typeof operations>;

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
