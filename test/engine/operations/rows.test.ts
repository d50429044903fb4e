import type { IDataObject } from 'n8n-workflow';

import { minorToMajor } from '../../../nodes/shared/values/money';
import { openShop, type Shop } from './shop';

let shop: Shop;

beforeAll(async () => {
	shop = await openShop();
});
afterAll(async () => await shop.close());

const many = (resource: string, output: string, more: IDataObject = {}): IDataObject => ({
	resource,
	operation: 'getAll',
	limit: 5,
	options: { output, ...more },
});

describe.each(['default', 'contrary', { orderFields: 'short' }] as const)(
	'Line Items in the dialect %j',
	(dialect) => {
		beforeEach(async () => {
			await shop.fresh();
			await shop.platform.control.configure({ dialect });
		});
		afterEach(async () => await shop.platform.control.configure({ dialect: 'default' }));

		it('gives an item a line, with what tells its order', async () => {
			const { items, error } = await shop.run(many('order', 'lineItems'));
			expect(error).toBeUndefined();
			const ids = [...new Set(items.map(({ json }) => String(json.order_id)))];
			expect(ids).toHaveLength(5);
			for (const id of ids) {
				const order = await shop.read(`/orders/${id}`);
				const lines = (order.line_items ?? order.lineItems ?? order.items) as IDataObject[];
				const rows = items.filter(({ json }) => json.order_id === id).map(({ json }) => json);
				const { currency } = order.total as IDataObject;
				const ofOrder = { order_number: order.number, order_status: order.status, currency };
				expect(rows).toMatchObject(lines.map((line) => ({ ...line, ...ofOrder })));
			}
		});
	},
);

describe('Totals by Currency', () => {
	const totals = async (options: IDataObject = {}, more: IDataObject = {}) =>
		await shop.run({ ...many('order', 'totals', options), returnAll: true, ...more });

	beforeEach(async () => await shop.fresh());

	it.each<[string, IDataObject, string[]]>([
		['all orders', {}, ['created', 'paid', 'fulfilled', 'cancelled']],
		['some statuses', { statusesInTotals: 'paid, fulfilled' }, ['paid', 'fulfilled']],
	])('counts and sums %s without rounding', async (_what, options, statuses) => {
		const { items, error } = await totals(options);
		expect(error).toBeUndefined();
		const orders = (await shop.list('/orders?limit=250')).filter(({ status }) =>
			statuses.includes(String(status)),
		);
		expect(items.length).toBeGreaterThan(1);
		expect(items.reduce((sum, { json }) => sum + Number(json.orders), 0)).toBe(orders.length);
		for (const { json } of items) {
			const own = orders
				.map(({ total }) => total as { amount: number; currency: string })
				.filter(({ currency }) => currency === json.currency);
			const amount = own.reduce((sum, total) => sum + total.amount, 0);
			const text = minorToMajor(amount, json.currency);
			const decimal = Number(text);
			expect(json).toEqual({ currency: json.currency, orders: own.length, amount, decimal, text });
		}
	});

	it.each<[IDataObject, IDataObject]>([
		[{}, { returnAll: false, limit: 50 }],
		[{ maxPages: 1 }, {}],
		[{ startCursor: 'eyJ' }, {}],
	])('are those of the whole list, not with %j %j', async (options, more) => {
		await shop.platform.control.resetCounters();
		const { error } = await totals(options, more);
		expect(error?.message).toBe('“Output” gives totals of the whole list only');
		expect(await shop.platform.control.requests()).toEqual([]);
	});
});

describe('Variants', () => {
	beforeAll(async () => await shop.fresh());

	it('gives an item a variant and price, without further requests', async () => {
		await shop.platform.control.resetCounters();
		const { items } = await shop.run(many('product', 'variants'));
		expect(await shop.platform.control.requests()).toHaveLength(1);
		const products = await shop.list('/products?limit=5');
		const wanted = products.flatMap(({ id, handle, title, status, categories, variants }) =>
			(variants as IDataObject[]).flatMap(({ sku, prices }) =>
				(prices as IDataObject[]).map((price) => ({
					product_id: id,
					handle,
					title,
					status,
					categories,
					sku,
					...price,
				})),
			),
		);
		expect(items.map(({ json }) => json)).toMatchObject(wanted);
		expect(items).toHaveLength(wanted.length);
	});

	it('keeps a product that has none', async () => {
		const { id } = await shop.post('/products', { title: 'Bare', variants: [] });
		const { items } = await shop.run({ ...many('product', 'variants'), returnAll: true });
		const rows = items.filter(({ json }) => json.product_id === id);
		expect(rows).toMatchObject([{ json: { title: 'Bare' } }]);
		expect(rows[0].json).not.toHaveProperty('sku');
	});
});

describe('the filter Category', () => {
	const inCategory = async (more: IDataObject = {}) =>
		await shop.run({
			resource: 'product',
			operation: 'getAll',
			returnAll: true,
			simplify: false,
			filters: { category: wanted },
			...more,
		});
	let ids: unknown[];
	let wanted: string;

	beforeAll(async () => {
		await shop.fresh();
		ids = [];
		const made = [];
		for (const name of ['Wanted', 'Other'])
			made.push(String((await shop.post('/categories', { name })).id));
		const [, other] = made;
		wanted = made[0];
		for (const categories of [[wanted], [other], [other, wanted], [wanted]]) {
			const { id } = await shop.post('/products', { title: 'Filed', variants: [], categories });
			if (categories.includes(wanted)) ids.push(id);
		}
	});

	it('gives the products of one category, whatever page they stand on', async () => {
		const { items, error } = await inCategory({ requests: { pageSize: 3 } });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id).sort()).toEqual([...ids].sort());
	});

	it('counts what it gives against the Limit, and asks the platform for no category', async () => {
		await shop.platform.control.resetCounters();
		const { items } = await inCategory({ returnAll: false, limit: 2 });
		expect(items).toHaveLength(2);
		const targets = (await shop.platform.control.requests()).map(({ target }) => target);
		expect(targets.filter((target) => target.includes('cat_'))).toEqual([]);
	});

	it('refuses an expression that gives nothing', async () => {
		const { error } = await inCategory({ filters: { category: '={{ $json.none }}' } });
		expect(error?.message).toBe('“Category Name or ID” is empty');
	});
});
