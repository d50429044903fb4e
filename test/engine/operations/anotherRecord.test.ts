import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, stubApi } from '../../support/engine';

const ORDER = { orderId: byId('ord_1') };
const MERGED = { variantsJson: '[{ "sku": "A", "title": "L" }]' };
const LINES = { line_items: [{ line_item_id: 'li_1', quantity: 1 }] };
const VARIANTS = {
	variants: [{ sku: 'A', title: 'M', prices: [{ amount: 100, currency: 'EUR' }] }],
};
const HOOK = { url: 'https://example.com/hook', events: ['order.paid'] };
const RETURN_CURRENT = { options: { ifNotAllowed: 'returnCurrent' } };

/** Operations that read a record by its ID before they write or after, and what the platform has of it. */
const READS: Array<
	[operation: string, path: string, record: IDataObject, parameters: IDataObject]
> = [
	['order.fulfill', '/orders/ord_1', { status: 'paid', ...LINES }, ORDER],
	['order.cancel', '/orders/ord_1', { status: 'paid' }, { ...ORDER, ...RETURN_CURRENT }],
	[
		'product.update',
		'/products/prod_1',
		VARIANTS,
		{ productId: byId('prod_1'), updateFields: MERGED },
	],
	[
		'product.setPrices',
		'/products/prod_1',
		VARIANTS,
		{ sku: 'A', amount: '2.00', currency: 'EUR' },
	],
	['webhook.recreate', '/webhooks/wh_1', HOOK, { webhookId: byId('wh_1') }],
];

const ANSWERED: Array<[what: string, more: IDataObject]> = [
	['another ID', { id: 'other_2' }],
	['no ID', {}],
	['an ID that is none', { id: ['ord_1', 'prod_1', 'wh_1'] }],
];

it.each(READS.flatMap((read) => ANSWERED.map((answered) => [...read, ...answered] as const)))(
	'%s writes nothing of %s that was answered with another record',
	async (operation, path, record, parameters, _what, more) => {
		const id = path.split('/')[2];
		const sent = stubApi({
			'GET /products': [[200, { data: [{ id, ...VARIANTS }] }]],
			[`GET ${path}`]: [[200, { data: { ...record, ...more } }]],
			'POST /orders/ord_1/cancel': [[409, { error: { code: 'INVALID_STATE_TRANSITION' } }]],
			'*': [[200, { data: { id } }]],
		});
		const { error, items } = await runOperation(operation, parameters);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`“${id}” is not the record that the platform answered`);
		const writes = sent.filter(({ route }) => !route.startsWith('GET'));
		// Return Current Order reads after the refusal.
		expect(writes).toHaveLength(operation === 'order.cancel' ? 1 : 0);
	},
);
