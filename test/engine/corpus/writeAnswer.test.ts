import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { stubApi } from '../../support/engine/stubApi';
import { byId } from '../../support/parameters';
import { playCorpus } from './corpusCase';

interface Given {
	operation: string;
	status: number;
	body?: IDataObject;
	/** An HTML page, if the answer does not come from the API. */
	html?: string;
}

/** Parameters that make each operation send one write. */
const PARAMETERS: Record<string, IDataObject> = {
	'product.create': { title: 'Linen shirt' },
	'product.update': { productId: byId('prod_91'), updateFields: { title: 'Linen shirt' } },
	'customer.create': { specifyFields: 'json', json: '{"email":"ada@x.example"}' },
	'customer.update': { customerId: byId('cust_1'), specifyFields: 'json', json: '{"phone":"1"}' },
	'order.update': { orderId: byId('ord_1'), updateFields: { merchant_note: 'hi' } },
	'order.fulfill': {
		orderId: byId('ord_1'),
		specifyItems: 'json',
		itemsJson: '[{"line_item_id":"li_1","quantity":1}]',
	},
	'order.refund': {
		orderId: byId('ord_1'),
		...{ extent: 'amount', amountsAreIn: 'major', amount: '5.00', currency: 'EUR' },
	},
	'order.cancel': { orderId: byId('ord_1') },
	'inventory.adjust': { sku: 'A', locationId: 'sloc_main', delta: 2, reason: 'count' },
};

/** One write and its answer: it is done if there is no error. */
playCorpus<Given, { write: 'done' | 'notDone' }>(
	['write-answer.json', 'write-answer-more.json'],
	async ({ operation, status, body, html }, { write }) => {
		const contentType = html === undefined ? 'application/json' : 'text/html';
		const requests = stubApi({
			'*': [[status, html ?? body, { 'content-type': contentType }]],
		});
		const { error, items } = await runOperation(operation, PARAMETERS[operation]);
		// Whether an order is cancelled already is read after the refusal.
		expect(requests.filter(({ route }) => !route.startsWith('GET'))).toHaveLength(1);
		expect(error === undefined ? 'done' : 'notDone').toBe(write);
		expect(items).toHaveLength(write === 'done' ? 1 : 0);
	},
);
