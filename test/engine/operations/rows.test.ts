import type { IDataObject } from 'n8n-workflow';

import { minorToMajor } from '../../../nodes/shared/values/money';
import { runOperation, stubApi } from '../../support/engine';
import { useShop } from './shop';

const { shop } = useShop();

const many = async (resource: string, options: IDataObject, more: IDataObject = {}) =>
	await shop.run(`${resource}.getAll`, { limit: 5, options, ...more });

const totals = async (options: IDataObject) =>
	await many('order', { output: 'totals', ...options }, { returnAll: true });

it.each<[string, IDataObject, string[]]>([
	['all orders', {}, ['created', 'paid', 'fulfilled', 'cancelled']],
	['some statuses', { statusesInTotals: 'paid, fulfilled' }, ['paid', 'fulfilled']],
])('Totals by Currency counts and sums %s without rounding', async (_what, options, statuses) => {
	const { json } = await totals(options);
	const orders = (await shop.list('/orders?limit=250'))
		.filter(({ status }) => statuses.includes(String(status)))
		.map(({ total }) => total as { amount: number; currency: string });
	const currencies = [...new Set(orders.map(({ currency }) => currency))];
	expect(currencies.length).toBeGreaterThan(1);
	const expected = currencies.map((currency) => {
		const own = orders.filter((one) => one.currency === currency);
		const amount = own.reduce((sum, one) => sum + one.amount, 0);
		const text = minorToMajor(amount, currency);
		return { currency, orders: own.length, total: Number(text), total_minor: amount, text };
	});
	expect(json).toHaveLength(expected.length);
	expect(json).toEqual(expect.arrayContaining(expected));
});

