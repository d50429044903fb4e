import type { IDataObject } from 'n8n-workflow';

import type { PlatformOptions } from '../../platform';
import { type NodeRun, withLeastWaits } from '../../support/engine';
import { openShop, type Shop } from '../operations/shop';

/** Budgets that no test can spend. */
const AMPLE: PlatformOptions = { minuteBudget: 1_000_000, dayBudget: 10_000_000 };

/** Takes each item as the product that it is. */
export const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };

export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Products as an upstream node would give them. */
export const productItems = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ sku: `SKU-${n}`, title: `Product ${n}` }));

/** The same shop for tests that run operations over many items. */
function bulkShop(shop: Shop) {
	const { control } = shop.platform;
	/** Runs an operation of the node over items, e.g. `product.upsert`. */
	const run = async (
		operation: string,
		items: IDataObject[],
		parameters?: IDataObject,
		more?: Partial<NodeRun>,
	) => await shop.run(operation, parameters, { items, ...more });
	/** Whether the platform takes batches. */
	const takesBatches = async (batch: boolean) =>
		await control.configure({ inDevelopment: { batch } });
	return {
		...shop,
		control,
		run,
		takesBatches,
		/** Create or Update of the items as they are. */
		upsert: async (
			items: IDataObject[],
			options: IDataObject = {},
			more: Partial<NodeRun> = {},
			parameters: IDataObject = {},
		) => await run('product.upsert', items, { ...INPUT_ITEM, ...parameters, options }, more),
		/** All records of a list, as the node gives them; what was asked before no longer counts. */
		all: async <T = IDataObject>(resource: 'product' | 'inventory') => {
			const parameters = { returnAll: true, simplify: false };
			const { json } = await run(`${resource}.getAll`, [{}], parameters);
			await control.resetCounters();
			return json as T[];
		},
		/** How many products there are. */
		count: async () => (await control.records('products')).count,
		/** Requests by method and route, e.g. `{ 'POST /products/batch': 3 }`. */
		requests: async () => {
			const counts: Record<string, number> = {};
			for (const { method, route, count } of (await control.counters()).byRoute) {
				const name = `${method} ${route}`;
				counts[name] = (counts[name] ?? 0) + count;
			}
			return counts;
		},
		/** The bodies of batches that arrived, in their order. */
		batches: async () => {
			const sent = (await control.requests()).filter(({ target }) => target.endsWith('/batch'));
			return sent.map(
				({ body }) => (JSON.parse(body ?? '{}') as { operations: IDataObject[] }).operations,
			);
		},
		/** One more product with a SKU that another has; the last in the list. */
		addTwin: async (sku: string) => {
			await shop.post('/products', { title: 'Twin', variants: [{ sku, title: 'Only' }] });
			await control.resetCounters();
		},
	};
}

/** A shop for all tests around, as at the start before each. */
export function useBulkShop(options: PlatformOptions = {}) {
	const shop = {} as ReturnType<typeof bulkShop>;
	withLeastWaits();
	beforeAll(async () => {
		const none = { products: 0, orders: 0, customers: 0 };
		Object.assign(shop, bulkShop(await openShop({ ...none, ...AMPLE, ...options })));
	});
	beforeEach(async () => {
		await shop.control.reset();
		await shop.takesBatches(true);
		await shop.control.resetCounters();
	});
	afterAll(async () => await shop.platform.close());
	return shop;
}
