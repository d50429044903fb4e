import type { IDataObject } from 'n8n-workflow';

import { runOperation, type StubAnswer, stubApi } from '../../support/engine';
import { byMode } from '../../support/parameters';

const LINES = [
	{ line_item_id: 'li_a', sku: 'MUG', quantity: 3 },
	{ line_item_id: 'li_b', product_variant: { sku: 'BOWL' }, quantity: 2 },
];
const order = (n: number): StubAnswer => [
	200,
	{ data: { id: `ord_${n}`, number: String(n), status: 'paid', line_items: LINES } },
];

const FROM_ROWS = {
	orderId: byMode('id', '={{ $json.order }}'),
	specifyItems: 'rows',
	rowLine: '={{ $json.sku }}',
	rowQuantity: '={{ $json.pieces }}',
	trackingNumber: '={{ $json.tracking }}',
};

async function ship(items: IDataObject[]) {
	const sent = stubApi({
		'GET /orders/*': [order(1)],
		'POST /orders/*': [[201, { data: { id: 'ful_1' } }]],
	});
	const parameters = { ...FROM_ROWS, requestOptions: { maxRequestsAtOnce: 1 } };
	const run = await runOperation('order.fulfill', parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	const bodies = sent.flatMap(({ route, body }) => (route.startsWith('POST') ? [body] : []));
	return { ...run, bodies };
}

const row = (sku: string, pieces: number | string, tracking = 'P1', id = 'ord_1') => ({
	order: id,
	sku,
	pieces,
	tracking,
});

it('sends the rows of one order and tracking number as one parcel, by SKU or line', async () => {
	const { items, bodies } = await ship([row('MUG', 1), row('BOWL', '2.0'), row('li_a', 1)]);
	expect(bodies).toEqual([
		{
			tracking_number: 'P1',
			items: [
				{ line_item_id: 'li_a', quantity: 2 },
				{ line_item_id: 'li_b', quantity: 2 },
			],
		},
	]);
	expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
		[0, 1, 2].map((item) => ['ful_1', { item }]),
	);
});

it('sends two parcels of one order by their tracking numbers', async () => {
	const { bodies } = await ship([row('MUG', 1), row('MUG', 2, 'P2')]);
	expect(bodies).toMatchObject([
		{ tracking_number: 'P1', items: [{ line_item_id: 'li_a', quantity: 1 }] },
		{ tracking_number: 'P2', items: [{ line_item_id: 'li_a', quantity: 2 }] },
	]);
});

it.each([
	['a SKU that the order does not have', row('CUP', 1), /“CUP” is no line of this order/],
	['no quantity', row('MUG', ''), /Quantity/],
	['a blank tracking number', row('MUG', 1, ''), /'Tracking Number' is empty/],
])('sends nothing for a row with %s', async (_what, wrong, message) => {
	const { items, bodies } = await ship([wrong]);
	expect(bodies).toEqual([]);
	expect(String(items[0]?.json.error)).toMatch(message);
});

it('sends further fields of a row in JSON', async () => {
	const sent = stubApi({ '*': [[201, { data: { id: 'ful_1' } }]] });
	const itemsJson = [{ line_item_id: 'li_a', quantity: 1, location_id: 'sloc_main' }];
	await runOperation('order.fulfill', {
		orderId: byMode('id', 'ord_1'),
		specifyItems: 'json',
		itemsJson: JSON.stringify(itemsJson),
	});
	expect(sent[0]?.body).toEqual({ items: itemsJson });
});
