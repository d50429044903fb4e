import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type Platform, type PlatformOptions } from '../../platform';
import { apiClient, type ApiClient } from '../../support/apiClient';
import { runOperation, type NodeResult, type NodeRun } from '../../support/engine/runNode';

/** Budgets that no test can spend. */
const AMPLE: PlatformOptions = { minuteBudget: 1_000_000, dayBudget: 10_000_000 };

/** A platform that takes batches, and the node pointed at it. */
export interface BulkShop {
	platform: Platform;
	/** Sends requests past the node. */
	api: ApiClient;
	/** Runs an operation of the node over items, e.g. `product.upsert`. */
	run(
		operation: string,
		items: IDataObject[],
		parameters?: IDataObject,
		more?: Partial<NodeRun>,
	): Promise<NodeResult>;
	/** Create or Update of the items as they are. */
	upsert(
		items: IDataObject[],
		options?: IDataObject,
		more?: Partial<NodeRun>,
		parameters?: IDataObject,
	): Promise<NodeResult>;
	/** All records of a list, as the node gives them; what was asked before no longer counts. */
	all<T = IDataObject>(resource: 'product' | 'inventory'): Promise<T[]>;
	/** How many products there are. */
	count(): Promise<number>;
	/** Requests by method and route, e.g. `{ 'POST /products/batch': 3 }`. */
	requests(): Promise<Record<string, number>>;
	/** The bodies of batches that arrived, in their order. */
	batches(): Promise<IDataObject[][]>;
	/** One more product with a SKU that another has; the last in the list. */
	addTwin(sku: string): Promise<void>;
	/** Whether the platform takes batches. */
	takesBatches(batch: boolean): Promise<void>;
	/** The shop as it was at the start. */
	reset(): Promise<void>;
}

/** Takes each item as the product that it is. */
export const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };

export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Products as an upstream node would give them. */
export const productItems = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ sku: `SKU-${n}`, title: `Product ${n}` }));

function bulkShop(platform: Platform): BulkShop {
	const { baseUrl, apiKey, control } = platform;
	const run: BulkShop['run'] = async (operation, items, parameters, more) =>
		await runOperation(operation, parameters, { credentials: { baseUrl, apiKey }, items, ...more });
	const takesBatches = async (batch: boolean) =>
		await control.configure({ inDevelopment: { batch } });
	return {
		platform,
		api: apiClient(platform),
		run,
		upsert: async (items, options = {}, more = {}, parameters = {}) =>
			await run('product.upsert', items, { ...INPUT_ITEM, ...parameters, options }, more),
		all: async <T>(resource: string) => {
			const parameters = { returnAll: true, simplify: false };
			const { json } = await run(`${resource}.getAll`, [{}], parameters);
			await control.resetCounters();
			return json as T[];
		},
		count: async () => (await control.records('products')).count,
		requests: async () => {
			const counts: Record<string, number> = {};
			for (const { method, route, count } of (await control.counters()).byRoute) {
				const name = `${method} ${route}`;
				counts[name] = (counts[name] ?? 0) + count;
			}
			return counts;
		},
		batches: async () => {
			const sent = (await control.requests()).filter(({ target }) => target.endsWith('/batch'));
			return sent.map(
				({ body }) => (JSON.parse(body ?? '{}') as { operations: IDataObject[] }).operations,
			);
		},
		addTwin: async (sku) => {
			const variantsJson = JSON.stringify([{ sku, title: 'Only' }]);
			const fields = { title: 'Twin', additionalFields: { variantsJson } };
			const { error } = await run('product.create', [{}], fields);
			if (error !== undefined) throw error;
			await control.resetCounters();
		},
		takesBatches,
		reset: async () => {
			await control.reset();
			await takesBatches(true);
			await control.resetCounters();
		},
	};
}

/** A shop for all tests around, as at the start before each. */
export function useBulkShop(options: PlatformOptions = {}): BulkShop {
	const shop = {} as BulkShop;
	beforeAll(async () => {
		const none = { products: 0, orders: 0, customers: 0 };
		Object.assign(shop, bulkShop(await startPlatform({ ...none, ...AMPLE, ...options })));
	});
	beforeEach(async () => {
		// Waits between attempts have full jitter: with this every wait is its least.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await shop.reset();
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => await shop.platform.close());
	return shop;
}
