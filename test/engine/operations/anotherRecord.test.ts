import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** A 409 for which Return Current Order reads the order. */
const NOT_ALLOWED = { error: { code: 'INVALID_STATE_TRANSITION', message: 'Not now' } };

const VARIANTS = [{ sku: 'A', title: 'M', prices: [{ amount: 100, currency: 'EUR' }] }];

/** Operations that read a record by its ID before they write, and what the platform has of it. */
const READS: Array<[what: string, path: string, record: IDataObject, parameters: IDataObject]> = [
	[
		'Fulfill',
		'/orders/ord_1',
		{ status: 'paid', line_items: [{ line_item_id: 'li_1', quantity: 1 }] },
		{ resource: 'order', operation: 'fulfill', orderId: byId('ord_1') },
	],
	[
		'Return Current Order',
		'/orders/ord_1',
		{ status: 'paid' },
		{
			resource: 'order',
			operation: 'cancel',
			orderId: byId('ord_1'),
			options: { ifNotAllowed: 'returnCurrent' },
		},
	],
	[
		'Merge by SKU and Currency',
		'/products/prod_1',
		{ variants: VARIANTS },
		{
			resource: 'product',
			operation: 'update',
			productId: byId('prod_1'),
			updateFields: { variantsJson: '[{ "sku": "A", "title": "L" }]' },
		},
	],
	[
		'Set Prices',
		'/products/prod_1',
		{ variants: VARIANTS },
		{ resource: 'product', operation: 'setPrices', sku: 'A', amount: '2.00', currency: 'EUR' },
	],
	[
		'Recreate',
		'/webhooks/wh_1',
		{ url: 'https://example.com/hook', events: ['order.paid'] },
		{ resource: 'webhook', operation: 'recreate', webhookId: byId('wh_1') },
	],
];

const ANSWERED: Array<[what: string, more: IDataObject]> = [
	['another ID', { id: 'other_2' }],
	['no ID', {}],
	['an ID that is none', { id: ['ord_1', 'prod_1', 'wh_1'] }],
];

it.each(
	READS.flatMap(([name, ...read]) =>
		ANSWERED.map(([what, more]) => [name, what, more, ...read] as const),
	),
)(
	'%s writes nothing of a record that was answered with %s',
	async (name, _what, more, path, record, parameters) => {
		const writes: string[] = [];
		const id = path.split('/')[2];
		nock(BASE_URL)
			.persist()
			.get('/products')
			.query(true)
			.reply(200, { data: [{ id, variants: VARIANTS }] })
			.get(path)
			.query(true)
			.reply(200, { data: { ...record, ...more } })
			.post(() => true)
			.reply(function (uri) {
				writes.push(uri);
				return name === 'Return Current Order' ? [409, NOT_ALLOWED] : [200, { data: { id } }];
			})
			.patch(() => true)
			.reply(function (uri) {
				writes.push(uri);
				return [200, { data: { id } }];
			});
		const { error, items } = await runNode({ parameters });
		expect(items).toEqual([]);
		expect(error?.message).toContain(`“${id}” is not the record that the platform answered`);
		expect(writes).toHaveLength(name === 'Return Current Order' ? 1 : 0);
	},
);
