import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import type { Fixtures, Shop } from './shop';

type Parameters = (fixtures: Fixtures, shop: Shop) => IDataObject | Promise<IDataObject>;

/** A choice for which an operation reads beside its own request. */
export interface ReadCase {
	/** e.g. `order.cancel` */
	operation: string;
	/** As the operation names it; none where it always reads. */
	when?: string;
	parameters: Parameters;
}

const readCase = (
	operation: string,
	when: string | undefined,
	parameters: Parameters,
): ReadCase => ({
	operation,
	when,
	parameters,
});

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
	readCase(`order.${name}`, 'Number', async (fixtures, shop) => {
		const { number } = await shop.read(`/orders/${fixtures.order}`);
		return { ...more(fixtures), orderId: byMode('number', number) };
	}),
	readCase(`order.${name}`, 'Return Current Order', async (fixtures, shop) => {
		await shop.platform.control.setFaults([NOT_ALLOWED]);
		const options = { ifNotAllowed: 'returnCurrent' };
		return { ...more(fixtures), options, orderId: byId(fixtures.order) };
	}),
]);

const STALE = '2020-01-01T00:00:00Z';
const ONLY_IF_CHANGED = { onlyIfChanged: true };
const DRY_RUN = { dryRun: true };

const ofLevel = (operation: string, when: string, options: IDataObject): ReadCase =>
	readCase(`inventory.${operation}`, when, ({ sku }) => {
		return { sku, locationId: 'sloc_main', quantity: 7, delta: 1, options };
	});

const ofProduct = (when: string, options: IDataObject, more?: Parameters): ReadCase =>
	readCase('product.update', when, async (fixtures, shop) => ({
		productId: byId(fixtures.product),
		updateFields: { title: 'New' },
		options,
		...(await more?.(fixtures, shop)),
	}));

const ofUpsert = (when: string, options: IDataObject): ReadCase =>
	readCase('product.upsert', when, async ({ sku }, { platform }) => {
		if (when === 'Send One by One')
			await platform.control.configure({ inDevelopment: { batch: false } });
		return { sku, title: 'New', options };
	});

/** Every one that an operation declares. */
export const READ_CASES: ReadCase[] = [
	...orderCases,
	readCase('order.fulfill', 'All Open Items', ({ order }) => ({ orderId: byId(order) })),
	readCase('customer.update', 'Email', async ({ customer }, shop) => ({
		customerId: byMode('email', (await shop.read(`/customers/${customer}`)).email),
		fields: { field: [{ name: 'note', value: 'Called' }] },
	})),
	ofLevel('adjust', 'Return Current Level', { ifMatch: '"99"', onConflict: 'returnCurrent' }),
	ofLevel('adjust', 'Dry Run', DRY_RUN),
	ofLevel('set', 'Overwrite', { onConflict: 'overwrite', updatedAt: STALE }),
	ofLevel('set', 'Return Current Level', { onConflict: 'returnCurrent', updatedAt: STALE }),
	ofLevel('set', 'Only If Changed', ONLY_IF_CHANGED),
	ofLevel('set', 'Dry Run', DRY_RUN),
	readCase('product.delete', 'Handle', ({ handle }) => ({ productId: byMode('handle', handle) })),
	ofProduct('Handle', {}, ({ handle }) => ({ productId: byMode('handle', handle) })),
	ofProduct('Merge by SKU and Currency', {}, ({ sku }) => ({
		updateFields: { variantsJson: `[{ "sku": "${sku}", "title": "New" }]` },
	})),
	ofProduct('Dry Run', DRY_RUN),
	ofProduct('Only If Changed', ONLY_IF_CHANGED),
	readCase('product.setPrices', undefined, ({ sku }) => ({
		sku,
		amount: '12.34',
		currency: 'USD',
	})),
	ofUpsert('Only If Changed', ONLY_IF_CHANGED),
	ofUpsert('Dry Run', DRY_RUN),
	ofUpsert('Send One by One', { ifBatchNotAvailable: 'single' }),
];