describe('rows of records with fewer or more fields than usual', () => {
	const line = { line_item_id: 'li_1', quantity: 1, unit_price: { amount: 5, currency: 'USD' } };
	const lineRow = {
		...{ line_item_id: 'li_1', quantity: 1 },
		...{ unit_price: 0.05, unit_price_minor: 5, currency: 'USD' },
	};
	const sold = { number: '1041', status: 'paid', total: { amount: 5, currency: 'USD' } };

	const rowsOf = async (resource: string, output: string, data: IDataObject[]) => {
		const sent = stubApi({
			[`GET /${resource}s`]: [[200, { data }]],
			'GET /orders/ord_3': [[200, { data: { id: 'ord_3', line_items: [] } }]],
			'GET /orders/ord_4': [[200, { data: { id: 'ord_4', ...sold, line_items: [line, line] } }]],
			'GET /orders/ord_5': [[404, { error: { code: 'NOT_FOUND' } }]],
			'GET /orders/*': ({ route }) => [200, { data: { id: route.split('/').at(-1) } }],
		});
		const parameters = { returnAll: true, options: { output } };
		const { error, json, hints } = await runOperation(`${resource}.getAll`, parameters);
		const message = error?.message;
		return { json, message, hints: hints.map((one) => one.message), requests: sent.length };
	};
	const ofSold = { order_number: '1041', order_status: 'paid', currency: 'USD' };

	it.each<[string, IDataObject[], number, number, IDataObject[]]>([
		['orders that show none at all', [{ id: 'ord_1' }, { id: 'ord_2' }, { id: 'ord_3' }], 2, 4, []],
		[
			'an order that was deleted since it was listed',
			[{ id: 'ord_5' }, { id: 'ord_1', line_items: [line] }],
			1,
			2,
			[{ order_id: 'ord_1', ...lineRow }],
		],
		['an order without an ID', [{ status: 'paid' }], 1, 1, []],
		['its own', [{ id: 'ord_1', line_items: [line] }], 0, 1, [{ order_id: 'ord_1', ...lineRow }]],
		[
			'an order that shows them only when it is read, with what tells the order',
			[{ id: 'ord_4' }],
			0,
			2,
			[lineRow, lineRow].map((one) => ({ order_id: 'ord_4', ...ofSold, ...one })),
		],
	])(
		'Line Items of %s: what is missing is counted, so that none is missed unseen',
		async (_what, orders, missing, requests, expected) => {
			const found = await rowsOf('order', 'lineItems', orders);
			const hint = `Orders of which the platform shows no line items, so that they have no item here: ${missing}.`;
			const hints = missing === 0 ? [] : [hint];
			expect(found).toEqual({ json: expected, message: undefined, hints, requests });
		},
	);

	it('Variants gives an item a variant and price, without further requests, and keeps what they and the product call the same', async () => {
		const price = { amount: 5, currency: 'EUR', id: 'price_1', status: 'old', title: 'List' };
		const variant = { id: 'var_1', sku: 'A', status: 'live', currency: 'USD', prices: [price] };
		const other = {
			sku: 'B',
			prices: [
				{ amount: 6, currency: 'EUR' },
				{ amount: 7, currency: 'JPY' },
			],
		};
		const product = { id: 'prod_1', title: 'Shirt', status: 'draft', variants: [variant, other] };
		const bare = { id: 'prod_2', handle: 'bare', categories: ['cat_1'], variants: [] };
		const { json, requests } = await rowsOf('product', 'variants', [product, bare]);
		const ofProduct = { product_id: 'prod_1', title: 'Shirt', status: 'draft' };
		const ofVariant = { id: 'var_1', sku: 'A', variant_status: 'live', variant_currency: 'USD' };
		const ofPrice = { price_id: 'price_1', price_status: 'old', price_title: 'List' };
		const money = { price: 0.05, price_minor: 5, currency: 'EUR' };
		expect(json).toEqual([
			{ ...ofProduct, ...ofVariant, ...money, ...ofPrice },
			{ ...ofProduct, sku: 'B', price: 0.06, price_minor: 6, currency: 'EUR' },
			{ ...ofProduct, sku: 'B', price: 7, price_minor: 7, currency: 'JPY' },
			{ product_id: 'prod_2', handle: 'bare', categories: ['cat_1'] },
		]);
		expect(requests).toBe(1);
	});

	it('an order that cannot be read is named, with the place to go on from', async () => {
		stubApi({
			'GET /orders': ({ query: { cursor = 'c1' } }) => [
				200,
				{
					data: [{ id: `ord_${cursor}`, ...(cursor === 'c1' && { line_items: [line] }) }],
					pagination: { has_more: cursor === 'c1', next_cursor: cursor === 'c1' ? 'c2' : null },
				},
			],
			'GET /orders/*': [[500, {}]],
		});
		const { failures } = await runOperation(
			'order.getAll',
			{ returnAll: true, options: { output: 'lineItems' }, requestOptions: { maxRetryWait: 0 } },
			{ onError: 'continueRegularOutput' },
		);
		const failure = failures.find((each) => each !== undefined);
		expect(failure).toMatchObject({ cursor: 'c2', fetched: 1 });
		expect(failure?.description).toContain('“ord_c2”');
	});

	const totalsOf = async (...all: unknown[]) =>
		await rowsOf(
			'order',
			'totals',
			all.map((total) => ({ total }) as IDataObject),
		);
	const euros = { amount: 5, currency: 'EUR' };

	it.each<[string, unknown]>([
		['none', undefined],
		['a masked one', { amount: '***', currency: 'EUR' }],
		['a fraction', { amount: 1.5, currency: 'EUR' }],
		['no currency', { amount: 5 }],
	])('Totals by Currency count an order by itself whose total is %s', async (_what, total) => {
		expect((await totalsOf(euros, total)).json).toEqual([
			{ currency: 'EUR', orders: 1, total: 0.05, total_minor: 5, text: '0.05' },
			{ currency: null, orders: 1, total: null, text: null },
		]);
	});

	it('Totals by Currency of no orders are one item of zero', async () => {
		const zero = { currency: null, orders: 0, total: 0, total_minor: 0, text: '0' };
		expect((await totalsOf()).json).toEqual([zero]);
		expect((await totals({ statusesInTotals: 'lost' })).json).toEqual([zero]);
	});

	it('Totals by Currency give no text without known decimals, and no sum that is not exact', async () => {
		const unknown = { amount: 5, currency: 'XTS' };
		expect((await totalsOf(unknown)).json).toEqual([
			{ currency: 'XTS', orders: 1, total_minor: 5, text: null },
		]);
		const large = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
		expect((await totalsOf(large, large)).message).toContain('too large to be exact');
	});
});
