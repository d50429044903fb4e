import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type Platform } from '../../platform';
import { runNode, type NodeResult, type NodeRun } from '../../support/engine/runNode';

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
	run(parameters: IDataObject, more?: Partial<NodeRun>): Promise<NodeResult>;
	/** What the platform itself says, past the node. */
	read(path: string): Promise<IDataObject>;
	list(path: string): Promise<IDataObject[]>;
	post(path: string, body: IDataObject): Promise<IDataObject>;
	/** The shop as it was at the start, with a webhook endpoint. */
	fresh(): Promise<Fixtures>;
	close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
	const platform = await startPlatform({ products: 12, orders: 40, customers: 8, categories: 5 });
	const { baseUrl, apiKey } = platform;
	const call = async (method: string, path: string, body?: IDataObject) => {
		const response = await fetch(baseUrl + path, {
			method,
			headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
		return ((await response.json()) as { data: IDataObject }).data;
	};
	/** Always the same: a reset makes the same shop. */
	let recordsAtStart: ReturnType<typeof findRecords> | undefined;
	const list = async (path: string) => (await call('GET', path)) as unknown as IDataObject[];
	const shop: Shop = {
		platform,
		run: async (parameters, more = {}) =>
			await runNode({ credentials: { baseUrl, apiKey }, ...more, parameters }),
		read: async (path) => await call('GET', path),
		list,
		post: async (path, body) => await call('POST', path, body),
		fresh: async () => {
			await platform.control.reset();
			await platform.control.configure({
				inDevelopment: { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true },
			});
			recordsAtStart ??= findRecords(shop);
			const records = await recordsAtStart;
			const fixtures = { ...records, ...(await makeFixtures(shop, records.order)) };
			await platform.control.resetCounters();
			return fixtures;
		},
		close: async () => await platform.close(),
	};
	return shop;
}

/**
 * A shop for all tests of a file, made anew before each.
 *
 * @param take is given the shop and its records before each test
 */
export function useShop(take: (shop: Shop, fixtures: Fixtures) => void): void {
	let shop: Shop;
	beforeAll(async () => {
		shop = await openShop();
	});
	beforeEach(async () => take(shop, await shop.fresh()));
	afterAll(async () => await shop.close());
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
