import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { listSearch } from '../../../nodes/CommercePlatform/search';
import { nameOf } from '../../../nodes/shared/shop/records';

const BASE_URL = 'https://api.shop.example/v1';

it.each([
	[{ title: 'Lamp', name: 'x' }, 'Lamp'],
	[{ name: ' Lamps ' }, 'Lamps'],
	[{ first_name: 'Ada', last_name: 'Berg' }, 'Ada Berg'],
	[{ first_name: '', last_name: 'Berg' }, 'Berg'],
	[{ title: { en: 'Lamp' } }, undefined],
	[{}, undefined],
])('calls %j %s', (record, name) => expect(nameOf(record)).toBe(name));

/** What From List shows if the platform answers with this body. */
async function shown(
	name: keyof typeof listSearch,
	body: object,
	{ zone = 'UTC', orderId }: { zone?: string; orderId?: object } = {},
) {
	const answer = { statusCode: 200, headers: {}, body: [Buffer.from(JSON.stringify(body))] };
	const context = {
		getNode: () => ({ name: 'Shop' }),
		getTimezone: () => zone,
		getCurrentNodeParameter: () => orderId,
		getCredentials: async () => await Promise.resolve({ baseUrl: BASE_URL, apiKey: 'key' }),
		helpers: { httpRequestWithAuthentication: async () => await Promise.resolve(answer) },
	} as unknown as ILoadOptionsFunctions;
	return (await listSearch[name].call(context)).results;
}

const labels = async (name: keyof typeof listSearch, data: IDataObject[], zone?: string) =>
	(await shown(name, { data, pagination: { has_more: false } }, { zone })).map((one) => one.name);

const orderLabel = async (order: IDataObject, zone?: string) =>
	(await labels('searchOrders', [order], zone))[0];

it('writes amounts in major units if these are known, and joins the present parts', async () => {
	const totals = [1999, 500, 7, '***'].map((amount, at) => ({
		amount,
		currency: ['EUR', 'JPY', 'XYZ', 'EUR'][at],
	}));
	const orders = [...totals, null].map((total, at): IDataObject => ({ id: `o${at}`, total }));
	const amounts = ['o0 · 19.99 EUR', 'o1 · 500 JPY', 'o2 · 7 XYZ', 'o3 · *** EUR', 'o4'];
	expect(await labels('searchOrders', orders)).toEqual(amounts);
	const webhooks = [
		{ id: 'wh_1', description: 'a', url: '', status: 5 },
		{ id: 'wh_2', description: {}, url: null },
	];
	expect(await labels('searchWebhooks', webhooks)).toEqual(['a · 5 · wh_1', 'wh_2']);
});

it('names the day of an order’s last change, by which the list is sorted, in the workflow’s timezone', async () => {
	const order = {
		...{ id: 'ord_1', number: '1041' },
		...{ created_at: '2025-01-01T00:00:00Z', updated_at: '2026-11-22T03:00:00Z' },
	};
	expect(await orderLabel(order, 'America/New_York')).toBe('#1041 · changed 21 Nov 2026');
	expect(await orderLabel({ ...order, updated_at: 'soon' })).toBe('#1041');
});

it('shows the e-mail address of an order only if it has neither a name nor a number', async () => {
	const order = { id: 'ord_1', email: 'ada@example.com' };
	expect(await orderLabel(order)).toBe('ord_1 · ada@example.com');
	for (const more of [{ number: '1041' }, { customer: { name: 'Ada Berg' } }])
		expect(await orderLabel({ ...order, ...more })).not.toContain('@');
});

describe('the line items of an order', () => {
	const lines = [
		{ line_item_id: 'li_1', title: 'Shirt', sku: 'S', quantity: 2 },
		{ line_item_id: 'li_2', product_title: 'Lamp', quantity: 1 },
		{ line_item_id: 'li_3', quantity: 3 },
	];

	it('are named by title and SKU, else by ID, and all are listed if the order does not say what is open', async () => {
		const order = { status: 'partially_fulfilled', line_items: lines };
		const orderId = { mode: 'id', value: 'ord_1' };
		expect(await shown('searchOpenItems', { data: order }, { orderId })).toEqual([
			{ name: 'Shirt · S', value: 'li_1' },
			{ name: 'Lamp', value: 'li_2' },
			{ name: 'li_3', value: 'li_3' },
		]);
	});
});
