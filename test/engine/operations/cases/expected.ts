import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { DialectShop } from '../../dialects/dialectShop';
import type { Fixtures } from '../shop';
import type { Change, Check } from './case';

/** What a case changes on the platform, read past every dialect. */
type Effect = Change['effect'];

export const identified =
	(id: (fixtures: Fixtures) => unknown): Check =>
	(item, fixtures) =>
		expect(item).toMatchObject({ id: id(fixtures) });

export const prefixed =
	(prefix: string): Check =>
	(item) =>
		expect(item).toMatchObject({ id: expect.stringMatching(`^${prefix}_`) });

/** A write without a record in its answer is done all the same. */
export const done =
	(whereShown: Check): Check =>
	(item, fixtures, dialect) => {
		if (dialect.writeAnswer === 'record') whereShown(item, fixtures, dialect);
		else expect(item).toMatchObject({ success: true });
	};

export const holds =
	(text: (fixtures: Fixtures) => string): Check =>
	(item, fixtures) =>
		expect(JSON.stringify(item)).toContain(text(fixtures));

export const count =
	(kind: 'products' | 'customers' | 'categories'): Effect =>
	async ({ platform }) =>
		(await platform.control.records(kind)).count;

export const orderOf: Effect = async (shop, fixtures) =>
	await shop.record('orders', fixtures.order);

export const sentOf = async (shop: DialectShop, fixtures: Fixtures): Promise<IDataObject> =>
	((await orderOf(shop, fixtures)) as { fulfillment_state: IDataObject }).fulfillment_state;

export const refundOf: Effect = async (shop, fixtures) => {
	const { payment_summary, total } = (await orderOf(shop, fixtures)) as {
		payment_summary: { refunded: { amount: number } };
		total: { amount: number };
	};
	const { amount } = payment_summary.refunded;
	return amount === total.amount ? 'all' : amount;
};

export const levelOf: Effect = async (shop, { sku }) =>
	await shop.record('inventory', `${sku}@sloc_main`);

export const endpointsOf: Effect = async ({ platform }) => await platform.control.endpoints();

export const variantSkus: Effect = async (shop, { product }) => {
	const { variants } = (await shop.record('products', product)) as { variants: IDataObject[] };
	return variants.map(({ sku }) => sku);
};

export const titled =
	(title: string): Effect =>
	async (shop) => {
		const query = `/products?limit=250&q=${encodeURIComponent(title)}`;
		return (await shop.plainList(query)).map(({ title: found }) => found);
	};

export const imported =
	(sku: string): Effect =>
	async (shop) => {
		for (let n = 0; n < 100; n++) {
			const found = await shop.plainList(`/products?sku=${sku}`);
			if (found.length > 0) return found.map(({ title }) => title);
			await pause(10);
		}
		return [];
	};

/** Items of a batch that are to go out by themselves have different SKUs. */
export const OWN_SKU = '={{ $json.own }}';

export const rows = { field: [{ name: 'a', type: 'string', value: 'x' }] };
export const items = { item: [{ line_item_id: 'li_1', quantity: 1 }] };
