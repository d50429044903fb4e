import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import type { Fixtures, Shop } from './shop';

/** A choice for which an operation reads beside its own request. */
export interface ReadCase {
	/** e.g. `order.cancel` */
	operation: string;
	/** As the operation names it; none where it always reads. */
	when?: string;
	parameters(fixtures: Fixtures, shop: Shop): IDataObject | Promise<IDataObject>;
}

const STALE = '2020-01-01T00:00:00Z';
const RETURN_CURRENT = { options: { ifNotAllowed: 'returnCurrent' } };

/** What each of them needs beside the order. */
const ORDER_WRITES: Record<string, (fixtures: Fixtures) => IDataObject> = {
	cancel: () => ({}),
	fulfill: ({ lineItem }) => ({
		specifyItems: 'defineBelow',
		items: { item: [{ line_item_id: lineItem, quantity: 1 }] },
	}),
	refund: () => ({ extent: 'platform' }),
	update: () => ({ updateFields: { merchant_note: 'Gift wrap' } }),
};

/** The answer to the first write to an order. */
const NOT_ALLOWED = {
	path: '/orders/',
	fault: 'status' as const,
	status: 409,
	code: 'INVALID_STATE_TRANSITION',
	times: 1,
};

const orderCases = Object.entries(ORDER_WRITES).flatMap(([name, more]): ReadCase[] => [
	{
		operation: `order.${name}`,
		when: 'Number',
		parameters: async (fixtures, shop) => {
			const { number } = await shop.read(`/orders/${fixtures.order}`);
			return { ...more(fixtures), orderId: byMode('number', number) };
		},
	},
	{
		operation: `order.${name}`,
		when: 'Return Current Order',
		parameters: async (fixtures, shop) => {
			await shop.platform.control.setFaults([NOT_ALLOWED]);
			return { ...more(fixtures), ...RETURN_CURRENT, orderId: byId(fixtures.order) };
		},
	},
]);

const level = ({ sku }: Fixtures, more: IDataObject): IDataObject => ({
	sku,
	locationId: 'sloc_main',
	...more,
});

const setLevel = (when: string, more: IDataObject): ReadCase => ({
	operation: 'inventory.set',
	when,
	parameters: (fixtures) => level(fixtures, { quantity: 7, ...more }),
});

const ONLY_IF_CHANGED = { options: { onlyIfChanged: true } };

/** Every one that an operation declares. */
export const READ_CASES: ReadCase[] = [
	...orderCases,
	{
		operation: 'order.fulfill',
		when: 'All Open Items',
		parameters: ({ order }) => ({ orderId: byId(order) }),
	},
	{
		operation: 'customer.update',
		when: 'Email',
		parameters: async ({ customer }, shop) => ({
			customerId: byMode('email', (await shop.read(`/customers/${customer}`)).email),
			fields: { field: [{ name: 'note', value: 'Called' }] },
		}),
	},
	{
		operation: 'inventory.adjust',
		when: 'Return Current Level',
		parameters: (fixtures) =>
			level(fixtures, { delta: 1, options: { ifMatch: '"99"', onConflict: 'returnCurrent' } }),
	},
	setLevel('Overwrite', { options: { onConflict: 'overwrite', updatedAt: STALE } }),
	setLevel('Return Current Level', { options: { onConflict: 'returnCurrent', updatedAt: STALE } }),
	setLevel('Only If Changed', ONLY_IF_CHANGED),
	setLevel('Dry Run', { options: { dryRun: true } }),
	{
		operation: 'inventory.adjust',
		when: 'Dry Run',
		parameters: (fixtures) => level(fixtures, { delta: 1, options: { dryRun: true } }),
	},
	{
		operation: 'product.delete',
		when: 'Handle',
		parameters: ({ handle }) => ({ productId: byMode('handle', handle) }),
	},
	{
		operation: 'product.update',
		when: 'Handle',
		parameters: ({ handle }) => ({
			productId: byMode('handle', handle),
			updateFields: { title: 'New' },
		}),
	},
	{
		operation: 'product.update',
		when: 'Merge by SKU and Currency',
		parameters: ({ product, sku }) => ({
			productId: byId(product),
			updateFields: { variantsJson: `[{ "sku": "${sku}", "title": "New" }]` },
		}),
	},
	{
		operation: 'product.update',
		when: 'Dry Run',
		parameters: ({ product }) => ({
			productId: byId(product),
			updateFields: { title: 'New' },
			options: { dryRun: true },
		}),
	},
	{
		operation: 'product.update',
		when: 'Only If Changed',
		parameters: ({ product }) => ({
			productId: byId(product),
			updateFields: { title: 'New' },
			...ONLY_IF_CHANGED,
		}),
	},
	{
		operation: 'product.setPrices',
		parameters: ({ sku }) => ({ sku, amount: '12.34', currency: 'USD' }),
	},
	{
		operation: 'product.upsert',
		when: 'Only If Changed',
		parameters: ({ sku }) => ({ sku, title: 'New', ...ONLY_IF_CHANGED }),
	},
	{
		operation: 'product.upsert',
		when: 'Dry Run',
		parameters: ({ sku }) => ({ sku, title: 'New', options: { dryRun: true } }),
	},
	{
		operation: 'product.upsert',
		when: 'Send One by One',
		parameters: async ({ sku }, shop) => {
			await shop.platform.control.configure({ inDevelopment: { batch: false } });
			return { sku, title: 'New', options: { ifBatchNotAvailable: 'single' } };
		},
	},
];
