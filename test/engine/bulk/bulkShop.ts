import type { IDataObject } from 'n8n-workflow';

import type { PlatformOptions } from '../../../platform';
import { type NodeRun, withLeastWaits } from '../../support/engine';
import { useShop } from '../operations/shop';

/** A shop with only the products that a test asks for, and a budget that no test can spend. */
const AMPLE: PlatformOptions = {
	...{ products: 0, orders: 0, customers: 0 },
	...{ minuteBudget: 1_000_000, dayBudget: 10_000_000 },
};

/** Parameters that take SKU and title of each input item. Nothing is read before they are written. */
export const SKU_AND_TITLE = {
	specifyProduct: 'defineBelow',
	sku: '={{ $json.sku }}',
	title: '={{ $json.title }}',
};

/** Parameters that take each input item as a row of a file. */
export const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };

export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Products as a node before ours outputs them. */
export const productItems = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ sku: `SKU-${n}`, title: `Product ${n}` }));

/** A shop for tests that run operations over many items; it is reset before each test. */
export function useBulkShop(options: PlatformOptions = {}) {
	withLeastWaits();
	const { shop } = useShop('each', undefined, { ...AMPLE, ...options });
	return Object.assign(shop, {
		/** Switches the platform's batches on or off. */
		takesBatches: async (batch: boolean) =>
			await shop.control.configure({ inDevelopment: { batch } }),
		/** Runs Create or Update with these items. */
		upsert: async (
			items: IDataObject[],
			options: IDataObject = {},
			more: Partial<NodeRun> = {},
			parameters: IDataObject = {},
		) => {
			const given = { ...SKU_AND_TITLE, ...parameters, options };
			return await shop.run('product.upsert', given, { items, ...more });
		},
		/** All records of a list, as the node outputs them. Resets the request counters. */
		all: async <T = IDataObject>(resource: 'product' | 'inventory') => {
			const parameters = { returnAll: true, simplify: false };
			const { json } = await shop.run(`${resource}.getAll`, parameters);
			await shop.control.resetCounters();
			return json as T[];
		},
		/** The number of products. */
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
		/** The bodies of the batches that arrived, in order. */
		batches: async () => {
			const sent = (await shop.sent()).filter(({ target }) => target.endsWith('/batch'));
			return sent.map(
				({ body }) => (JSON.parse(body ?? '{}') as { operations: IDataObject[] }).operations,
			);
		},
		/** Adds a second product with this SKU; it is the last in the list. */
		addTwin: async (sku: string) => {
			await shop.post('/products', { title: 'Twin', variants: [{ sku, title: 'Only' }] });
			await shop.control.resetCounters();
		},
	});
}
