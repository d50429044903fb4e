import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';

afterEach(() => {
	expect(nock.pendingMocks()).toEqual([]);
	nock.cleanAll();
});
afterAll(() => nock.restore());

/** Get Many with one item a row, of a list that is answered with these records. */
async function rows(resource: 'order' | 'product', records: IDataObject[]) {
	nock(BASE_URL).get(`/${resource}s`).query(true).reply(200, { data: records });
	const output = resource === 'order' ? 'lineItems' : 'variants';
	const result = await runNode({
		parameters: { resource, operation: 'getAll', returnAll: true, options: { output } },
	});
	const hints = result.hints.map(({ message }) => message);
	return { ...result, hints, rows: result.items.map(({ json }) => json) };
}

describe('Line Items of an order', () => {
	it('says how many orders show none at all, so that none is missed unseen', async () => {
		for (const id of ['ord_1', 'ord_2'])
			nock(BASE_URL)
				.get(`/orders/${id}`)
				.reply(200, { data: { id, status: 'paid' } });
		nock(BASE_URL)
			.get('/orders/ord_3')
			.reply(200, { data: { id: 'ord_3', line_items: [] } });
		const list = [{ id: 'ord_1' }, { id: 'ord_2' }, { id: 'ord_3' }];
		const { rows: found, hints } = await rows('order', list);
		expect(found).toEqual([]);
		expect(hints).toEqual([
			'Orders of which the platform shows no line items, so that they have no item here: 2.',
		]);
	});

	it('asks for no order without an ID', async () => {
		const { error, hints } = await rows('order', [{ status: 'paid' }]);
		expect(error).toBeUndefined();
		expect(hints).toHaveLength(1);
	});

	it('says nothing where every order shows its own', async () => {
		const line = { line_item_id: 'li_1', quantity: 1 };
		const { rows: found, hints } = await rows('order', [{ id: 'ord_1', line_items: [line] }]);
		expect(found).toEqual([{ order_id: 'ord_1', ...line }]);
		expect(hints).toEqual([]);
	});
});

it('Variants of a product keep what the product, the variant and the price call the same', async () => {
	const price = { amount: 5, currency: 'EUR', id: 'price_1', status: 'old', title: 'List' };
	const variant = { id: 'var_1', sku: 'A', status: 'live', currency: 'USD', prices: [price] };
	const { rows: found } = await rows('product', [
		{ id: 'prod_1', title: 'Shirt', status: 'draft', variants: [variant] },
	]);
	expect(found).toEqual([
		{
			product_id: 'prod_1',
			title: 'Shirt',
			status: 'draft',
			id: 'var_1',
			sku: 'A',
			variant_status: 'live',
			variant_currency: 'USD',
			amount: 5,
			currency: 'EUR',
			decimal: 0.05,
			price_id: 'price_1',
			price_status: 'old',
			price_title: 'List',
		},
	]);
});
