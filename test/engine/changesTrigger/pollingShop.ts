import { startPlatform, type Platform, type PlatformOptions } from '../../../platform';
import { apiClient } from '../../../platform/support/apiClient';
import { PollingN8n, type PollingSetup } from './pollingN8n';

let products = 0;

/** A small shop that polling triggers watch. */
function pollingShop(platform: Platform) {
	const { baseUrl, apiKey, control } = platform;
	const credentials = { baseUrl, apiKey };
	return {
		platform,
		control,
		/** Publishes a trigger, on orders unless its parameters say otherwise. */
		published: async (parameters?: PollingSetup['parameters'], more?: Partial<PollingSetup>) => {
			const n8n = new PollingN8n({ credentials: { ...credentials }, parameters, ...more });
			await n8n.publish();
			return n8n;
		},
		newOrder: async () => (await control.createOrder()).order.id,
		/** Makes a product with one variant. */
		newProduct: async () => {
			const variants = [{ sku: `NEW-${++products}`, title: 'New' }];
			const body = { title: 'New', variants };
			await apiClient(platform).data('/products', { method: 'POST', body });
		},
		/** Sets the stock of the first level. @returns the new level */
		setStock: async (quantity: number) => {
			const { records } = await control.list({ kind: 'inventory', limit: 1 });
			const [{ sku, location_id }] = records as Array<Record<string, string>>;
			const level = { sku, location_id, quantity };
			await control.setStock(level);
			return level;
		},
		/** The number of requests since the start or the last reset of the counters. */
		requests: async () => (await control.counters()).total,
		reset: async () => {
			await control.reset();
			// Its own key, so that no other test has spent the budget.
			credentials.apiKey = (await control.createKey()).apiKey;
		},
	};
}

type Shop = ReturnType<typeof pollingShop>;

/** How each watched resource changes. */
const changesOf = (shop: Shop): Record<string, () => Promise<unknown>> => ({
	order: async () => await shop.newOrder(),
	product: async () => await shop.control.writeRecord('products'),
	customer: async () => await shop.control.writeRecord('customers'),
	event: async () => await shop.control.emit('order.created', { id: 'ord_1' }),
	inventory: async () => await shop.setStock(Math.floor(Math.random() * 1_000_000)),
});

const SMALL: PlatformOptions = { products: 10, orders: 30, customers: 5, categories: 2 };

/** A shop for all enclosing tests; it is reset before each. */
export function usePollingShop(options = SMALL) {
	const shop = {} as Shop & { changes: ReturnType<typeof changesOf> };
	shop.changes = changesOf(shop);
	beforeAll(async () => void Object.assign(shop, pollingShop(await startPlatform(options))));
	beforeEach(async () => await shop.reset());
	afterAll(async () => await shop.platform.close());
	return shop;
}

/** Polls this many times. */
export async function poll(n8n: PollingN8n, times = 1): Promise<PollingN8n> {
	for (let polls = 0; polls < times; polls++) await n8n.poll();
	return n8n;
}

export const idsOf = ({ items }: PollingN8n): unknown[] => items.map(({ id }) => id);
