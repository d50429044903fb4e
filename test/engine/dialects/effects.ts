import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { DialectShop } from './dialectShop';
import type { Fixtures } from '../operations/shop';

/** What an operation's case changes on the platform, read past every dialect. */
type Effect = (shop: DialectShop, fixtures: Fixtures) => Promise<unknown>;

interface Expected {
	/** Of the platform after the operation. */
	effect: Effect;
	becomes: unknown;
}

const count =
	(kind: 'products' | 'customers' | 'categories'): Effect =>
	async ({ platform }) =>
		(await platform.control.records(kind)).count;

const order: Effect = async (shop, fixtures) => await shop.record('orders', fixtures.order);

const sent = async (shop: DialectShop, fixtures: Fixtures): Promise<IDataObject> =>
	((await order(shop, fixtures)) as { fulfillment_state: IDataObject }).fulfillment_state;

const refunded: Effect = async (shop, fixtures) => {
	const { payment_summary, total } = (await order(shop, fixtures)) as {
		payment_summary: { refunded: { amount: number } };
		total: { amount: number };
	};
	const { amount } = payment_summary.refunded;
	return amount === total.amount ? 'all' : amount;
};

const level: Effect = async (shop, { sku }) => await shop.record('inventory', `${sku}@sloc_main`);

const endpoints: Effect = async ({ platform }) => await platform.control.endpoints();

const variantSkus: Effect = async (shop, { product }) => {
	const { variants } = (await shop.record('products', product)) as { variants: IDataObject[] };
	return variants.map(({ sku }) => sku);
};

const titled =
	(title: string): Effect =>
	async (shop) => {
		const query = `/products?limit=250&q=${encodeURIComponent(title)}`;
		return (await shop.plainList(query)).map(({ title: found }) => found);
	};

const imported =
	(sku: string): Effect =>
	async (shop) => {
		for (let n = 0; n < 100; n++) {
			const found = await shop.plainList(`/products?sku=${sku}`);
			if (found.length > 0) return found.map(({ title }) => title);
			await pause(10);
		}
		return [];
	};

/** By operation, and by its note where its cases do different things. */
export const EFFECTS: Readonly<Record<string, Expected>> = {
	'category.create': { effect: count('categories'), becomes: 6 },
	'customer.create': { effect: count('customers'), becomes: 9 },
	'customer.update': {
		effect: async (shop, { customer }) => (await shop.record('customers', customer)).phone,
		becomes: null,
	},
	'inventory.set': { effect: level, becomes: expect.objectContaining({ quantity: 7 }) },
	'inventory.adjust': { effect: level, becomes: expect.objectContaining({ version: 2 }) },
	'order.update': {
		effect: order,
		becomes: expect.objectContaining({ merchant_note: 'Gift wrap', priority: 2, tags: ['vip'] }),
	},
	'order.cancel': { effect: order, becomes: expect.objectContaining({ status: 'cancelled' }) },
	'order.fulfill': { effect: sent, becomes: expect.objectContaining({ fulfilled_quantity: 1 }) },
	'order.fulfill, all open items, which are read first': {
		effect: sent,
		becomes: expect.objectContaining({ open_quantity: 0 }),
	},
	'order.fulfill, everything that is open': {
		effect: async (shop, fixtures) => {
			const { fulfilled_quantity, open_quantity } = await sent(shop, fixtures);
			const sendsNothing = shop.dialect.fulfillmentWithoutItems === 'nothing';
			return sendsNothing ? fulfilled_quantity : open_quantity;
		},
		becomes: 0,
	},
	'order.refund': { effect: refunded, becomes: 100 },
	'order.refund, of an amount in major units, with a reason': { effect: refunded, becomes: 150 },
	'order.refund, of an amount in minor units': { effect: refunded, becomes: 150 },
	'order.refund, of everything': { effect: refunded, becomes: 'all' },
	'product.create': { effect: titled('Linen shirt'), becomes: ['Linen shirt'] },
	'product.create, with variants from JSON in minor units': {
		effect: imported('MUG'),
		becomes: ['Mug'],
	},
	'product.update': {
		effect: async (shop, { product }) => await shop.record('products', product),
		becomes: expect.objectContaining({ title: 'New title', description: '' }),
	},
	'product.update, with a new variant beside those that are there': {
		effect: variantSkus,
		becomes: expect.arrayContaining(['NEW-V', expect.stringMatching(/-1$/)]),
	},
	'product.update, with variants in place of all others': {
		effect: variantSkus,
		becomes: ['NEW-V'],
	},
	'product.setPrices': {
		effect: async (shop, { sku }) => {
			const [product] = await shop.plainList(`/products?sku=${sku}`);
			const variants = product.variants as Array<{ sku: string; prices: IDataObject[] }>;
			return variants.find((one) => one.sku === sku)?.prices;
		},
		becomes: expect.arrayContaining([{ amount: 1234, currency: 'USD' }]),
	},
	'product.upsert': { effect: titled('Renamed'), becomes: ['Renamed'] },
	'product.upsert, from JSON': { effect: imported('MUG'), becomes: ['Mug'] },
	'product.importCatalog': { effect: imported('NEW-1'), becomes: ['New'] },
	'product.importCatalog, with a whole body': { effect: imported('NEW-2'), becomes: ['New'] },
	'product.delete': {
		effect: async (shop, { product }) => await shop.record('products', product),
		becomes: {},
	},
	'webhook.create': {
		effect: endpoints,
		becomes: expect.arrayContaining([
			expect.objectContaining({
				url: 'https://other.example/hook',
				events: ['order.paid', 'product.deleted', 'order.refunded'],
				description: 'Mine',
			}),
		]),
	},
	'webhook.update': {
		effect: endpoints,
		becomes: [expect.objectContaining({ events: ['order.created', 'order.returned'] })],
	},
	'webhook.delete': { effect: endpoints, becomes: [] },
	'webhook.rotateSecret': { effect: endpoints, becomes: [expect.anything()] },
	'webhook.test': {
		effect: async ({ platform }) => (await platform.control.deliveries()).length,
		becomes: 1,
	},
	'webhook.recreate': {
		effect: endpoints,
		becomes: [expect.objectContaining({ description: 'Second', events: ['order.paid'] })],
	},
};
