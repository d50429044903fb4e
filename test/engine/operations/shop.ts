import type { IDataObject } from 'n8n-workflow';

import {
	startPlatform,
	type JsonRecord,
	type Platform,
	type RecordedRequest,
	type RecordKind,
} from '../../platform';
import type { Dialect } from '../../platform/dialects/dialect';
import { apiClient } from '../../support/apiClient';
import { runOperation, type NodeResult, type NodeRun } from '../../support/engine/runNode';

/** Records of the local shop that operations work on. */
export interface Fixtures {
	category: string;
	customer: string;
	event: string;
	handle: string;
	lineItem: string;
	order: string;
	product: string;
	sku: string;
	webhook: string;
}

export const WEBHOOK_URL = 'https://receiver.example/hook';

/** A small shop on the local platform, and the node pointed at it. */
export interface Shop {
	platform: Platform;
	/** Runs an operation of the node, e.g. `order.update`. */
	run(operation: string, parameters?: IDataObject, more?: Partial<NodeRun>): Promise<NodeResult>;
	/** What the platform itself says, past the node. */
	read(path: string): Promise<IDataObject>;
	list(path: string): Promise<IDataObject[]>;
	post(path: string, body: IDataObject): Promise<IDataObject>;
	/** A record as it is on the platform, past every dialect. */
	record(kind: RecordKind, id: string): Promise<JsonRecord>;
	/** What arrived since the counters were last reset. */
	sent(): Promise<RecordedRequest[]>;
	/** Its methods and targets, e.g. `GET /v1/orders`. */
	targets(): Promise<string[]>;
	/** The shop as it was at the start, with a webhook endpoint. */
	fresh(): Promise<Fixtures>;
	close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
	const platform = await startPlatform({ products: 12, orders: 40, customers: 8, categories: 5 });
	const { baseUrl, apiKey } = platform;
	const { data } = apiClient(platform);
	const { control } = platform;
	/** Always the same: a reset makes the same shop. */
	let recordsAtStart: ReturnType<typeof findRecords> | undefined;
	const shop: Shop = {
		platform,
		run: async (operation, parameters, more) =>
			await runOperation(operation, parameters, { credentials: { baseUrl, apiKey }, ...more }),
		read: async (path) => await data<IDataObject>(path),
		list: async (path) => await data<IDataObject[]>(path),
		post: async (path, body) => await data<IDataObject>(path, { method: 'POST', body }),
		record: async (kind, id) => (await control.record(kind, id)) ?? {},
		sent: async () => await control.requests(),
		targets: async () =>
			(await control.requests()).map(({ method, target }) => `${method} ${target}`),
		fresh: async () => {
			await control.reset();
			await control.configure({
				inDevelopment: { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true },
			});
			recordsAtStart ??= findRecords(shop);
			const records = await recordsAtStart;
			const fixtures = { ...records, ...(await makeFixtures(shop, records.order)) };
			await control.resetCounters();
			return fixtures;
		},
		close: async () => await platform.close(),
	};
	return shop;
}

/**
 * A shop for all tests of a file, and its records.
 *
 * @param fresh before each test it is as it was at the start, or only before the first
 * @param dialect what it speaks to the node
 */
export function useShop(
	fresh: 'each' | 'once' = 'each',
	dialect?: Dialect,
): { shop: Shop; fixtures: Fixtures } {
	const shop = {} as Shop;
	const fixtures = {} as Fixtures;
	const start = async () => {
		Object.assign(fixtures, await shop.fresh());
		if (dialect) await shop.platform.control.configure({ dialect });
	};
	beforeAll(async () => void Object.assign(shop, await openShop()));
	if (fresh === 'each') beforeEach(start);
	else beforeAll(start);
	afterAll(async () => await shop.close());
	return { shop, fixtures };
}

async function findRecords(shop: Shop) {
	const [product] = await shop.list('/products?limit=1');
	const [order] = await shop.list('/orders?limit=1&status=paid');
	const [customer] = await shop.list('/customers?limit=1');
	const [category] = await shop.list('/categories?limit=1');
	const [level] = await shop.list('/inventory/levels?limit=1');
	const whole = await shop.read(`/orders/${String(order.id)}`);
	return {
		category: String(category.id),
		customer: String(customer.id),
		handle: String(product.handle),
		lineItem: String((whole.line_items as IDataObject[])[0].line_item_id),
		order: String(order.id),
		product: String(product.id),
		sku: String(level.sku),
	};
}

/** A webhook endpoint, and an event that is about the order. */
async function makeFixtures(shop: Shop, order: string) {
	const webhook = await shop.post('/webhooks', {
		url: WEBHOOK_URL,
		events: ['order.paid'],
		description: 'Fixture',
	});
	await shop.platform.control.emit('order.created', { id: order });
	const [event] = await shop.list('/events?limit=1');
	return { event: String(event.event_id), webhook: String(webhook.id) };
}
