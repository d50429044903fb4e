import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type Platform, type PlatformOptions } from '../../platform';
import { runNode, type NodeResult, type NodeRun } from '../../support/engine/runNode';

/** Budgets that no test can spend. */
const AMPLE: PlatformOptions = { minuteBudget: 1_000_000, dayBudget: 10_000_000 };

/** A platform that takes batches, and the node pointed at it. */
export interface BulkShop {
	platform: Platform;
	/** Runs an operation of the node over items; `parameters` beside resource and operation. */
	run(
		operation: string,
		items: IDataObject[],
		parameters?: IDataObject,
		more?: Partial<NodeRun>,
	): Promise<NodeResult>;
	/** Requests by method and route, e.g. `{ 'POST /products/batch': 3 }`. */
	requests(): Promise<Record<string, number>>;
	/** The bodies of batches that arrived, in their order. */
	batches(): Promise<IDataObject[][]>;
	/** One more product with a SKU that another has; the last in the list. */
	addTwin(sku: string): Promise<void>;
	/** The shop as it was at the start. */
	reset(): Promise<void>;
	close(): Promise<void>;
}

export async function openBulkShop(options: PlatformOptions = {}): Promise<BulkShop> {
	const platform = await startPlatform({
		products: 0,
		orders: 0,
		customers: 0,
		...AMPLE,
		...options,
	});
	const { baseUrl, apiKey, control } = platform;
	const run: BulkShop['run'] = async (operation, items, parameters = {}, more = {}) => {
		const [resource, name] = operation.split('.');
		return await runNode({
			credentials: { baseUrl, apiKey },
			items,
			...more,
			parameters: { resource, operation: name, ...parameters },
		});
	};
	return {
		platform,
		run,
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
		reset: async () => {
			await control.reset();
			await control.configure({ inDevelopment: { batch: true } });
			await control.resetCounters();
		},
		close: async () => await platform.close(),
	};
}

/**
 * A shop for all tests of a file, as at the start before each.
 *
 * @param take is given the shop once
 */
export function useBulkShop(take: (shop: BulkShop) => void): void {
	let shop: BulkShop;
	beforeAll(async () => {
		shop = await openBulkShop();
		take(shop);
	});
	beforeEach(async () => {
		// Waits between attempts have full jitter: with this every wait is its least.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await shop.reset();
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(async () => await shop.close());
}

/** Products as an upstream node would give them. */
export const productItems = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ sku: `SKU-${n}`, title: `Product ${n}` }));

/** Takes each item as the product that it is. */
export const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };
