import type { IDataObject } from 'n8n-workflow';

import type { PlatformOptions } from '../../../platform';
import { type NodeRun, withLeastWaits } from '../../support/engine';
import { useShop } from '../operations/shop';

/** Nothing but the products that a test asks for, and budgets that no test can spend. */
const AMPLE: PlatformOptions = {
	...{ products: 0, orders: 0, customers: 0 },
	...{ minuteBudget: 1_000_000, dayBudget: 10_000_000 },
};

/** Takes each item as the product that it is. */
export const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };

export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Products as an upstream node would give them. */
export const productItems = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ sku: `SKU-${n}`, title: `Product ${n}` }));

/** A shop for tests that run operations over many items, as at the start before each. */
export function useBulkShop(options: PlatformOptions = {}) {
	withLeastWaits();
	const { shop } = useShop('each', undefined, { ...AMPLE, ...options });
	return Object.assign(shop, {
		/** Whether the platform takes batches. */
		takesBatches: async (batch: boolean) =>
			await shop.control.configure({ inDevelopment: { batch } }),
		/** Create or Update of the items as they are. */
		upsert: async (
			items: IDataObject[],
			options: IDataObject = {},
			more: Partial<NodeRun> = {},
			parameters: IDataObject = {},
		) => {
			const given = { ...INPUT_ITEM, ...parameters, options };
			return await shop.run('product.upsert', given, { items, ...more });
		},
		/** All records of a list, as the node gives them; what was asked before no longer counts. */
		all: async <T = IDataObject>(resource: 'product' | 'inventory') => {
			const parameters = { returnAll: true, simplify: false };
			const { json } = await shop.run(`${resource}.getAll`, parameters);
			await shop.control.resetCounters();
			return json as T[];
		},
		/** How many products there are. */
		count: async () => (await shop.control.records('products')).count,
		/** Requests by method and route, e.g. `{ 'POST /products/batch': 3 }`. */
		requests: async () => {
			const counts: Record<string, number> = {};
			for (const { method, route, count } of (await shop.control.counters()).byRoute) {
				const name = `${method} ${route}`;
				counts[name] = (counts[name] ?? 0) + count;
			}
			return counts;
		},
		/** The bodies of batches that arrived, in their order. */
		batches: async () => {
			const sent = (await shop.sent()).filter(({ target }) => target.endsWith('/batch'));
			return sent.map(
				({ body }) => (JSON.parse(body ?? '{}') as { operations: IDataObject[] }).operations,
			);
		},
		/** One more product with a SKU that another has; the last in the list. */
		addTwin: async (sku: string) => {
			await shop.post('/products', { title: 'Twin', variants: [{ sku, title: 'Only' }] });
			await shop.control.resetCounters();
		},
	});
}
