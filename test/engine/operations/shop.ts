import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type PlatformOptions, type RecordKind } from '../../../platform';
import type { Dialect } from '../../../platform/dialects/dialect';
import { apiClient } from '../../../platform/support/apiClient';
import { runOperation, type NodeRun } from '../../support/engine/runNode';

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

/** A shop on the local platform, and our node connected to it. */
export type Shop = Awaited<ReturnType<typeof openShop>>;

const SMALL: PlatformOptions = { products: 12, orders: 40, customers: 8, categories: 5 };

async function openShop(options: PlatformOptions) {
	const platform = await startPlatform(options);
	const { baseUrl, apiKey, control } = platform;
	const { data } = apiClient(platform);
	/** The records never differ: a reset makes the same shop. */
	let recordsAtStart: ReturnType<typeof findRecords> | undefined;
	const shop = {
		platform,
		control,
		/** Runs an operation of the node, e.g. `order.update`. */
		run: async (operation: string, parameters?: IDataObject, more?: Partial<NodeRun>) =>
			await runOperation(operation, parameters, { credentials: { baseUrl, apiKey }, ...more }),
		/** Reads from the platform without the node. */
		read: async (path: string) => await data<IDataObject>(path),
		list: async (path: string) => await data<IDataObject[]>(path),
		post: async (path: string, body: IDataObject) =>
			await data<IDataObject>(path, { method: 'POST', body }),
		/** A record as the platform stores it, in no dialect. */
		record: async (kind: RecordKind, id: string) => (await control.record(kind, id)) ?? {},
		/** Requests since the counters were last reset. */
		sent: async () => await control.requests(),
		/** Its methods and targets, e.g. `GET /v1/orders`. */
		targets: async () =>
			(await control.requests()).map(({ method, target }) => `${method} ${target}`),
		/** Resets the shop, and adds a webhook endpoint if it has orders. */
		fresh: async (): Promise<Fixtures> => {
			await control.reset();
			await control.configure({
				inDevelopment: { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true },
			});
			const fixtures = {} as Fixtures;
			if (options.orders !== 0) {
				Object.assign(fixtures, await (recordsAtStart ??= findRecords(shop)));
				Object.assign(fixtures, await makeFixtures(shop, fixtures.order));
			}
			await control.resetCounters();
			return fixtures;
		},
	};
	return shop;
}

/**
 * A shop for all tests of a file, and its records.
 *
 * @param fresh whether it is reset before each test, or only before the first
 * @param dialect the dialect for the node
 * @param options how many records it has; without orders there are no fixtures
 */
export function useShop(
	fresh: 'each' | 'once' = 'each',
	dialect?: Dialect,
	options = SMALL,
): { shop: Shop; fixtures: Fixtures } {
	const shop = {} as Shop;
	const fixtures = {} as Fixtures;
	const start = async () => {
		Object.assign(fixtures, await shop.fresh());
		if (dialect) await shop.control.configure({ dialect });
	};
	beforeAll(async () => void Object.assign(shop, await openShop(options)));
	if (fresh === 'each') beforeEach(start);
	else beforeAll(start);
	afterAll(async () => await shop.platform.close());
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

/** Creates a webhook endpoint, and an event about the order. */
async function makeFixtures(shop: Shop, order: string) {
	const webhook = await shop.post('/webhooks', {
		url: WEBHOOK_URL,
		events: ['order.paid'],
		description: 'Fixture',
	});
	await shop.control.emit('order.created', { id: order });
	const [event] = await shop.list('/events?limit=1');
	return { event: String(event.event_id), webhook: String(webhook.id) };
}
