import { startPlatform, type Platform } from '../../platform';
import { PollingN8n, type PollingSetup } from './pollingN8n';

type Setup = Partial<PollingSetup>;

/** A small shop that polling triggers watch, as at the start before each test. */
export interface PollingShop {
	platform: Platform;
	/** A trigger on orders, unless its parameters say otherwise. */
	n8n(parameters?: PollingSetup['parameters'], more?: Setup): PollingN8n;
	/** The same, published. */
	published(parameters?: PollingSetup['parameters'], more?: Setup): Promise<PollingN8n>;
	newOrder(): Promise<unknown>;
	/** Sets the stock of the first level; gives what the level is then. */
	setStock(quantity: number): Promise<{ sku: string; location_id: string; quantity: number }>;
	/** How many requests there were since the start, or since the counters were reset. */
	requests(): Promise<number>;
}

export function usePollingShop(): PollingShop {
	const shop = {} as PollingShop;
	let credentials: PollingSetup['credentials'];
	beforeAll(async () => {
		const platform = await startPlatform({ products: 10, orders: 30, customers: 5, categories: 2 });
		const { control } = platform;
		const n8n: PollingShop['n8n'] = (parameters = {}, more = {}) =>
			new PollingN8n({ credentials, parameters, ...more });
		Object.assign(shop, {
			platform,
			n8n,
			published: async (...setup: Parameters<typeof n8n>) => {
				const made = n8n(...setup);
				await made.publish();
				return made;
			},
			newOrder: async () => (await control.createOrder()).order.id,
			setStock: async (quantity: number) => {
				const { baseUrl, apiKey } = platform;
				const headers = { authorization: `Bearer ${apiKey}` };
				const answer = await fetch(`${baseUrl}/inventory/levels`, { headers });
				const [{ sku, location_id }] = ((await answer.json()) as { data: never[] }).data;
				await control.setStock({ sku, location_id, quantity });
				return { sku, location_id, quantity };
			},
			requests: async () => (await control.counters()).total,
		});
	});
	beforeEach(async () => {
		await shop.platform.control.reset();
		// A key of its own, so that no other test has spent its budget.
		const { apiKey } = await shop.platform.control.createKey();
		credentials = { baseUrl: shop.platform.baseUrl, apiKey };
	});
	afterAll(async () => await shop.platform.close());
	return shop;
}

/** Polls so many times. */
export async function poll(n8n: PollingN8n, times = 1): Promise<PollingN8n> {
	for (let polls = 0; polls < times; polls++) await n8n.poll();
	return n8n;
}

export const idsOf = ({ items }: PollingN8n): unknown[] => items.map(({ id }) => id);
